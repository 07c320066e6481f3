"""What is made of the pieces an engine finds in a picture."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pastes.paste import Part, Skipped
from bot.pastes.pictures import READABLE, Piece, part_of

CELL, ROW = 10, 20


def piece(text: str, *, row: int = 0, column: float = 0, confidence: float = 0.99) -> Piece:
    """A piece of ten pixels a letter in a row of twenty."""
    return Piece(text, confidence, column * CELL, row * ROW + 2, (column + len(text)) * CELL, row * ROW + 18)


def test_pieces_become_the_lines_a_person_sees() -> None:
    """B1: whatever the order they were found in, from top to bottom and from left to right, with the gaps between."""
    found = [
        piece("NullPointer", row=2, column=4),
        piece("at", row=1, column=4),
        piece("Traceback", row=0),
        piece("main.c:12", row=1, column=7),
    ]

    assert part_of(found, "shot.png") == Part(
        "Traceback\n    at main.c:12\n    NullPointer", "shot.png", confidences=(0.99, 0.99, 0.99)
    )


def test_a_line_that_is_not_quite_level_is_one() -> None:
    """Boxes differ by a few pixels in height, as letters do."""
    left, right = piece("left"), piece("gjpq", column=5)

    part = part_of([left, Piece(right.text, 0.98, right.left, right.top + 4, right.right, right.bottom + 4)], "a.png")

    assert isinstance(part, Part)
    assert part.text == "left gjpq"
    assert part.confidences == (0.98,)


def test_a_line_is_as_sure_as_its_least_sure_piece() -> None:
    """So that one well read word does not vouch for the rest."""
    part = part_of([piece("sure"), piece("perhaps", column=6, confidence=0.9)], "a.png")

    assert isinstance(part, Part)
    assert part.confidences == (0.9,)


def test_what_cannot_be_read_is_left_out() -> None:
    """The gate: below it nothing is there to be matched."""
    part = part_of([piece("what was surely read"), piece("smudge", row=1, confidence=READABLE - 0.01)], "a.png")

    assert isinstance(part, Part)
    assert part.text == "what was surely read"


def test_a_picture_mostly_unreadable_is_not_read() -> None:
    """E13: a photo of a screen is answered with a sentence that asks for the text, not with its few legible words."""
    found = [piece("error"), piece("a long line nobody could read", row=1, confidence=0.5)]

    assert part_of(found, "photo.jpg") is Skipped.UNSURE


@pytest.mark.parametrize("found", [[], [piece("  ")]])
def test_a_picture_without_text_is_empty(found: list[Piece]) -> None:
    """E13: a cat is another outcome than a blurred log."""
    assert part_of(found, "cat.png") is Skipped.EMPTY


@pytest.mark.parametrize(
    ("seen", "meant"),
    [
        ("'managedNames'must not be null", "'managedNames' must not be null"),
        ("run `cargo`first", "run `cargo` first"),
        ("don't can't won't", "don't can't won't"),
        ("it isn't a 'name' of it's own", "it isn't a 'name' of it's own"),
        ("f'{a}'", "f'{a}'"),
    ],
)
def test_a_lost_space_behind_a_quoted_word_is_put_back(seen: str, meant: str) -> None:
    """It is the one space engines lose again and again; apostrophes are left alone."""
    part = part_of([piece(seen)], "a.png")

    assert isinstance(part, Part)
    assert part.text == meant


@given(
    st.lists(
        st.builds(
            Piece,
            st.text(max_size=20),
            st.floats(0, 1),
            *[st.floats(0, 5000, allow_nan=False)] * 4,
        ),
        max_size=30,
    )
)
def test_every_line_has_its_confidence(found: list[Piece]) -> None:
    """Whatever an engine says, lines and confidences go together, and no line is below the gate."""
    part = part_of(found, "a.png")

    if isinstance(part, Part):
        assert part.confidences is not None
        assert len(part.text.split("\n")) == len(part.text.splitlines()) == len(part.confidences)
        assert all(confidence >= READABLE for confidence in part.confidences)


def test_rows_stay_in_order() -> None:
    """Forty rows that are close to each other are forty lines."""
    part = part_of([piece(f"line {row}", row=row) for row in range(40)], "a.png")

    assert isinstance(part, Part)
    numbers = [int(line.split()[1]) for line in part.text.split("\n")]
    assert all(before < after for before, after in pairwise(numbers))
    assert len(numbers) == 40
