"""What can be said of a hit in numbers: the same for ranking, for calibrating and for the reason given to people."""

import re
from dataclasses import dataclass, fields
from math import log1p

from bot.matching.evidence import Agreement, Evidence, agreement, class_name, says_what_failed
from bot.matching.pattern_tier import Hit, Place
from bot.matching.specificity import Specificity, specificity
from bot.pastes.error_signs import ErrorSigns, sign_of
from bot.pastes.normalise import View

# What may stand directly before a message: nothing, a label with a colon, an opening quote or bracket behind it, the
# head of a panic as Rust printed it before 1.73, the name of an error whose value is printed, a logger and a dash.
_LABEL_END = re.compile(
    r"(?:[:>|\])=]|->)\s*['(\[{]*$|^\W*$|\bpanicked at '$|\b[A-Z]\w*\('$"
    r"|(?:^[\w$-]+|[\w$]+(?:\.[\w$]+)+|\])\s-\s$"
)
_LAST_LABEL = re.compile(r"(?P<class>[\w$.:\\/]*[\w$])(?:\s?\[[^\]]{1,60}\]|\s\([^)]{1,40}\))?:\s*['(\[]*$")
_CALLED_LABEL = re.compile(r"(?P<class>[\w$.:]*[\w$])\(\s*'?$")
_PANIC_LABEL = re.compile(r"(?P<class>thread '[^']{0,80}') (?:\(\d+\) )?panicked at '$")
_WORDS = re.compile(r"(?<![\w$./\\-])[a-z]{2,}(?![\w$./\\(=-])", re.IGNORECASE)
_LONGEST_LINE = 4_000
# Values are names, paths and short sentences; without a label before it a longer one is somebody's prose.
_MOST_VALUE_WORDS, _MOST_VALUE_WORDS_UNLABELLED = 8, 2
_LABEL_REACH = 400  # further to the left it is another sentence


@dataclass(frozen=True, slots=True)
class Surroundings:
    """How a match sits in its line.

    `starts`: whether the message begins where a line or a label ends; `ends`: whether nothing but punctuation or a
    cause follows; `coverage`: the share of the line's letters that the match explains, labels not counted;
    `prose_before`, `prose_after`: words of ordinary language around it; `label`: the name before the colon.
    """

    starts: bool
    ends: bool
    coverage: float
    prose_before: int
    prose_after: int
    label: str | None
    in_code: bool
    near_sign: bool
    wrapped: bool


@dataclass(frozen=True, slots=True)
class Features:
    """The numbers of one hit, each between about -1 and 4; their weights are in calibration.json."""

    letters: float
    weight: float
    starts: float
    ends: float
    coverage: float
    prose: float
    in_code: float
    near_sign: float
    wrapped: float
    class_before: float
    other_class_before: float
    class_seen: float
    code_seen: float
    status_seen: float
    path: float
    line: float
    package: float
    same_ecosystem: float
    other_ecosystem: float
    hole_share: float

    def vector(self) -> list[float]:
        return [getattr(self, field.name) for field in fields(self)]


@dataclass(frozen=True, slots=True)
class Examined:
    """A hit at its best place, with everything known about it."""

    hit: Hit
    place: Place
    surroundings: Surroundings
    agreement: Agreement
    specificity: Specificity
    features: Features


def examine(hit: Hit, evidence: Evidence, signs: dict[int, ErrorSigns]) -> Examined:
    """Look at every place of a hit and keep the one that speaks most plainly."""
    agrees = agreement(hit.facts, evidence)
    says = specificity(hit.expression)
    best: Examined | None = None
    best_rank: tuple[float, ...] = ()
    for place in hit.places:
        around = surroundings(place, signs[place.part], opens_with_hole=hit.expression.opens_with_hole)
        features = _features(hit, place, around, agrees, says)
        rank = (
            -float(around.in_code),
            features.class_before,
            features.starts + features.ends + features.coverage + features.near_sign - features.prose,
        )
        if best is None or rank > best_rank:
            best, best_rank = Examined(hit, place, around, agrees, says, features), rank
    if best is None:
        raise ValueError("a hit has at least one place")
    return best


def surroundings(place: Place, signs: ErrorSigns, *, opens_with_hole: bool = False) -> Surroundings:
    """How the match sits in its line; a value before its first words belongs to it."""
    line = place.line
    text = line.cased
    body = line.body if line.body <= place.start else 0
    before = text[max(body, place.start - _LONGEST_LINE) : place.start]
    after = text[place.end : place.end + _LONGEST_LINE]
    value = _value_at_end(before) if opens_with_hole else ""
    before = before[: len(before) - len(value)]
    tail = before[-200:]
    label = _LAST_LABEL.search(tail) or _CALLED_LABEL.search(tail) or _PANIC_LABEL.search(tail)
    labelled = before[: len(before) - len(tail) + label.start()] if label else before
    wrapped = place.view not in {View.LINES, View.UNESCAPED}
    matched = _letters(value) + _letters(text[place.start : place.end])
    rest = _letters(labelled) + _letters(after)
    return Surroundings(
        starts=bool(_LABEL_END.search(before[-80:])),
        ends=not re.match(r"\s*\w|\s*['(\[]?\w{3,}\s\w", after) or after.startswith((":", " (", ".", ",", ";", "\n")),
        coverage=matched / max(1, matched + rest),
        prose_before=len(_WORDS.findall(labelled)),
        prose_after=len(_WORDS.findall(after)),
        label=class_name(label["class"]) if label else _line_label(text, place.start),
        in_code=all(number in signs.code_lines for number in range(line.first, line.last + 1)),
        near_sign=signs.near(line.first, line.last) or (wrapped and sign_of(line) is not None),
        wrapped=wrapped,
    )


def _value_at_end(before: str) -> str:
    """What a placeholder at the very start of a message stands for: all behind a label, or the few first words."""
    label, colon, value = before.rpartition(": ")
    words = len(value.split())
    if label and colon:
        return value if words <= _MOST_VALUE_WORDS else ""
    return value if words <= _MOST_VALUE_WORDS_UNLABELLED else ""


def _line_label(text: str, start: int) -> str | None:
    """The class at the head of a line that explains more: `ValueError: in stage 2: the message`."""
    found = re.search(
        r"([A-Z][\w$]*(?:Error|Exception|Failure|Warning))\b[^:]{0,60}:", text[max(0, start - _LABEL_REACH) : start]
    )
    return found[1].lower() if found else None


def _features(hit: Hit, place: Place, around: Surroundings, agrees: Agreement, says: Specificity) -> Features:
    own_class = class_name(hit.facts.error_class) if hit.facts.error_class else None
    generic = own_class is None or not says_what_failed(own_class)
    names_class = around.label is not None and around.label.endswith(("error", "exception", "failure", "warning"))
    matched = max(1, _letters(place.line.cased[place.start : place.end]))
    return Features(
        letters=log1p(says.letters) - 2.5,
        weight=log1p(says.weight) - 2.0,
        starts=float(around.starts),
        ends=float(around.ends),
        coverage=around.coverage,
        # Words before a label are what wraps the error, in the program's own voice.
        prose=(0.0 if around.starts else min(around.prose_before, 6) / 6) + min(around.prose_after, 6) / 12,
        in_code=float(around.in_code),
        near_sign=float(around.near_sign),
        wrapped=float(around.wrapped),
        class_before=float(own_class is not None and around.label == own_class) * (0.5 if generic else 1.0),
        other_class_before=float(names_class and not generic and around.label != own_class),
        class_seen=float(agrees.class_seen and not generic),
        code_seen=float(agrees.code_seen),
        status_seen=float(agrees.status_seen),
        path=min(agrees.path, 4) / 2,
        line=float(agrees.line and agrees.path > 0),
        package=agrees.package,
        same_ecosystem=float(agrees.ecosystem > 0),
        other_ecosystem=float(agrees.ecosystem < 0),
        hole_share=1.0 - min(1.0, says.letters / matched),
    )


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))
