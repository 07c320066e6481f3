"""What is a regex and what is none."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.records.template import derive_pattern
from bot.sources.dataset_patterns import fault_of


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "plain words",
        r"Cannot find module '(.+?)'\.",
        r"(?i)error \d{3}",
        r"\p{L}+ is lost",
        r"a(?=b)",
        r"(?<!not )found",
        r"(?<name>x)\k<name>",
        r"(a)\1",
        r"[^]+",
        r"x[]y",
        r"\u{1F600} smiles \cJ",
        r"(?:a{1000}){1000}",
        r"a\/b",
    ],
)
def test_what_javascript_takes_is_a_regex(pattern: str) -> None:
    """Also where no engine here takes it: that is for the exact tier to say."""
    assert fault_of(pattern) is None


@pytest.mark.parametrize("pattern", ["(", "a)", "[z-a]", "*x", "a{2,1}", "(?<name", "[abc", "a\\"])
def test_what_no_engine_takes_is_none(pattern: str) -> None:
    """With a reason."""
    assert fault_of(pattern)


@given(st.text(max_size=60))
def test_a_derived_pattern_is_a_regex(message: str) -> None:
    """And the shortcut for derived patterns never lets through what an engine refuses."""
    pattern = derive_pattern(message)

    assert fault_of(pattern) is None
    re.compile(pattern)


@pytest.mark.filterwarnings("ignore::FutureWarning")
@given(st.text("ab()[]{}*+?|\\^$.-<>=!:0,", max_size=14))
def test_any_text_is_judged(pattern: str) -> None:
    """No exception, and what Python takes unchanged is a regex."""
    fault = fault_of(pattern)

    try:
        re.compile(pattern)
    except (re.error, OverflowError):
        return
    if "[]" not in pattern and "[^]" not in pattern:
        assert fault is None


def test_a_hostile_pattern_costs_no_time() -> None:
    """Neither a deep one nor a long one."""
    began = time.monotonic()

    for pattern in ("(" * 50_000, "(a*)*" * 800 + "(?=x)", "((((a{1,99}){1,99}){1,99}){1,99})(?=x)", "[" + "a" * 4_000):
        fault_of(pattern)

    assert time.monotonic() - began < 5
