"""Figures as files, and runs compared."""

import json
from pathlib import Path

import pytest

from bot.evaluation.metrics import figures
from bot.evaluation.report import Circumstances, Comparison, NotComparable, accept, as_json, compare
from tests.evaluation.judged_pastes import found, judged

HERE = Circumstances(catalogue="abc", records=3, encoder="MiniLM 1", nearest=True)
BEFORE = figures((judged(found("r1"), ["r1"]), judged(found(), ["r1"]), judged(found(), kind="chat")))
BETTER = figures((judged(found("r1"), ["r1"]), judged(found("r1"), ["r1"]), judged(found(), kind="chat")))
WORSE = figures((judged(found("r1"), ["r1"]), judged(found("r2"), ["r1"]), judged(found("r1"), kind="chat")))


@pytest.fixture
def accepted(tmp_path: Path) -> Path:
    path = tmp_path / "eval.json"
    accept(path, BEFORE, HERE)
    return path


def test_the_same_figures_differ_in_nothing(accepted: Path) -> None:
    """What was just accepted is neither better nor worse."""
    assert compare(accepted, BEFORE, HERE) == Comparison((), ())


def test_what_got_better_is_told(accepted: Path) -> None:
    """Each figure that moved is named with its kind, before and after."""
    comparison = compare(accepted, BETTER, HERE)

    assert "exact: right_first 1 → 2" in comparison.better
    assert "total: right_first 1 → 2" in comparison.better
    assert comparison.worse == ()


def test_what_got_worse_is_told(accepted: Path) -> None:
    """More wrong answers and more false ones are worse."""
    comparison = compare(accepted, WORSE, HERE)

    assert {"exact: wrong 0 → 1", "chat: answered 0 → 1", "total: answered 0 → 1"} <= set(comparison.worse)


@pytest.mark.parametrize(
    ("figures_now", "circumstances", "why"),
    [
        (BEFORE, Circumstances("other", 3, "MiniLM 1", nearest=True), "its catalogue is abc, here it is other"),
        (BEFORE, Circumstances("abc", 3, None, nearest=True), "its encoder is MiniLM 1, here it is None"),
        (figures(()), HERE, "other pastes"),
    ],
)
def test_other_circumstances_are_not_compared(
    accepted: Path, figures_now: object, circumstances: Circumstances, why: str
) -> None:
    """Another catalogue, encoder or set of pastes is told instead of a difference without meaning."""
    with pytest.raises(NotComparable, match=why):
        compare(accepted, figures_now, circumstances)  # type: ignore[arg-type]  # parametrize knows no types


@pytest.mark.parametrize("text", [None, "nonsense", "[]", "{}"])
def test_a_file_that_holds_no_figures_is_told(tmp_path: Path, text: str | None) -> None:
    """A missing or foreign file gives a sentence with the command that writes it."""
    path = tmp_path / "eval.json"
    if text is not None:
        path.write_text(text)

    with pytest.raises(NotComparable, match="--accept"):
        compare(path, BEFORE, HERE)


def test_the_document_is_whole() -> None:
    """Counts and shares, by kind and by record, and what was measured, are in the JSON object."""
    document = json.loads(json.dumps(as_json(BEFORE, HERE)))

    assert document["measured"]["catalogue"] == "abc"
    assert document["total"]["recall_at_1"] == 0.5
    assert document["total"]["silence"] == 1
    assert document["kinds"]["chat"]["recall_at_1"] is None
    assert document["records"]["mean_recall_at_1"] == 0.5
    assert document["records"]["by_id"]["r1"]["right_first"] == 1
