"""Judged pastes, short enough to be read."""

from collections.abc import Sequence

from bot.evaluation.labelled import LabelledPaste
from bot.evaluation.runner import Expected, Judged
from bot.matching.verdict import Match, Tier, Verdict


def found(*record_ids: str, shown: bool = True, tier: Tier = Tier.PATTERN) -> Verdict:
    """A verdict with these records, best first."""
    matches = tuple(Match(record_id, tier, 0.9, ()) for record_id in record_ids)
    return Verdict(matches, (), is_error=True, why_error="", shown=shown)


def judged(
    verdict: Verdict,
    gold: Sequence[str] = (),
    *,
    acceptable: Sequence[str] = (),
    kind: str = "exact",
    expected: Expected | None = None,
) -> Judged:
    """A paste that was answered with the verdict; without gold, silence is expected."""
    paste = LabelledPaste("p", "text", kind, tuple(gold), tuple(acceptable))
    return Judged(paste, verdict, expected or (Expected.ANSWER if gold else Expected.SILENCE))
