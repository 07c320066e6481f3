"""The compact form of a record."""

import dataclasses
from datetime import UTC, datetime

import pytest

from bot.matching.facts import Facts
from bot.records.decode import decode_entry, decode_outline, encode_entry, encode_outline
from bot.records.entry import Entry
from bot.records.errors import InvalidRecord
from bot.records.outline import Outline, outline_of
from bot.records.record import Record
from bot.sources.entries_json import decode_document
from bot.store.catalogue import facts_of
from bot.store.staging import encoded
from tests.dataset_standin import compact, record
from tests.sample_entries import GRADIENT_SYNC

LINE = compact({**record(7), "errorCode": "E7", "errorClass": "FluxError"})


def test_a_line_of_the_index_is_read_and_written() -> None:
    """Under upstream's short names; unknown fields are passed over (G5)."""
    outline = decode_outline({**LINE, "novel": 1}, "x")

    assert (outline.error_code, outline.error_class, outline.slug) == ("E7", "FluxError", "flux-capacitor-7")
    assert encode_outline(outline) == LINE


def test_it_is_kept_in_a_form_of_its_own() -> None:
    """What is written into the store is told from records and pages when it is read."""
    outline = decode_outline(LINE, "x")

    assert decode_entry(encode_entry(outline), "the store") == outline


def test_a_whole_record_has_the_outline_that_the_index_gives() -> None:
    """So that both can be compared."""
    assert encode_outline(outline_of(GRADIENT_SYNC)) == compact(dict(encode_entry(GRADIENT_SYNC)))


def test_it_answers_wherever_a_record_does() -> None:
    """Every attribute of a record that is read of any entry is there, and says nothing."""
    outline = outline_of(GRADIENT_SYNC)
    # Read of records alone, behind a look at what they are.
    records_alone = {"validation_code", "type_guard", "try_catch_pattern", "source_code_end", "schema_version", "unknown", "content_changed_at"}  # fmt: skip
    own = {field.name for field in dataclasses.fields(Outline)}

    for field in dataclasses.fields(Record):
        if field.name not in records_alone | own:
            assert getattr(outline, field.name) in {None, "", (), datetime.min.replace(tzinfo=UTC)}, field.name


def test_it_matches_as_the_whole_record_does() -> None:
    """Message, pattern, class, code and tags are the same facts."""
    entries: list[Entry] = [GRADIENT_SYNC, outline_of(GRADIENT_SYNC)]
    whole, outline = (facts_of(entry, encoded(entry)) for entry in entries)

    for name in ("id", "repo", "slug", "message", "pattern", "error_type", "error_class", "error_code", "tags"):
        assert getattr(whole, name) == getattr(outline, name)
    assert {"message", "pattern"} <= {field.name for field in dataclasses.fields(Facts)}


@pytest.mark.parametrize(("name", "value"), [("id", "x"), ("msg", ""), ("type", "odd"), ("tags", "a"), ("slug", None)])
def test_known_fields_are_strict(name: str, value: object) -> None:
    """With upstream's name in the problem (G5)."""
    with pytest.raises(InvalidRecord, match=f"{name}: "):
        decode_outline({**LINE, name: value}, "x")


def test_an_outline_is_not_imported() -> None:
    """It would take the place of the whole record."""
    with pytest.raises(InvalidRecord, match="only the outline of a record"):
        decode_document(encode_entry(outline_of(GRADIENT_SYNC)), "x")
