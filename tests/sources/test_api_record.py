"""Answers of the API."""

from datetime import UTC, datetime

import pytest

from bot.records.errors import InvalidRecord
from bot.sources.api_record import decode_api_record, is_api_record
from tests.records.samples import FULL_RECORD, record_with


def test_an_answer_has_a_record_and_a_version() -> None:
    """The version of the dataset is kept beside the record."""
    answer = decode_api_record({"record": FULL_RECORD, "datasetVersion": "2026-09-12T17:17:11.597Z"}, "api")

    assert answer.record.id == FULL_RECORD["id"]
    assert answer.dataset_version == datetime(2026, 9, 12, 17, 17, 11, 597_000, UTC)
    assert decode_api_record({"record": FULL_RECORD}, "api").dataset_version is None


def test_wrapper_and_record_report_together() -> None:
    """G5: all problems of an answer come at once, also without a record's problem."""
    with pytest.raises(InvalidRecord) as both:
        decode_api_record({"record": record_with(id="x"), "datasetVersion": 5}, "api")
    with pytest.raises(InvalidRecord) as version_only:
        decode_api_record({"record": FULL_RECORD, "datasetVersion": 5}, "api")

    assert both.value.problems == (
        'id: "x" is not 16 lowercase hex digits',
        "datasetVersion: is a number, not a string",
    )
    assert version_only.value.problems == ("datasetVersion: is a number, not a string",)


def test_answers_are_told_from_records() -> None:
    """Only an object with a `record` wraps one."""
    assert is_api_record({"record": {}})
    assert not is_api_record(FULL_RECORD)
    assert not is_api_record(["record"])
