"""Documents into records and back: strict on the fields of schema version 2, tolerant of all others."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final

from bot.records import rules
from bot.records.entry import Entry
from bot.records.errors import InvalidRecord
from bot.records.outline import Outline
from bot.records.page import Page
from bot.records.record import ErrorType, HandlingStrategy, Record, Severity

SCHEMA_VERSION: Final = 2

# Pages have no form upstream but their text, and lines of the compact index are none by themselves; this field marks
# ours, and no record has it.
FORM_FIELD, PAGE_FORM, OUTLINE_FORM = "errataForm", "page", "outline"


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of a document, the attribute that keeps it, and its rule."""

    key: str
    attribute: str
    rule: rules.Rule
    required: bool = True
    kept_when_null: bool = True  # written as null, rather than left out


def _optional(key: str, attribute: str, rule: rules.Rule, *, kept_when_null: bool = True) -> _Field:
    return _Field(key, attribute, rule, required=False, kept_when_null=kept_when_null)


_texts, _tags = rules.list_of(rules.text), rules.list_of(rules.kebab)
_line = rules.whole_number(1)

# In upstream's order, so that a record written again reads like the one that came.
_RECORD_FIELDS = (
    _Field("id", "id", rules.record_id),
    _Field("repo", "repo", rules.repository),
    _Field("slug", "slug", rules.kebab),
    _optional("errorCode", "error_code", rules.text),
    _Field("errorMessage", "error_message", rules.filled_text),
    _Field("messagePattern", "message_pattern", rules.text),
    _Field("errorType", "error_type", rules.one_of(ErrorType)),
    _optional("errorClass", "error_class", rules.text),
    _optional("httpStatus", "http_status", rules.whole_number(100, 599)),
    _Field("severity", "severity", rules.one_of(Severity)),
    _optional("filePath", "file_path", rules.text),
    _optional("lineNumber", "line_number", _line),
    _optional("sourceCode", "source_code", rules.text),
    _optional("sourceCodeStart", "source_code_start", _line),
    _optional("sourceCodeEnd", "source_code_end", _line),
    _Field("githubUrl", "github_url", rules.https_url),
    _Field("documentation", "documentation", rules.text),
    _Field("triggerScenarios", "trigger_scenarios", rules.text),
    _Field("commonSituations", "common_situations", rules.text),
    _Field("solutions", "solutions", _texts),
    _optional("exampleFix", "example_fix", rules.text),
    _optional("handlingStrategy", "handling_strategy", rules.one_of(HandlingStrategy)),
    _optional("validationCode", "validation_code", rules.text),
    _optional("typeGuard", "type_guard", rules.text),
    _optional("tryCatchPattern", "try_catch_pattern", rules.text),
    _Field("preventionTips", "prevention_tips", _texts),
    _Field("tags", "tags", _tags),
    _optional("backgroundTag", "background_tag", rules.text),
    _Field("analyzedSha", "analyzed_sha", rules.commit),
    _Field("analyzedAt", "analyzed_at", rules.moment),
    _optional("contentChangedAt", "content_changed_at", rules.moment, kept_when_null=False),
    _Field("schemaVersion", "schema_version", rules.whole_number(0)),
)
_RECORD_KEYS = frozenset(field.key for field in _RECORD_FIELDS)

_PAGE_FIELDS = (
    _Field("id", "id", rules.record_id),
    _Field("repo", "repo", rules.repository),
    _Field("severity", "severity", rules.one_of(Severity)),
    _Field("title", "title", rules.filled_text),
    _Field("errorMessage", "error_message", rules.filled_text),
    _Field("messagePattern", "message_pattern", rules.text),
    _optional("errorClass", "error_class", rules.text),
    _optional("filePath", "file_path", rules.text),
    _optional("lineNumber", "line_number", _line),
    _optional("sourceCode", "source_code", rules.text),
    _Field("documentation", "documentation", rules.text),
    _Field("triggerScenarios", "trigger_scenarios", rules.text),
    _Field("commonSituations", "common_situations", rules.text),
    _Field("solutions", "solutions", _texts),
    _optional("exampleFix", "example_fix", rules.text),
    _Field("snippets", "snippets", _texts),
    _Field("preventionTips", "prevention_tips", _texts),
    _Field("relatedErrors", "related_errors", _texts),
    _Field("analyzedSha", "analyzed_sha", rules.short_commit),
    _Field("analyzedOn", "analyzed_on", rules.day),
)

# The names of upstream's compact index.
_OUTLINE_FIELDS = (
    _Field("id", "id", rules.record_id),
    _Field("repo", "repo", rules.repository),
    _Field("slug", "slug", rules.kebab),
    _optional("code", "error_code", rules.text),
    _Field("msg", "error_message", rules.filled_text),
    _Field("pattern", "message_pattern", rules.text),
    _Field("type", "error_type", rules.one_of(ErrorType)),
    _optional("cls", "error_class", rules.text),
    _Field("tags", "tags", _tags),
    _Field("sev", "severity", rules.one_of(Severity)),
)


def decode_record(document: object, origin: str) -> Record:
    """The record in this parsed JSON document. Fields no one here knows are kept in `unknown`.

    A field that may be null may also be absent. `origin` names the document in messages: a file, a line, an address.

    Raises InvalidRecord with all problems at once, each as "field: what was wrong" with upstream's field name.
    """
    fields = _object(document, origin)
    values, problems = _read(fields, _RECORD_FIELDS)
    version = values.get("schema_version", SCHEMA_VERSION)
    if version != SCHEMA_VERSION:
        problems.append(f"schemaVersion: {version} is not {SCHEMA_VERSION}, the one version known here")
    start, end = values.get("source_code_start"), values.get("source_code_end")
    if start is not None and end is not None and end < start:
        problems.append(f"sourceCodeEnd: {end} lies before sourceCodeStart, {start}")
    if problems:
        raise InvalidRecord(origin, tuple(problems))
    if not fields.keys() <= _RECORD_KEYS:
        values["unknown"] = {key: value for key, value in fields.items() if key not in _RECORD_KEYS}
    return Record(**values)


def encode_record(record: Record) -> dict[str, object]:
    """The record as upstream writes it, unknown fields last; `decode_record` gives the same record back.

    A nullable field is written as null even where it was absent; `contentChangedAt` is left out instead.
    """
    return _write(record, _RECORD_FIELDS) | record.unknown


def encode_entry(entry: Entry) -> dict[str, object]:
    """A record as upstream writes it, or a page or outline in a form of our own, which `decode_entry` tells apart."""
    if isinstance(entry, Record):
        return encode_record(entry)
    if isinstance(entry, Outline):
        return {FORM_FIELD: OUTLINE_FORM} | encode_outline(entry)
    return {FORM_FIELD: PAGE_FORM} | _write(entry, _PAGE_FIELDS)


def decode_entry(document: object, origin: str) -> Entry:
    """What `encode_entry` made. Raises InvalidRecord as `decode_record` does."""
    fields = _object(document, origin)
    form = fields.get(FORM_FIELD)
    if form is None:
        return decode_record(fields, origin)
    if form == OUTLINE_FORM:
        return decode_outline(fields, origin)
    if form != PAGE_FORM:
        problem = f"{FORM_FIELD}: {rules.quote(form)} is neither {PAGE_FORM!r} nor {OUTLINE_FORM!r}"
        raise InvalidRecord(origin, (problem,))
    return decode_page(fields, origin)


def encode_outline(outline: Outline) -> dict[str, object]:
    """The outline as upstream's compact index writes it."""
    return _write(outline, _OUTLINE_FIELDS)


def decode_outline(document: object, origin: str) -> Outline:
    """The record in one line of upstream's compact index; fields nobody here knows are passed over.

    Raises InvalidRecord with all problems at once, under upstream's short names.
    """
    values, problems = _read(_object(document, origin), _OUTLINE_FIELDS)
    if problems:
        raise InvalidRecord(origin, tuple(problems))
    return Outline(**values)


def decode_page(fields: dict[str, Any], origin: str) -> Page:
    """A page from its fields, each under the same rule as in a record. Raises InvalidRecord."""
    values, problems = _read(fields, _PAGE_FIELDS)
    if problems:
        raise InvalidRecord(origin, tuple(problems))
    return Page(**values)


def _object(document: object, origin: str) -> dict[str, Any]:
    if not isinstance(document, dict):
        raise InvalidRecord(origin, (f"document: is {rules.kind_of(document)}, not an object",))
    if not all(isinstance(key, str) for key in document):
        raise InvalidRecord(origin, ("document: holds a field whose name is not a string",))
    return document


def _read(fields: dict[str, Any], known: Iterable[_Field]) -> tuple[dict[str, Any], list[str]]:
    values: dict[str, Any] = {}
    problems: list[str] = []
    for field in known:
        value = fields.get(field.key)
        if value is None:
            if field.required:
                problems.append(f"{field.key}: is {'null' if field.key in fields else 'missing'}")
            continue
        try:
            values[field.attribute] = field.rule(value)
        except rules.Refused as refused:
            place = "" if refused.index is None else f"[{refused.index}]"
            problems.append(f"{field.key}{place}: {refused.problem}")
    return values, problems


def _write(entry: Entry, known: Iterable[_Field]) -> dict[str, object]:
    document: dict[str, object] = {}
    for field in known:
        value = getattr(entry, field.attribute)
        if value is not None or field.kept_when_null:
            document[field.key] = _plain(value)
    return document


def _plain(value: object) -> object:
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, datetime):
        return rules.written(value)
    return value.isoformat() if isinstance(value, date) else value
