"""Weights set by hand: what is known before any paste was labelled. Tests of mechanics do not move with each fit."""

from collections.abc import Iterable

from bot.evaluation.fitting import NEAREST_BIAS, NEAREST_PRIOR, PATTERN_BIAS, PATTERN_PRIOR
from bot.matching.calibration import WORDS_ALONE, Calibration, Thresholds, Weights
from bot.matching.expressions import Expression, expressions_of
from bot.matching.facts import Facts
from bot.matching.literal_scanner import LiteralScanner
from bot.matching.pattern_files import keyed_expressions
from bot.matching.pattern_tier import Hit, confirm, scan
from bot.matching.reading import Reading, read
from bot.pastes.paste import Paste

THRESHOLDS = Thresholds(act=0.7, show=0.2)
PATTERN_WEIGHTS = Weights(PATTERN_BIAS, PATTERN_PRIOR)
NEAREST_WEIGHTS = Weights(NEAREST_BIAS, NEAREST_PRIOR)


def hand_calibration(*encoders: str) -> Calibration:
    """Weights for the pattern tier, for words alone and for these encoders."""
    keys = (WORDS_ALONE, *encoders)
    return Calibration(
        PATTERN_WEIGHTS, THRESHOLDS, dict.fromkeys(keys, NEAREST_WEIGHTS), dict.fromkeys(keys, THRESHOLDS)
    )


def scanner_of(facts: Iterable[Facts]) -> LiteralScanner:
    """The scanner that needs no compiled files."""
    return LiteralScanner([keyed for one in facts for keyed in keyed_expressions(one)])


def reading_of(text: str) -> Reading:
    return read(Paste.of_text(text))


def hits_in(text: str, *facts: Facts) -> list[Hit]:
    """What of these records matches in a text."""
    return confirm(scan(reading_of(text), [scanner_of(facts)]), {one.id: one for one in facts})


def expression_of(facts: Facts) -> Expression:
    """The first pattern of a record."""
    return expressions_of(facts)[0]
