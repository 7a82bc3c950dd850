"""Croissant 1.1 metadata of a release, with the fields of its responsible-AI extension."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..corpus import Edition
from .sheet import Sheet
from .table import Column, Table

# The JSON-LD context that the format prescribes: first the terms that stand for themselves in its namespace.
_TERMS = (
    *("arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileObject"),
    *("fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5"),
    *("parentField", "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator"),
    *("source", "subField", "transform"),
)
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "description": {"@container": "@language"},
    "name": {"@container": "@language"},
    **{name: f"cr:{name}" for name in _TERMS},
}
_TYPES = {"string": "sc:Text", "integer": "sc:Integer"}
_FORMATS = {"jsonl": "application/jsonlines", "parquet": "application/x-parquet"}


def croissant(
    edition: Edition, sheet: Sheet, tables: Sequence[Table], files: Mapping[str, tuple[str, int]], *, url: str
) -> dict[str, Any]:
    """The metadata as a JSON-LD object.

    Parameters
    ----------
    edition, sheet, tables
        The edition, what its makers say about it, and its tables.
    files : mapping
        Path inside the release → SHA-256 and size in bytes.
    url : str
        Where the release can be had, empty if nowhere yet.
    """
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
        "name": f"forcebench-companion-{edition.name}",
        "description": sheet.summary,
        "version": edition.version,
        "isLiveDataset": False,
        "inLanguage": sheet.language,
        **_given(
            alternateName=edition.manifest.title,
            license=edition.manifest.licence and f"https://spdx.org/licenses/{edition.manifest.licence}.html",
            url=url,
            creator=sheet.creator and {"@type": "sc:Organization", "name": sheet.creator},
            datePublished=sheet.published and sheet.published.isoformat(),
            keywords=list(sheet.keywords),
            citeAs=sheet.cite.strip(),
        ),
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": path,
                "name": path,
                "contentUrl": path,
                "contentSize": f"{size} B",
                "encodingFormat": _FORMATS[path.rpartition(".")[2]],
                "sha256": digest,
            }
            for path, (digest, size) in files.items()
        ],
        "recordSet": [_record_set(table) for table in tables],
        **{f"rai:{name}": text for name, text in sheet.rai.items()},
    }


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}


def _record_set(table: Table) -> dict[str, Any]:
    key = ["id", "reviewer"] if table.name == "reviews" else ["id"]
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.description,
        "key": [{"@id": f"{table.name}/{name}"} for name in key],
        "field": [_field(table, column) for column in table.columns],
    }


def _field(table: Table, column: Column) -> dict[str, Any]:
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{table.name}/{column.name}",
        "name": column.name,
        "description": column.description,
        "dataType": _TYPES[column.kind],
        "source": {"fileObject": {"@id": f"jsonl/{table.name}.jsonl"}, "extract": {"column": column.name}},
    }
    if column.many:
        field |= {"isArray": True, "arrayShape": "-1"}
    if column.name == "id" and table.name not in ("pairs", "candidates"):
        field["references"] = {"field": {"@id": "candidates/id"}}
    return field
