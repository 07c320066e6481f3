"""What can be said of a hit in numbers: the same for ranking, for calibrating and for the reason given to people."""

import re
from collections.abc import Mapping
from math import log1p
from typing import NamedTuple

from bot.matching.evidence import Agreement, Evidence, agreement, class_name, says_what_failed
from bot.matching.pattern_tier import Hit, Place
from bot.matching.specificity import Specificity, letters_in, specificity
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
_CLASS_AT_HEAD = re.compile(r"([A-Z][\w$]*(?:Error|Exception|Failure|Warning))\b[^:]{0,60}:")
_WORDS = re.compile(r"(?<![\w$./\\-])[a-z]{2,}(?![\w$./\\(=-])", re.IGNORECASE)
_GOES_ON = re.compile(r"\s*\w|\s*['(\[]?\w{3,}\s\w")
_LONGEST_LINE = 4_000
# Values are names, paths and short sentences; without a label before it a longer one is somebody's prose.
_MOST_VALUE_WORDS, _MOST_VALUE_WORDS_UNLABELLED = 8, 2
_LABEL_LENGTH = 200
_LABEL_REACH = 400  # further to the left it is another sentence


class Surroundings(NamedTuple):
    """How a match sits in its line.

    `letters`: how many the match has; `starts`: whether the message begins where a line or a label ends; `ends`:
    whether nothing but punctuation or a cause follows; `coverage`: the share of the line's letters that the match
    explains, labels not counted;
    `prose_before`, `prose_after`: words of ordinary language around it; `label`: the name before the colon.
    """

    letters: int
    starts: bool
    ends: bool
    coverage: float
    prose_before: int
    prose_after: int
    label: str | None
    in_code: bool
    near_sign: bool
    wrapped: bool


class Features(NamedTuple):
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


class Examined(NamedTuple):
    """A hit at its best place, with everything known about it."""

    hit: Hit
    place: Place
    surroundings: Surroundings
    agreement: Agreement
    specificity: Specificity
    features: Features


class _Best(NamedTuple):
    """The place of a hit that speaks most plainly, and what can be said of it without the record."""

    place: Place
    surroundings: Surroundings
    specificity: Specificity


class Examiner:
    """Looks at the hits of one paste, at each place once: up to 230 records have one message and so the same places.

    The hits have to be kept as long as it is used.
    """

    def __init__(self, evidence: Evidence, signs: Mapping[int, ErrorSigns]) -> None:
        """signs: of each part of the paste, by its number."""
        self._evidence, self._signs = evidence, signs
        self._surroundings: dict[tuple[bool, int, View, int, int, int], Surroundings] = {}
        # By places and expression, which copies of a record share as objects, and by their class.
        self._best: dict[tuple[int, int, str | None], _Best] = {}
        self._features: dict[tuple[int, str | None, Agreement], Features] = {}

    def examine(self, hit: Hit) -> Examined:
        """Look at every place of a hit and keep the one that speaks most plainly, the first of equals."""
        own_class = class_name(hit.facts.error_class) if hit.facts.error_class else None
        key = (id(hit.places), id(hit.expression), own_class)
        best = self._best.get(key)
        if best is None:
            best = self._best[key] = self._look(hit, own_class)
        agrees = agreement(hit.facts, self._evidence)
        same = (id(best), own_class, agrees)
        features = self._features.get(same)
        if features is None:
            features = self._features[same] = _features(own_class, best.surroundings, agrees, best.specificity)
        return Examined(hit, best.place, best.surroundings, agrees, best.specificity, features)

    def _look(self, hit: Hit, own_class: str | None) -> _Best:
        around = [self._around(place, hit.expression.opens_with_hole) for place in hit.places]
        best = 0
        if len(around) > 1:
            best = max(range(len(around)), key=lambda number: _plainness(around[number], own_class))
        return _Best(hit.places[best], around[best], specificity(hit.expression))

    def _around(self, place: Place, opens_with_hole: bool) -> Surroundings:
        key = (opens_with_hole, place.part, place.view, id(place.line), place.start, place.end)
        found = self._surroundings.get(key)
        if found is None:
            signs = self._signs[place.part]
            found = self._surroundings[key] = surroundings(place, signs, opens_with_hole=opens_with_hole)
        return found


def surroundings(place: Place, signs: ErrorSigns, *, opens_with_hole: bool = False) -> Surroundings:
    """How the match sits in its line; a value before its first words belongs to it."""
    line = place.line
    text = line.cased
    body = line.body if line.body <= place.start else 0
    before = text[max(body, place.start - _LONGEST_LINE) : place.start]
    after = text[place.end : place.end + _LONGEST_LINE]
    value = _value_at_end(before) if opens_with_hole else ""
    before = before[: len(before) - len(value)]
    tail = before[-_LABEL_LENGTH:]
    label = _label_at_end(tail) if before else None
    labelled = before[: len(before) - len(tail) + label.start()] if label else before
    wrapped = place.view not in {View.LINES, View.UNESCAPED}
    letters = letters_in(text[place.start : place.end])
    matched = letters_in(value) + letters
    rest = letters_in(labelled) + letters_in(after)
    # Most messages stand alone on their line or behind a label, so that much of this has nothing to look at.
    return Surroundings(
        letters=letters,
        starts=_starts_behind(before[-80:]),
        ends=not after or after.startswith((":", " (", ".", ",", ";", "\n")) or not _GOES_ON.match(after),
        coverage=matched / max(1, matched + rest),
        prose_before=len(_WORDS.findall(labelled)) if labelled else 0,
        prose_after=len(_WORDS.findall(after)) if after else 0,
        label=class_name(label["class"]) if label else _line_label(text, place.start),
        in_code=signs.code_lines.issuperset(range(line.first, line.last + 1)),
        near_sign=signs.near(line.first, line.last) or (wrapped and sign_of(line) is not None),
        wrapped=wrapped,
    )


def _starts_behind(before: str) -> bool:
    """Whether _LABEL_END is found. A search tries every letter; most ends that are none can be told by their last."""
    bare = before.rstrip("'([{").rstrip()
    if not bare or bare[-1] in ":>|])=":
        return True
    if (bare[-1].isalnum() or bare[-1] == "_") and before[-1] != "'" and before[-2:-1] != "-":
        return False
    return _LABEL_END.search(before) is not None


def _label_at_end(before: str) -> re.Match[str] | None:
    """The label a message stands behind. A search goes over the whole text, and most end in no label."""
    label = None
    if before.rstrip("'([ \n").endswith(":"):
        label = _LAST_LABEL.search(before)
    if label is None and "(" in before[-4:]:
        label = _CALLED_LABEL.search(before)
    return label or (_PANIC_LABEL.search(before) if before.endswith("panicked at '") else None)


def _value_at_end(before: str) -> str:
    """What a placeholder at the very start of a message stands for: all behind a label, or the few first words."""
    label, colon, value = before.rpartition(": ")
    words = len(value.split())
    if label and colon:
        return value if words <= _MOST_VALUE_WORDS else ""
    return value if words <= _MOST_VALUE_WORDS_UNLABELLED else ""


def _line_label(text: str, start: int) -> str | None:
    """The class at the head of a line that explains more: `ValueError: in stage 2: the message`."""
    head = text[max(0, start - _LABEL_REACH) : start]
    found = _CLASS_AT_HEAD.search(head) if ":" in head else None
    return found[1].lower() if found else None


def _plainness(around: Surroundings, own_class: str | None) -> tuple[float, ...]:
    """The larger, the more plainly a place speaks for a record of this class."""
    said = around.starts + around.ends + around.coverage + around.near_sign - _prose(around)
    return -float(around.in_code), _class_before(around, own_class), said


def _features(own_class: str | None, around: Surroundings, agrees: Agreement, says: Specificity) -> Features:
    telling = _is_telling(own_class)
    names_class = around.label is not None and around.label.endswith(("error", "exception", "failure", "warning"))
    return Features(
        letters=log1p(says.letters) - 2.5,
        weight=log1p(says.weight) - 2.0,
        starts=float(around.starts),
        ends=float(around.ends),
        coverage=around.coverage,
        prose=_prose(around),
        in_code=float(around.in_code),
        near_sign=float(around.near_sign),
        wrapped=float(around.wrapped),
        class_before=_class_before(around, own_class),
        other_class_before=float(names_class and telling and around.label != own_class),
        class_seen=float(agrees.class_seen and telling),
        code_seen=float(agrees.code_seen),
        status_seen=float(agrees.status_seen),
        path=min(agrees.path, 4) / 2,
        line=float(agrees.line and agrees.path > 0),
        package=agrees.package,
        same_ecosystem=float(agrees.ecosystem > 0),
        other_ecosystem=float(agrees.ecosystem < 0),
        hole_share=1.0 - min(1.0, says.letters / max(1, around.letters)),
    )


def _prose(around: Surroundings) -> float:
    """Words before a label are what wraps the error, in the program's own voice, and do not count."""
    return (0.0 if around.starts else min(around.prose_before, 6) / 6) + min(around.prose_after, 6) / 12


def _class_before(around: Surroundings, own_class: str | None) -> float:
    if own_class is None or around.label != own_class:
        return 0.0
    return 1.0 if _is_telling(own_class) else 0.5


def _is_telling(own_class: str | None) -> bool:
    return own_class is not None and says_what_failed(own_class)
