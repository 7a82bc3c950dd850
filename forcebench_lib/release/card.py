"""The dataset card of a release: a README whose front matter the Hugging Face hub reads."""

from collections.abc import Sequence
from typing import Any

import yaml

from ..corpus import Edition
from .sheet import Sheet
from .table import Table

_HEADINGS = {
    "dataUseCases": "What it is for",
    "dataCollection": "How it was made",
    "dataAnnotationProtocol": "How it was reviewed",
    "annotatorDemographics": "Who reviewed",
    "dataAnnotationAnalysis": "How far the reviewers agree",
    "dataBiases": "Biases",
    "dataLimitations": "Limits",
    "personalSensitiveInformation": "Personal information",
    "dataReleaseMaintenancePlan": "Maintenance",
}


def dataset_card(edition: Edition, sheet: Sheet, tables: Sequence[Table]) -> str:
    """The card: front matter with configs and splits, how to load, the tables and their columns, the datasheet."""
    title = edition.manifest.title or edition.name
    parts = [
        f"---\n{yaml.safe_dump(_front_matter(edition, sheet, tables, title), sort_keys=False, allow_unicode=True)}---",
        f"# {title}\n\nVersion {edition.version}. {sheet.summary.strip()}",
        "## Load it\n\nWith `release` for the folder that holds this file:\n\n"
        '```python\nimport datasets\n\npairs = datasets.load_dataset("release", "pairs", split="evaluation")\n```',
        "## Tables\n\n" + _markdown(["table", "split", "rows", "what a row is"], _sizes(tables)),
    ]
    parts += [
        f"### Columns of `{table.name}`\n\n" + _markdown(["column", "what it holds"], _columns(table))
        for table in tables
    ]
    parts += [f"## {heading}\n\n{sheet.rai[field]}" for field, heading in _HEADINGS.items() if field in sheet.rai]
    if sheet.cite:
        parts.append(f"## Cite\n\n```bibtex\n{sheet.cite.strip()}\n```")
    return "\n\n".join(parts) + "\n"


def _front_matter(edition: Edition, sheet: Sheet, tables: Sequence[Table], title: str) -> dict[str, Any]:
    configs: list[dict[str, Any]] = [
        {
            "config_name": table.name,
            "data_files": [{"split": split, "path": parquet_path(table, split)} for split in table.splits],
        }
        for table in tables
    ]
    configs[0]["default"] = True
    rows = max(len(table.rows) for table in tables)
    size = next(name for bound, name in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (10**12, "10K<n")) if rows < bound)
    matter = {
        "pretty_name": title,
        "license": edition.manifest.licence.lower(),
        "language": [sheet.language],
        "task_categories": ["text-classification"],
        "size_categories": [size],
        "tags": list(sheet.keywords),
        "configs": configs,
    }
    return {name: value for name, value in matter.items() if value}


def parquet_path(table: Table, split: str) -> str:
    """Where the rows of one split stand inside a release."""
    return f"parquet/{table.name}-{split}.parquet"


def _sizes(tables: Sequence[Table]) -> list[list[str]]:
    return [
        [f"`{table.name}`", split, str(len(rows)), table.description]
        for table in tables
        for split, rows in table.splits.items()
    ]


def _columns(table: Table) -> list[list[str]]:
    return [[f"`{column.name}`", column.description] for column in table.columns]


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows])
