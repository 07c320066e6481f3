"""Excerpts: what is kept of a long log, and that nothing it told of is lost."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.pastes.excerpts import MOST_TEXT, Excerpt, excerpt
from bot.pastes.readers.found import FoundError, Span
from bot.pastes.readers.reading import read_errors
from tests.pastes.readers.log_noise import noise
from tests.shared_data import REPOSITORY

_SAMPLES = sorted(
    path for path in (REPOSITORY / "tests" / "samples").glob("*/*.txt") if path.with_suffix(".json").exists()
)
_TEXTS = {f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8") for path in _SAMPLES}
_LINES = sorted({line for text in _TEXTS.values() for line in text.splitlines()})


def _slices(lines: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (lines[at : at + size] for at in range(0, len(lines), size))


def _told(found: Excerpt) -> list[FoundError]:
    """The errors of an excerpt at their places in the original."""
    return [
        replace(error, span=Span(found.numbers[error.span.first], found.numbers[error.span.last]))
        for error in read_errors(found.text)
    ]


@pytest.mark.parametrize("name", _TEXTS)
def test_a_sample_in_a_long_log_is_told_from_the_excerpt(name: str) -> None:
    """The excerpt of two thousand lines around each sample tells the same errors, with their lines in the original."""
    sample = _TEXTS[name].rstrip("\n").splitlines()

    found = excerpt(_slices([*noise(1_000), "", *sample, "", *noise(1_000)], 700))

    assert len(found.numbers) < 1_200
    assert _told(found) == [
        replace(error, span=Span(error.span.first + 1_001, error.span.last + 1_001))
        for error in read_errors("\n".join([*sample, "", ""]))
    ]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.one_of(st.sampled_from(_LINES), st.text(max_size=30)), max_size=80),
    st.integers(1, 40),
    st.integers(100, 5_000),
)
def test_each_line_stands_at_its_number(lines: list[str], size: int, most: int) -> None:
    """Every line of the text has one number, in rising order, and is that line of the original or an empty one."""
    original = "\n".join(lines).splitlines()

    found = excerpt(_slices(original, size), most)

    kept = found.text.splitlines()
    # An empty last line has no end that could be told.
    numbers = found.numbers[: len(kept)]
    assert all(original[number] == "" for number in found.numbers[len(kept) :])
    assert list(numbers) == sorted(numbers)
    assert all(line in {"", original[number]} for line, number in zip(kept, numbers, strict=True))


@given(st.lists(st.sampled_from(_LINES), max_size=60))
def test_a_short_log_is_kept_whole(lines: list[str]) -> None:
    """What is shorter than both its ends is its own excerpt."""
    found = excerpt([lines])

    assert found.whole
    assert found.text == "\n".join(lines)
    assert found.numbers == tuple(range(len(lines)))


def test_how_the_lines_are_handed_over_makes_no_difference() -> None:
    """One by one or all at once."""
    lines = [*noise(900), *_TEXTS["python/direct_cause"].splitlines(), *noise(900)]

    assert excerpt(_slices(lines, 1)) == excerpt([lines])


def test_both_ends_are_kept() -> None:
    """How the run began and how it ended."""
    lines = noise(5_000)

    found = excerpt([lines])

    assert found.text.splitlines()[:50] == lines[:50]
    assert found.text.splitlines()[-50:] == lines[-50:]
    assert not found.whole


def test_an_error_said_again_and_again_is_kept_twice() -> None:
    """The first and the last time, whatever its numbers were; all that stands between says nothing new."""
    lines = []
    for number in range(2_000):
        lines += [f"2026-11-30T10:00:00Z ERROR try {number} of job {number * 7:x}1 failed", *noise(60, number * 60)]

    found = excerpt([lines])

    assert [number for number in found.numbers if " ERROR " in lines[number]][-1] == 1_999 * 61
    assert sum(" ERROR " in line for line in found.text.splitlines()) < 60
    assert len(found.text) < MOST_TEXT / 4


def test_a_message_that_looks_like_no_error_is_kept() -> None:
    """A record's message may say nothing of errors; the first line of its kind is kept."""
    lines = noise(20_000)
    lines[9_000] = "2026-11-30T10:00:00Z INFO worker-1 the moon is made of cheese"

    found = excerpt([lines])

    assert 9_000 in found.numbers


def test_the_newest_errors_are_kept_where_there_are_too_many() -> None:
    """Of more different errors than there is room for the last ones stay."""
    lines = []
    for number in range(8_000):
        word = "".join("qrstuvwxyz"[int(digit)] for digit in str(number))
        lines += [f"2026-11-30T10:00:00Z ERROR the {word} failed", *noise(6, number * 6)]

    found = excerpt([lines])

    errors = [number for number in found.numbers if number % 7 == 0]
    assert len(found.text) < 1.1 * MOST_TEXT
    assert errors[-500:] == [7 * number for number in range(7_500, 8_000)]
    assert 7 * 3_000 not in errors


def _python_stack(frames: int) -> list[str]:
    body = [
        line for n in range(frames) for line in (f'  File "/app/a.py", line {n + 1}, in f{n % 50}', f"    f{n % 50}(x)")
    ]
    return ["Traceback (most recent call last):", *body, "shop.errors.OutOfStock: no pears are left"]


def _java_stack(frames: int) -> list[str]:
    deeper = [f"\tat com.shop.Stock.take{n % 50}(Stock.java:{n + 1})" for n in range(frames)]
    return [
        *('Exception in thread "main" com.shop.OrderException: cannot order', *deeper),
        *("Caused by: com.shop.StockException: no pears are left", *deeper, "\t... 12 more"),
    ]


@pytest.mark.parametrize("stack", [_python_stack(5_000), _java_stack(5_000)], ids=["python", "java"])
def test_a_stack_of_ten_thousand_lines_stays_one_error(stack: list[str]) -> None:
    """Its head and its tail are kept without a gap, so that class, message and role are what they were."""
    lines = [*noise(3_000), *stack, *noise(3_000)]

    found = excerpt(_slices(lines, 500))

    assert len(found.numbers) < 6_000
    told, whole = _told(found), read_errors("\n".join(lines))
    assert [(error.reader, error.role, error.error_class, error.message) for error in told] == [
        (error.reader, error.role, error.error_class, error.message) for error in whole
    ]
    assert [(error.span.first, error.span.last) for error in told] == [
        (error.span.first, error.span.last) for error in whole
    ]


def test_one_enormous_error_is_bounded() -> None:
    """A hundred thousand lines that all belong to one error, and lines of a megabyte, fit the bound."""
    deep = ["Traceback (most recent call last):", *(f"  frame {number}" for number in range(100_000)), "KeyError: 7"]
    wide = [f"ERROR {'x' * 60_000} {number}" for number in range(500)]

    assert len(excerpt(_slices(deep, 1_000)).text) < MOST_TEXT
    assert len(excerpt(_slices(wide, 100)).text) < 1.3 * MOST_TEXT


def test_nothing_gives_nothing() -> None:
    """No line at all is an empty excerpt."""
    assert excerpt([]) == Excerpt("", (), whole=True)
