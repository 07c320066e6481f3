"""Figures, against ones counted by hand."""

import pytest

from bot.evaluation.metrics import Counts, count, figures
from bot.evaluation.runner import Expected
from tests.evaluation.judged_pastes import found, judged

RUN = (
    judged(found("r1"), ["r1"]),  # right
    judged(found("r9", "r1"), ["r1"]),  # wrong, right second
    judged(found("r1", shown=False), ["r1"], kind="drifted"),  # missed, right on request
    judged(found(), ["r2"], kind="drifted"),  # missed
    judged(found("r1"), kind="chat"),  # a false answer
    judged(found("r1", shown=False), kind="chat"),  # rightly silent, said on request
    judged(found(), kind="chat"),  # rightly silent
    judged(found("r1"), ["r7"], expected=Expected.OUT_OF_CATALOGUE),  # answered, nothing of it is known
)


def test_counts_are_those_of_a_hand() -> None:
    """Each paste counts once, for what it was expected to do."""
    assert count(RUN) == Counts(
        pastes=8,
        expected=4,
        right_first=1,
        right_on_request=2,
        right_within=3,
        wrong=1,
        answered=2,
        answered_on_request=3,
    )


def test_what_is_out_of_the_catalogue_is_apart() -> None:
    """The total leaves these pastes out, their kind keeps them."""
    counted = figures(RUN)

    assert counted.total.pastes == 7
    assert counted.out_of_catalogue == Counts(pastes=1, answered=1, answered_on_request=1)
    assert counted.kinds["exact"].pastes == 3
    assert counted.kinds["drifted"].recall_at_1 == 0
    assert counted.kinds["chat"].silence == pytest.approx(2 / 3)
    assert counted.kinds["chat"].recall_at_1 is None


def test_records_count_alike_however_many_pastes_they_have() -> None:
    """The mean is over records; a record that none of its pastes is answered with is named."""
    counted = figures(RUN)

    assert set(counted.records) == {"r1", "r2"}
    assert counted.records["r1"].recall_at_1 == pytest.approx(1 / 3)
    assert counted.mean_record_recall == pytest.approx(1 / 6)
    assert counted.never_found == ("r2",)


def test_no_pastes_give_no_shares() -> None:
    """Nothing divides by nothing."""
    counted = figures(())

    assert counted.total == Counts()
    assert counted.mean_record_recall is None
    assert counted.total.silence is None
