"""The gate: it spares the readers most lines of a log, and hides no error from any of them."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.pastes.readers.cleaning import clean_lines
from bot.pastes.readers.found import CleanLine, FoundError, Span
from bot.pastes.readers.reading import READERS, errors_of_lines, read_errors, shared_gate
from bot.pastes.readers.starts import LONGEST_READ, GatedLines, Starts, _has_branches, starts_in
from tests.pastes.readers.log_noise import noise
from tests.shared_data import REPOSITORY

_SAMPLES = sorted(
    path for path in (REPOSITORY / "tests" / "samples").glob("*/*.txt") if path.with_suffix(".json").exists()
)
_TEXTS = {f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8") for path in _SAMPLES}
_LINES = sorted({line for text in _TEXTS.values() for line in text.splitlines()})
_PREFIXES = ("", "web-1  | ", "2026-11-30T14:00:00Z ERROR ", "E/Tag: ", "> ", "\x1b[31m")


def _ungated(lines: list[CleanLine]) -> dict[str, list[FoundError]]:
    return {reader.name: list(reader.read(lines)) for reader in READERS}


def _gated(lines: list[CleanLine]) -> dict[str, list[FoundError]]:
    seen = GatedLines(lines, shared_gate())
    return {reader.name: list(reader.read(seen)) for reader in READERS}


@pytest.mark.parametrize("name", _TEXTS)
def test_every_reader_finds_in_a_sample_what_it_finds_without_the_gate(name: str) -> None:
    """Each reader, asked about every line of each sample, finds the same as where the gate lets it look."""
    lines = clean_lines(_TEXTS[name])

    assert _gated(lines) == _ungated(lines)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.one_of(st.tuples(st.sampled_from(_PREFIXES), st.sampled_from(_LINES)).map("".join), st.text(max_size=30)),
        max_size=40,
    ).map("\n".join)
)
def test_every_reader_finds_in_any_text_what_it_finds_without_the_gate(text: str) -> None:
    """Lines of all tools in any order, behind prefixes and among nonsense."""
    lines = clean_lines(text)

    assert _gated(lines) == _ungated(lines)


@cache
def _noise() -> tuple[list[CleanLine], list[CleanLine]]:
    return clean_lines("\n".join([*noise(1_000), "", ""])), clean_lines("\n".join(noise(1_000, start=1_000)))


def _moved(error: FoundError, by: int) -> FoundError:
    return replace(error, span=Span(error.span.first + by, error.span.last + by))


@pytest.mark.parametrize("name", _TEXTS)
def test_a_sample_in_a_long_log_is_read_as_by_itself(name: str) -> None:
    """Two thousand lines around each sample change nothing but its place."""
    above, below = _noise()
    sample = clean_lines(_TEXTS[name].rstrip("\n") + "\n\n")
    inside = [replace(line, number=line.number + len(above)) for line in sample]
    behind = [replace(line, number=line.number + len(above) + sample[-1].number + 1) for line in below]

    found = errors_of_lines([*above, *inside, *behind])

    assert found == tuple(_moved(error, len(above)) for error in errors_of_lines(sample))


@pytest.mark.parametrize("name", list(_TEXTS)[::12])
def test_the_text_of_a_long_log_is_read_like_its_lines(name: str) -> None:
    """The same from the text itself, for some of them."""
    text = "\n".join([*noise(1_000), "", _TEXTS[name].rstrip("\n"), "", *noise(1_000)])

    assert read_errors(text) == tuple(_moved(error, 1_001) for error in read_errors(_TEXTS[name].rstrip("\n")))


def test_ordinary_lines_are_nobodys() -> None:
    """Of two thousand lines of a quiet log none is shown to any reader."""
    lines = GatedLines(clean_lines("\n".join(noise(2_000))), shared_gate())

    assert {name: places for name, places in lines.starts.items() if places} == {}


def test_a_long_line_is_looked_at_as_a_whole_too() -> None:
    """What stands behind the bound of most readers is still a beginning for those that read on."""
    line = CleanLine("x" * LONGEST_READ + " KeyError: y", 0, 0)

    assert GatedLines([line], shared_gate()).starts["generic"] == [0]


def test_places_are_asked_for_in_their_order() -> None:
    """The first place at or behind an index, and the number of lines where there is none."""
    starts = Starts([2, 5, 9], 12)

    assert [starts.from_(at) for at in (0, 2, 3, 6, 10, 12)] == [2, 2, 5, 9, 12, 12]
    assert list(starts) == [2, 5, 9]


def test_without_a_gate_every_line_is_a_beginning() -> None:
    """A reader that is asked by itself looks everywhere."""
    assert list(starts_in(clean_lines("a\nb"), "rust")) == [0, 1]


@pytest.mark.parametrize(
    ("pattern", "has"),
    [
        ("^a|b", True), ("^(?:a|b)", False), ("^[a|b]", False), (r"^a\|b", False), ("^[]|]", False), ("^[^]|]x", False),
        ("^(?:a)|b", True), (r"^\(|b", True), (r"^[\]|]", False), ("^a", False),
    ],
)  # fmt: skip
def test_a_pattern_of_several_branches_is_known(pattern: str, has: bool) -> None:
    """Its `^` holds for the first branch alone, so the others may stand anywhere."""
    assert _has_branches(pattern) is has
