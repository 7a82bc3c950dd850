"""What the makers of an edition say about it: ``datasheet.yml``, with counts filled in from the files."""

import datetime
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from ..agreement import REJECT, between_reviewers
from ..corpus import Edition, load_stages
from ..files import read_yaml
from ..schema import InputError

# The fields of the responsible-AI extension of Croissant, version 1.0.
RaiField = Literal[
    "dataCollection",
    "dataCollectionType",
    "dataCollectionMissingData",
    "dataCollectionRawData",
    "dataCollectionTimeframe",
    "dataImputationProtocol",
    "dataPreprocessingProtocol",
    "dataManipulationProtocol",
    "dataAnnotationProtocol",
    "dataAnnotationPlatform",
    "dataAnnotationAnalysis",
    "annotationsPerItem",
    "annotatorDemographics",
    "machineAnnotationTools",
    "dataUseCases",
    "dataBiases",
    "dataLimitations",
    "dataSocialImpact",
    "personalSensitiveInformation",
    "dataReleaseMaintenancePlan",
]


class Sheet(BaseModel):
    """The content of a ``datasheet.yml``. Texts may name counts in braces, as in ``{evaluation} pairs``."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    summary: str = ""
    creator: str = ""
    published: datetime.date | None = None
    language: str = "en"
    keywords: tuple[str, ...] = ()
    cite: str = ""
    rai: dict[RaiField, str] = {}


def read_sheet(edition: Edition) -> Sheet:
    """Read the datasheet of an edition, empty where it has none, with its counts filled in.

    Raises
    ------
    InputError
        For an unknown field, or a name in braces that is no count.
    """
    path = edition.folder / "datasheet.yml"
    if not path.is_file():
        return Sheet(summary=edition.manifest.title)
    sheet, known = read_yaml(path, Sheet, expected="a datasheet"), counts(edition)
    try:
        filled = {"summary": sheet.summary.format_map(known), "cite": sheet.cite.replace("{version}", edition.version)}
        rai = {name: " ".join(text.format_map(known).split()) for name, text in sheet.rai.items()}
        return sheet.model_copy(update=filled | {"rai": rai})
    except KeyError as error:
        raise InputError(f"{path}: {error} in braces is no count, expected one of {', '.join(known)}.") from None
    except (ValueError, AttributeError, IndexError, TypeError) as error:
        raise InputError(f"{path}: a text has braces that name no count ({' '.join(str(error).split())}).") from None


def counts(edition: Edition) -> Mapping[str, Any]:
    """The numbers that a datasheet may name."""
    found: dict[str, Any] = {
        "version": edition.version,
        "pairs": len(edition.pairs),
        "evaluation": len(edition.evaluation),
        "development": len(edition.development),
    }
    if edition.manifest.selection is not None:
        stages = load_stages(edition.folder)
        decision = between_reviewers(stages).set_index("field").loc["Decision"]
        found |= {
            "candidates": len(stages.candidates),
            "reviews": len(stages.reviews),
            "rejected": sum(row.decision == REJECT for row in stages.adjudications),
            "boundary": sum(row.intent != "force_gap" for row in stages.candidates),
            "removed": sum(row.verdict == "remove" for row in stages.audit),
            "decision_same": f"{decision['same']:.1%}",
            "decision_kappa": f"{decision['kappa']:.2f}",
        }
    return found
