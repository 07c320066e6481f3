"""A record's patterns in the form the engines take: normalised like the paste, and in linear time.

Upstream derives its patterns from the message: literal text with `(.+?)` for each placeholder. Such a pattern is taken
apart and put together again from its normalised literals, with holes that may also be empty, since programs print empty
values. A regex somebody wrote by hand is left as it is and matched without regard to case.
"""

import functools
import re
from dataclasses import dataclass, field

import re2

from bot.matching.facts import Facts
from bot.matching.literal_search import Hole, Step
from bot.pastes.normalise import fold, normalise_line
from bot.records.template import Literal, parse_template

# One private-use character stands for a placeholder while literals are normalised; no normalisation touches it.
_HOLE = "\ue000"
_HOLES = re.compile(f"{_HOLE}(?:\\s*{_HOLE})+")
_SIMPLE_TOKEN = re.compile(r"\\(?P<escaped>[^\w\s])|(?P<hole>\(\.[+*]\??\))|(?P<plain>[^\\\[\](){}.*+?^$|])")


@dataclass(frozen=True, slots=True)
class Expression:
    """One pattern, ready for the engines.

    `regex` is in RE2 syntax, over folded text, without flags; its groups are the holes that can be captured.
    `literals` are the fixed parts in order, empty for a regex written by hand. `multiline` tells that a line end stands
    in it. `hole_names` names the groups, as far as the message tells. `opens_with_hole`: a value stands before the
    first literal, and where it begins, the regex does not say. `steps` say the same as the regex where it is literals
    with values in one line, else there are none.
    """

    regex: str
    literals: tuple[str, ...]
    multiline: bool
    hole_names: tuple[str, ...]
    opens_with_hole: bool = False
    steps: tuple[Step, ...] = field(default=(), compare=False)

    @property
    def simple(self) -> bool:
        """Whether it is literals with holes, nothing else."""
        return bool(self.literals)

    @property
    def literal_text(self) -> str:
        """The fixed words, with a space for every hole."""
        return " ".join(self.literals)

    @property
    def scan_regex(self) -> str:
        """The same without captures and without holes at its ends: what a multi-pattern engine has to find."""
        if not self.simple:
            return self.regex
        # Where a line end stands beside a hole, it may stand at either side of the value or be missing with it.
        hole = ".*\\n?.*" if self.multiline else ".*"
        return hole.join(map(_escape, self.literals))

    @property
    def telling_regex(self) -> str | None:
        """Its longest literal, without which no line matches; None where that says little or lines do not decide."""
        longest = max(self.literals, key=len, default="")
        return _escape(longest) if len(longest) >= _TELLING_LENGTH and not self.multiline else None


_TELLING_LENGTH = 12  # "not found", "required", "is invalid" stand in every other log
# The search calls itself for each; no message has half as many values.
_MOST_STEPS = 100


def expressions_of(facts: Facts) -> tuple[Expression, ...]:
    """The record's patterns, the more general last; equal ones once. Those of copied records are the same objects.

    The message is read as a template too: upstream leaves some placeholders (`%q`, `$name`) in its pattern as they are.
    """
    return _expressions(facts.message, facts.pattern)


@functools.lru_cache(maxsize=4096)
def _expressions(message: str, pattern: str) -> tuple[Expression, ...]:
    of_message, names = _template_of_message(message)
    of_pattern = _template_of_pattern(pattern)
    if of_pattern is None and pattern:
        return (Expression(f"(?i){pattern}", (), "\\n" in pattern or "\n" in pattern, names),)
    found: dict[str, Expression] = {}
    for template in dict.fromkeys((of_pattern, of_message)):
        expression = _from_template(template, names) if template else None
        if expression is not None:
            found.setdefault(expression.regex, expression)
    return tuple(found.values())


def related_expressions(facts: Facts) -> tuple[Expression, ...]:
    """Patterns of the errors its page lists as related."""
    return _related(facts.related) if facts.related else ()


@functools.lru_cache(maxsize=1024)
def _related(messages: tuple[str, ...]) -> tuple[Expression, ...]:
    made = (_from_template(*_template_of_message(message)) for message in messages)
    return tuple(expression for expression in made if expression is not None)


@functools.lru_cache(maxsize=4096)
def compiled(regex: str) -> "re2._Regexp | None":
    """The regex in the linear-time engine, or None where the engine refuses it."""
    try:
        return re2.compile(regex, _quiet())
    except re2.error:
        return None


def refusal(regex: str) -> str | None:
    """Why the linear-time engine refuses a regex, or None when it takes it."""
    try:
        re2.compile(regex, _quiet())
    except re2.error as why:
        return why.args[0].decode(errors="replace") if isinstance(why.args[0], bytes) else str(why)
    return None


def _quiet() -> "re2.Options":
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 4 << 20  # a pattern that needs more is too large to be a message
    return options


def _template_of_message(message: str) -> tuple[str, tuple[str, ...]]:
    """Its literals and holes, and the names of the holes."""
    pieces = parse_template(message)
    template = "".join(piece.text.replace(_HOLE, "") if isinstance(piece, Literal) else _HOLE for piece in pieces)
    return template, tuple(piece.name or piece.source for piece in pieces if not isinstance(piece, Literal))


def _template_of_pattern(pattern: str) -> str | None:
    """The literals and holes of a derived pattern; None when it is more than that."""
    template: list[str] = []
    position = 0
    while position < len(pattern):
        token = _SIMPLE_TOKEN.match(pattern, position)
        if token is None:
            return None
        position = token.end()
        template.append(_HOLE if token["hole"] else token["escaped"] or token["plain"])
    return "".join(template)


def _from_template(template: str, names: tuple[str, ...]) -> Expression | None:
    lines = [line for text in template.splitlines() if (line := fold(normalise_line(text)))]
    joined = _HOLES.sub(_HOLE, "\n".join(lines))
    pieces = joined.split(_HOLE)
    literals = tuple(literal for piece in pieces if (literal := piece.strip()))
    if not literals:
        return None
    merged = _HOLE * 2 in template.replace(" ", "")
    multiline = any("\n" in literal for literal in literals) or len(lines) > 1
    return Expression(
        regex=_capturing_regex(pieces),
        literals=literals,
        multiline=multiline,
        hole_names=() if merged else names[1:] if not pieces[0].strip() else names,
        opens_with_hole=not pieces[0].strip() and len(pieces) > 1,
        steps=() if multiline or len(pieces) > _MOST_STEPS else _steps(pieces),
    )


def _capturing_regex(pieces: list[str]) -> str:
    """Literals and captured holes. A hole between two spaces, or line ends, may be empty with only one of them left."""
    parts: list[str] = []
    for number, piece in enumerate(pieces):
        first, last = number == 0, number == len(pieces) - 1
        if first and not piece.strip():
            continue  # where a value at the very start begins, nobody can say
        text = piece if parts else piece.lstrip()
        opens = not last and text.endswith((" ", "\n"))
        parts.append(_escape(text[:-1] if opens else text))
        if last:
            break
        following = pieces[number + 1]
        at_end = number + 1 == len(pieces) - 1 and not following.strip()
        hole = "(.*)" if at_end else "(.*?)"
        space = _escape(text[-1]) if opens else ""
        optional = opens and (at_end or following.startswith((" ", "\n")))
        parts.append(f"(?:{space}{hole})?" if optional else f"{space}{hole}")
        if at_end:
            break
    return "".join(parts)


def _steps(pieces: list[str]) -> tuple[Step, ...]:
    """The same as `_capturing_regex` of pieces in one line."""
    steps: list[Step] = []
    for number, piece in enumerate(pieces):
        if number == 0 and not piece.strip():
            continue
        text = piece if steps else piece.lstrip()
        behind = pieces[number + 1 :]
        if not behind:
            steps.append(Step(text, Hole.NOTHING))
        elif len(behind) == 1 and not behind[0].strip():
            spaced = text.endswith(" ")
            steps.append(Step(text[:-1], Hole.REST_OR_NOTHING) if spaced else Step(text, Hole.REST))
            break
        elif text.endswith(" ") and behind[0].startswith(" "):
            steps.append(Step(text[:-1], Hole.VALUE_OR_NOTHING))
        else:
            steps.append(Step(text, Hole.VALUE))
    return tuple(steps)


def _escape(text: str) -> str:
    """Literal text for every engine: anything but letters, digits and spaces as its bytes.

    A line end also matches a space, since an unwrapped paste has none.
    """
    return "".join(
        letter
        if letter == " " or (letter.isascii() and letter.isalnum())
        else "[\\n ]"
        if letter == "\n"
        else f"\\{letter}"
        if letter.isascii()
        else letter
        for letter in text
    )
