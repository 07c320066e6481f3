"""Shorter, and still whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.answers.cutting import MORE, cut, cut_prose, first_sentences, length
from tests.strategies import long_texts, nasty_texts


@given(long_texts(1000), st.integers(-1, 300))
def test_nothing_is_longer_than_its_limit(text: str, limit: int) -> None:
    """D3: every way of cutting keeps its limit, also where an emoji counts two."""
    for shorter in (cut(text, limit), cut_prose(text, limit), first_sentences(text, limit)):
        assert length(shorter) <= max(0, limit)


@given(nasty_texts(), st.integers(0, 100))
def test_a_cut_text_is_a_beginning(text: str, limit: int) -> None:
    """D2: what is shown is the beginning, and "…" says that it goes on."""
    shorter = cut(text, limit)

    assert shorter == text or (shorter.endswith(MORE) and text.startswith(shorter.removesuffix(MORE))) or limit == 0


@pytest.mark.parametrize("whole", ["👩\u200d👩\u200d👧\u200d👦", "👍🏽", "🇩🇪", "e\u0301\u0323", "नि", "각"])
def test_what_reads_as_one_character_is_not_divided(whole: str) -> None:
    """D2: no surrogate pair, accent, flag or family is cut through, wherever the limit falls."""
    text = f"x{whole}{whole}{whole} end of it"

    for limit in range(1, length(text)):
        head = cut(text, limit).removesuffix(MORE)
        rest = head.removeprefix("x").split(" ")[0]

        assert rest == whole * (len(rest) // len(whole))


def test_a_link_is_whole_or_absent() -> None:
    """D2: a shortened address would lead somewhere else."""
    text = "see https://docs.rs/burn/latest/burn/ for more of it"

    for limit in range(1, length(text)):
        shorter = cut(text, limit)

        assert "https" not in shorter or "https://docs.rs/burn/latest/burn/" in shorter


@given(
    st.lists(st.sampled_from(["`a.b()`", "word", "`Ok(None)`", "end."]), max_size=20).map(" ".join), st.integers(2, 80)
)
def test_inline_code_is_closed_again(text: str, limit: int) -> None:
    """D2: a cut never leaves a mark of code open."""
    assert cut_prose(text, limit).count("`") % 2 == 0


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One here. Two here. Three here.", "One here. Two here."),
        ("It calls `a.b. C` first. Then it stops. And more.", "It calls `a.b. C` first. Then it stops."),
        ("Use a lock, e.g. Mutex or so. Then join. Done.", "Use a lock, e.g. Mutex or so. Then join."),
        ("Panics at v1.2.3 of it. `rx` is gone! Why?", "Panics at v1.2.3 of it. `rx` is gone!"),
        ("no full stop", "no full stop"),
        ("", ""),
    ],
)
def test_sentences_end_where_people_end_them(text: str, sentences: str) -> None:
    """Full stops in code, versions and abbreviations end nothing."""
    assert first_sentences(text, 200) == sentences


def test_a_sentence_too_long_is_cut_at_a_word() -> None:
    """Where not even one sentence fits, its beginning is shown."""
    assert first_sentences("The receiver was dropped early. More.", 20) == "The receiver was…"
