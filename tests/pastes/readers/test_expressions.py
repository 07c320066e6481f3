"""Expressions over text that no encoder would write."""

from bot.pastes.readers.expressions import Expression


def test_half_a_surrogate_pair_is_read_as_a_question_mark() -> None:
    """A broken character in a paste stops no reader."""
    found = Expression(r"^at (?P<file>\S+)$").match("at a\ud800.js")

    assert found is not None
    assert found.group("file") == "a?.js"


def test_places_count_characters_and_not_bytes() -> None:
    """Text that is not English gives the same places as Python's own expressions."""
    found = Expression(r"Fehler").search("größer: Fehler")

    assert found is not None
    assert (found.start(), found.end()) == (8, 14)
