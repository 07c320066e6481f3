"""G5: strict on known fields, tolerant of unknown ones, all problems at once."""

import json
import re
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.records.decode import decode_entry, decode_record, encode_entry, encode_record
from bot.records.errors import InvalidRecord
from bot.records.page import Page
from bot.records.record import ErrorType, HandlingStrategy, Record, Severity
from tests.records.samples import FULL_RECORD, NULLABLE, record_with
from tests.shared_data import REPOSITORY

SEED = REPOSITORY / "seeds" / "001_a5c8e08260272c33.txt"


def problems_of(document: object) -> tuple[str, ...]:
    with pytest.raises(InvalidRecord) as caught:
        decode_record(document, "file.json")
    return caught.value.problems


def test_every_field_of_a_record_is_read() -> None:
    """Enumerations, dates and lists become what a Record promises."""
    record = decode_record(FULL_RECORD, "file.json")

    assert record.error_type is ErrorType.PANIC
    assert record.severity is Severity.ERROR
    assert record.handling_strategy is HandlingStrategy.TRY_CATCH
    assert record.analyzed_at == datetime(2026, 9, 5, 13, 19, 14, 260_000, UTC)
    assert record.content_changed_at == datetime(2026, 9, 6, tzinfo=UTC)
    assert record.solutions == ("Close first.", "Wait for the worker.")
    assert record.http_status == 503
    assert record.snippets == ("catch_unwind(|| run())",)
    assert record.message_pattern == FULL_RECORD["messagePattern"]


def test_the_json_seed_has_its_values() -> None:
    """The shipped API record is read as it stands, and written again without a difference."""
    document = json.loads(SEED.read_text(encoding="utf-8"))["record"]

    record = decode_record(document, "seed")

    assert (record.id, record.repo, record.slug) == (
        "48d4adaa22bdcf4f",
        "tracel-ai/burn",
        "gradient-sync-server-disconnected",
    )
    assert record.error_message == "Gradient sync server disconnected."
    assert record.message_pattern == r"Gradient sync server disconnected\."
    assert (record.error_type, record.severity) == (ErrorType.PANIC, Severity.ERROR)
    assert (record.error_code, record.error_class, record.http_status) == (None, None, None)
    assert (record.file_path, record.line_number) == ("crates/burn-backend/src/backend/distributed/client.rs", 34)
    assert (record.source_code_start, record.source_code_end) == (16, 52)
    assert record.tags == ("distributed", "channels", "panic", "shutdown")
    assert record.background_tag == "channel-disconnected-panic"
    assert record.analyzed_at == record.content_changed_at == datetime(2026, 9, 5, 13, 19, 14, 260_000, UTC)
    assert len(record.solutions) == len(document["solutions"]) >= 3
    assert record.unknown == {}
    assert encode_record(record) == document


def test_unknown_fields_are_kept() -> None:
    """G5: a field upstream added is neither refused nor lost."""
    document = record_with(stars=5, nested={"a": [1, None, "x"]})

    record = decode_record(document, "file.json")

    assert record.unknown == {"stars": 5, "nested": {"a": [1, None, "x"]}}
    assert encode_record(record) == document


@pytest.mark.parametrize("field", NULLABLE)
def test_nullable_fields_may_be_null_or_absent(field: str) -> None:
    """Older records lack what newer ones have; both read the same."""
    absent = {key: value for key, value in FULL_RECORD.items() if key != field}

    assert decode_record(absent, "file.json") == decode_record(record_with(**{field: None}), "file.json")


@pytest.mark.parametrize("field", sorted(FULL_RECORD.keys() - set(NULLABLE)))
def test_other_fields_may_be_neither(field: str) -> None:
    """G5: what a record cannot be without is named when it is not there."""
    absent = {key: value for key, value in FULL_RECORD.items() if key != field}

    assert problems_of(absent) == (f"{field}: is missing",)
    assert problems_of(record_with(**{field: None})) == (f"{field}: is null",)


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("id", "48D4ADAA22BDCF4F", 'id: "48D4ADAA22BDCF4F" is not 16 lowercase hex digits'),
        ("id", "48d4adaa22bdcf4f\n", 'id: "48d4adaa22bdcf4f\\n" is not 16 lowercase hex digits'),
        ("id", 7, "id: is a number, not a string"),
        ("repo", "burn", 'repo: "burn" is not owner/name, as GitHub writes a repository'),
        ("repo", "../..", 'repo: "../.." is not owner/name, as GitHub writes a repository'),
        ("repo", "a/..", 'repo: "a/.." is not owner/name, as GitHub writes a repository'),
        ("repo", "a/b/c", 'repo: "a/b/c" is not owner/name, as GitHub writes a repository'),
        ("slug", "Not Kebab", 'slug: "Not Kebab" is not lowercase words joined by hyphens'),
        ("slug", "-a", 'slug: "-a" is not lowercase words joined by hyphens'),
        ("errorCode", 404, "errorCode: is a number, not a string"),
        ("errorMessage", " \n", "errorMessage: is empty"),
        ("errorMessage", ["x"], "errorMessage: is a list, not a string"),
        ("errorMessage", "a\ud800b", "errorMessage: holds half of a surrogate pair, which is no character"),
        ("messagePattern", {}, "messagePattern: is an object, not a string"),
        ("errorType", "crash", 'errorType: "crash" is none of exception, error_code, console, http, validation, panic'),
        ("errorType", [], "errorType: is a list, not a string"),
        ("errorClass", False, "errorClass: is a boolean, not a string"),
        ("httpStatus", 99, "httpStatus: 99 is not between 100 and 599"),
        ("httpStatus", 600, "httpStatus: 600 is not between 100 and 599"),
        ("httpStatus", "404", "httpStatus: is a string, not a whole number"),
        ("httpStatus", 404.0, "httpStatus: 404.0 is not a whole number"),
        ("httpStatus", True, "httpStatus: is a boolean, not a whole number"),
        ("severity", "fatal", 'severity: "fatal" is none of critical, error, warning, info'),
        ("filePath", 1, "filePath: is a number, not a string"),
        ("lineNumber", 0, "lineNumber: 0 is not 1 or more"),
        ("lineNumber", 2**31, "lineNumber: 2147483648 is more than 2147483647"),
        pytest.param("lineNumber", 10**5000, "lineNumber: a number of more than 64 bits is more than 2147483647", id="huge"),
        ("sourceCode", 1, "sourceCode: is a number, not a string"),
        ("sourceCodeStart", 0, "sourceCodeStart: 0 is not 1 or more"),
        ("sourceCodeEnd", 3, "sourceCodeEnd: 3 lies before sourceCodeStart, 16"),
        ("githubUrl", "http://github.com/a", 'githubUrl: "http://github.com/a" is not an https address'),
        ("githubUrl", "https://a@b/", 'githubUrl: "https://a@b/" is not an https address'),
        ("githubUrl", "https://a/ b", 'githubUrl: "https://a/ b" is not an https address'),
        ("documentation", 1, "documentation: is a number, not a string"),
        ("triggerScenarios", 1, "triggerScenarios: is a number, not a string"),
        ("commonSituations", [], "commonSituations: is a list, not a string"),
        ("solutions", "Do it.", "solutions: is a string, not a list of strings"),
        ("solutions", ["a", None], "solutions[1]: is null, not a string"),
        ("exampleFix", 1, "exampleFix: is a number, not a string"),
        ("handlingStrategy", "pray", 'handlingStrategy: "pray" is none of try-catch, type-guard, validation, retry, fallback'),
        ("validationCode", 1, "validationCode: is a number, not a string"),
        ("typeGuard", 1, "typeGuard: is a number, not a string"),
        ("tryCatchPattern", 1, "tryCatchPattern: is a number, not a string"),
        ("preventionTips", [1], "preventionTips[0]: is a number, not a string"),
        ("tags", ["ok", "Not ok"], 'tags[1]: "Not ok" is not lowercase words joined by hyphens'),
        ("backgroundTag", 1, "backgroundTag: is a number, not a string"),
        ("analyzedSha", "d16f7ba2ed", 'analyzedSha: "d16f7ba2ed" is not a commit of 40 lowercase hex digits'),
        ("analyzedAt", "2026-09-05", 'analyzedAt: "2026-09-05" is not an ISO 8601 time in UTC, such as 2026-09-05T13:19:14Z'),
        ("analyzedAt", "2026-09-05T13:19:14+02:00", 'analyzedAt: "2026-09-05T13:19:14+02:00" is not an ISO 8601 time in UTC, such as 2026-09-05T13:19:14Z'),
        ("analyzedAt", "2026-13-05T13:19:14Z", 'analyzedAt: "2026-13-05T13:19:14Z" is no day or time of the calendar'),
        ("contentChangedAt", 5, "contentChangedAt: is a number, not a string"),
        ("schemaVersion", 3, "schemaVersion: 3 is not 2, the one version known here"),
        ("schemaVersion", "2", "schemaVersion: is a string, not a whole number"),
    ],
)  # fmt: skip
def test_each_rule_says_what_was_wrong(field: str, value: object, problem: str) -> None:
    """G5: a wrong value in a known field is refused with upstream's field name and a reason."""
    assert problems_of(record_with(**{field: value})) == (problem,)


def test_all_problems_come_at_once() -> None:
    """A document is repaired in one go: every problem is named, in the order of the fields, each a line."""
    with pytest.raises(InvalidRecord) as caught:
        decode_record(record_with(id="x", severity="bad", tags=None, lineNumber=-1), "a/b.json")

    assert str(caught.value).splitlines() == [
        'a/b.json: id: "x" is not 16 lowercase hex digits',
        'a/b.json: severity: "bad" is none of critical, error, warning, info',
        "a/b.json: lineNumber: -1 is not 1 or more",
        "a/b.json: tags: is null",
    ]


@pytest.mark.parametrize(("document", "kind"), [([], "a list"), ("x", "a string"), (None, "null"), (1, "a number")])
def test_only_objects_are_records(document: object, kind: str) -> None:
    """Any other JSON value is named for what it is."""
    assert problems_of(document) == (f"document: is {kind}, not an object",)


def test_long_values_are_quoted_short() -> None:
    """A megabyte in a field does not become a megabyte of message."""
    (problem,) = problems_of(record_with(id="\x1b" * 1_000_000))

    assert len(problem) < 200
    assert "\x1b" not in problem


PAGE = Page(
    id="4df974a0eb9a8beb",
    repo="tracel-ai/burn",
    severity=Severity.CRITICAL,
    title="Server disconnected",
    error_message="Server disconnected",
    message_pattern="Server disconnected",
    snippets=("a", "b"),
    related_errors=("c {x}",),
    analyzed_sha="d16f7ba2ed",
    analyzed_on=date(2026, 9, 5),
)


@pytest.mark.parametrize("entry", [PAGE, decode_record(FULL_RECORD, "sample")], ids=["page", "record"])
def test_entries_survive_json(entry: Record | Page) -> None:
    """What the store keeps as text comes back as it was, a page as a page."""
    text = json.dumps(encode_entry(entry))

    assert decode_entry(json.loads(text), "the store") == entry


def test_pages_are_strict_too() -> None:
    """Our own form is checked like upstream's, and an unknown form is named."""
    document = encode_entry(PAGE) | {"analyzedOn": "2026-02-30", "analyzedSha": "xyz", "lineNumber": 0}

    with pytest.raises(InvalidRecord) as caught:
        decode_entry(document, "store")
    with pytest.raises(InvalidRecord, match="errataForm: \"scroll\" is neither 'page' nor 'outline'"):
        decode_entry({"errataForm": "scroll"}, "store")

    assert caught.value.problems == (
        "lineNumber: 0 is not 1 or more",
        'analyzedSha: "xyz" is not a commit of 7 to 40 lowercase hex digits',
        'analyzedOn: "2026-02-30" is no day of the calendar',
    )


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=[])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(sorted(FULL_RECORD)) | st.text(), JSON_VALUES, max_size=6))
def test_any_document_is_a_record_or_says_why_not(changes: dict[str, object]) -> None:
    """No value breaks the decoder; what it accepts comes back from its own JSON, and what it refuses has a field."""
    problems: tuple[str, ...] = ()
    try:
        record = decode_record(FULL_RECORD | changes, "fuzz")
    except InvalidRecord as invalid:
        problems = invalid.problems

    assert all(re.split(r"[:\[]", problem)[0] in FULL_RECORD for problem in problems)
    assert problems or decode_record(encode_record(record), "again") == record


@given(JSON_VALUES)
def test_any_value_is_an_entry_or_refused(document: object) -> None:
    """Nothing but InvalidRecord comes out of a value that is no entry."""
    with pytest.raises(InvalidRecord):
        decode_entry(document, "fuzz")


def test_the_file_is_named() -> None:
    """A problem begins with where it stands."""
    with pytest.raises(InvalidRecord, match=r"^catalogue\.jsonl:7: id: is missing$"):
        decode_record({key: value for key, value in FULL_RECORD.items() if key != "id"}, "catalogue.jsonl:7")
