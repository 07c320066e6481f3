"""What the public API answers: one record, and the dataset it is from."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.records import rules
from bot.records.decode import decode_record
from bot.records.errors import InvalidRecord
from bot.records.record import Record


@dataclass(frozen=True, slots=True)
class ApiRecord:
    """A record with the version of the dataset it came from, in UTC; None where the answer does not tell."""

    record: Record
    dataset_version: datetime | None


def is_api_record(document: object) -> bool:
    """Whether this parsed JSON document wraps a record the way the API does."""
    return isinstance(document, Mapping) and "record" in document


def decode_api_record(document: Mapping[str, Any], origin: str) -> ApiRecord:
    """The record in an answer of the API.

    Raises InvalidRecord with all problems at once; a problem of the wrapper is named `datasetVersion`.
    """
    problems: list[str] = []
    version = None
    if document.get("datasetVersion") is not None:
        try:
            version = rules.moment(document["datasetVersion"])
        except rules.Refused as refused:
            problems.append(f"datasetVersion: {refused.problem}")
    try:
        record = decode_record(document["record"], origin)
    except InvalidRecord as invalid:
        raise InvalidRecord(origin, (*invalid.problems, *problems)) from invalid
    if problems:
        raise InvalidRecord(origin, tuple(problems))
    return ApiRecord(record, version)
