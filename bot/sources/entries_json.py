"""Plain ErrorEntry JSON: one, an array of them, or one a line."""

from collections.abc import Iterator

from bot.records.decode import FORM_FIELD, OUTLINE_FORM, decode_entry
from bot.records.entry import Entry
from bot.records.errors import InvalidRecord
from bot.sources.api_record import decode_api_record, is_api_record


def documents_in(document: object, origin: str) -> Iterator[tuple[object, str]]:
    """The single documents of an array, each with its place (`file[3]`, from 0); anything else is its own."""
    if isinstance(document, list):
        yield from ((item, f"{origin}[{index}]") for index, item in enumerate(document))
    else:
        yield document, origin


def decode_document(document: object, origin: str) -> Entry:
    """The entry in one parsed document: an ErrorEntry, an answer of the API, or a page as this program exports it.

    Raises InvalidRecord with all problems at once, or with the one that it is no such document.
    """
    if isinstance(document, dict):
        if is_api_record(document):
            return decode_api_record(document, origin).record
        if not document.keys() & {"id", "errorMessage", FORM_FIELD}:
            # One sentence serves better than twenty missing fields.
            fields = ", ".join(sorted(map(repr, document))[:5]) or "none"
            raise InvalidRecord(
                origin, (f"document: is neither a record nor an API answer; its fields: {fields[:200]}",)
            )
        if document.get(FORM_FIELD) == OUTLINE_FORM:
            # It would take the place of the whole record.
            raise InvalidRecord(origin, ("document: is only the outline of a record",))
    return decode_entry(document, origin)
