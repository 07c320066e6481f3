"""Which pieces of a message template are filled in when the program runs, in any language.

`{}` `{name!r:>8}` (Rust, Python, .NET, Java), `${expr}` (JavaScript, Kotlin, Scala, PHP), `#{expr}` (Ruby, Elixir),
`%s` and its relatives (C, Go, Python, Java, PHP), `$name` (PHP, Kotlin, Scala, shells).

Where a piece can be read both ways, it is taken for a placeholder unless people plainly write it in prose: a
placeholder also matches its own text, whereas text taken literally by mistake never matches what a program prints.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A part that is filled in.

    `source` is the whole piece as the template writes it, `{err:?}`; `name` is what it names, `err`, empty when nothing
    is named.
    """

    source: str
    name: str


def placeholder_at(message: str, start: int) -> Placeholder | None:
    """The placeholder that begins at this character, or None where the character stands for itself."""
    match message[start]:
        case "%":
            return verb_at(message, start)
        case "$":
            return _interpolation(message, start) or _variable(message, start)
        case "#":
            return _interpolation(message, start)
        case "{":
            return _field(message, start)
        case _:
            return None


# --- printf ---------------------------------------------------------------------------------------------------------

_VERB = re.compile(
    r"""
    %
    (?: \((?P<key>[^()\s%]{1,80})\) | <(?P<angled>\w{1,80})> )?    # %(name)s in Python, %<name>s in Ruby
    (?: \d{1,2}\$ | \[\d{1,2}\] )?                                 # %1$s in Java and PHP, %[1]d in Go
    [-+\#0,(']{0,5} (?P<space>\ ?)
    (?:\d{1,4}|\*)? (?:\.(?:\d{1,4}|\*)?)?
    (?:\[\d{1,2}\])?
    (?: (?:hh|ll|h|l|j|t|z|L|q|I64|I32)(?=[diouxXcsnfFeEgG]) )?
    (?P<verb> t[YFTHMSBbdemyRDrc](?!\w) | [a-zA-Z@] )              # %tF is a date in Java
    """,
    re.VERBOSE,
)
_NAMED_BRACES = re.compile(r"%\{([A-Za-z_]\w{0,80})\}")

# Units and words follow these at once: `%dms`, `%sfile`.
_JOINED_VERBS = frozenset("sdvqfx")
# These too, but a whole word behind the sign is a directive: `%include`, `%global`, `%using`.
_SOMETIMES_JOINED_VERBS = frozenset("gui")
# The rest, many of them of one language only (CPython's `%R`, Go's `%T`, JavaScript's `%j`), ends a word.
_OTHER_VERBS = frozenset("aAbBcEeGhHjkmNOoprRStTUVwX@")

_WORD = re.compile(r"%[a-z]{4,}\b")
_ENVIRONMENT_NAME = re.compile(r"%[A-Za-z_]{4,}%(?![A-Za-z0-9])")
_PERCENT_ENCODED = re.compile(r"%[0-9][A-F](?![a-z])")
_DATE_FORMAT = re.compile(r"%Y|%H:?%M|%y[-/.]|%d[-/.]%[mb]|%m[-/.]%d")
_LONGEST_DATE_FORMAT = 40


def verb_at(message: str, start: int) -> Placeholder | None:
    """The printf verb that begins at this percent sign, or None in "100% sure", "%2F", "%SystemRoot%"."""
    if message.startswith("%{", start):
        named = _NAMED_BRACES.match(message, start)
        # "{percent}%{name}": the sign belongs to the number before it; "type %{0}" is Rust.
        return Placeholder(named[0], named[1]) if named and not _is_after_number(message, start) else None
    verb = _VERB.match(message, start)
    if verb is None:
        return None
    key = verb["key"] or verb["angled"]
    if key is None and not _is_plain_verb(message, verb):
        return None
    return Placeholder(verb[0], key or "")


def _is_plain_verb(message: str, verb: re.Match[str]) -> bool:
    start, end, letter = verb.start(), verb.end(), verb["verb"][0]
    following = message[end : end + 1]
    ends_word = not (following.isalnum() or following == "_")
    after_digit = start > 0 and message[start - 1].isdigit()
    if verb["space"] and (_is_after_number(message, start) or not ends_word or letter not in "dixf"):
        return False  # "100% sure", "50 % is enough"
    if _PERCENT_ENCODED.match(message, start) or _ENVIRONMENT_NAME.match(message, start):
        return False
    if _stands_in_date_format(message, start):
        return False
    if ends_word:
        return letter in _JOINED_VERBS | _SOMETIMES_JOINED_VERBS or (letter in _OTHER_VERBS and not after_digit)
    if after_digit:
        return False  # "100%sure"
    return letter in _JOINED_VERBS or (letter in _SOMETIMES_JOINED_VERBS and not _WORD.match(message, start))


def _is_after_number(message: str, start: int) -> bool:
    return bool(re.search(r"[\d}] ?$", message[max(0, start - 2) : start]))


def _stands_in_date_format(message: str, start: int) -> bool:
    """Whether this sign is part of something like `%Y-%m-%d`, which a program prints as it is."""
    before = message[max(0, start - _LONGEST_DATE_FORMAT) : start]
    behind = message[start : start + _LONGEST_DATE_FORMAT]
    word = before[len(before.rstrip("%YymdHMSfzZbBj-/.:T")) :] + behind.split(maxsplit=1)[0]
    return _DATE_FORMAT.search(word) is not None


# --- ${expr}, #{expr}, $name ----------------------------------------------------------------------------------------

_LONGEST_INTERPOLATION = 1_000
_CUT_INTERPOLATION = re.compile(r"[$#]\{\s{0,80}[\w$@(\[.!].*", re.DOTALL)


def _interpolation(message: str, start: int) -> Placeholder | None:
    if not message.startswith("{", start + 1):
        return None
    close = _closing_brace(message, start + 1, _LONGEST_INTERPOLATION)
    if close is not None:
        return Placeholder(message[start : close + 1], expression_name(message[start + 2 : close]))
    # Cut off by whoever collected the message, mostly at a quote inside: no program prints what is left of it.
    cut = _CUT_INTERPOLATION.match(message, start)
    return Placeholder(cut[0], expression_name(cut[0][2:])) if cut else None


# PHP fills in one step behind the name as well; where the language does not, the value swallows the step.
_VARIABLE = re.compile(r"\$([A-Za-z_]\w{0,80})((?:->[A-Za-z_]\w{0,80}|\[(?:\w{1,40}|'[^'\n]{1,40}')\])?)")


def _variable(message: str, start: int) -> Placeholder | None:
    variable = _VARIABLE.match(message, start)
    if variable is None:
        return None
    name, before = variable[1], message[max(0, start - 1) : start]
    if before == "$" or (len(name) > 1 and name.upper() == name):
        return None  # "$$KEEP"; "$PATH" is what the message talks about
    if name[0].isupper() and before.isalnum():
        return None  # "Outer$Inner" is a class
    return Placeholder(variable[0], name + variable[2])


# --- {field} --------------------------------------------------------------------------------------------------------

_LONGEST_FIELD = 300
_DEEPEST_FIELD = 8
_BRACES_AND_QUOTES = re.compile(r"[{}'\"\\]")

# Nearly all fields are one of these, and need no closer look.
_SIMPLE_FIELD = re.compile(r"\{[@$]?[A-Za-z_][\w.]*(?:\(\))?(?:![rsa])?\}|\{\d*(?:![rsa])?\}|\{\d*:[^\s{}'\"]{0,20}\}")

_STRING = r"""(?:"[^"]*"|'[^']*')"""
_NOT_FIELDS = re.compile(
    rf"""
      \.\.\. | …                                                           # {{...}}
    | (?: {_STRING} | `[^`]*` )\s*                                         # {{'text'}}
    | {_STRING}\s*: .*                                                     # JSON
    | [\w$-]+\s*:\s+ (?! [<>=^+\-\#0-9.\ ]* [a-zA-Z?%]? $ ) .*             # an object; but {{x: >8}} has a format
    | [\w.-]+\s*=\s*["'%\w{{] .*                                           # {{name=%s, size=%d}}
    | [A-Za-z_][\w.-]* (?: \s*,\s*[A-Za-z_.][\w.-]* )+ \s*                 # --entity-{{type,name}}
    """,
    re.VERBOSE | re.DOTALL,
)
_QUANTIFIER = re.compile(r"\d+,\d*|,\d+")
_NESTED_FORMAT = re.compile(r"[\w.\[\]()]*(?:![rsa])?:[^\s{}]*\{[\w.$*]*\}[^\s{}]*")
_NESTED_VALUE = re.compile(r"[^{]*(?:[(\[]|\?\?)")


def _field(message: str, start: int) -> Placeholder | None:
    if simple := _SIMPLE_FIELD.match(message, start):
        return Placeholder(simple[0], expression_name(simple[0][1:-1]))
    close = _closing_brace(message, start, _LONGEST_FIELD)
    if close is None:
        return None
    content = message[start + 1 : close]
    if not _is_filled_in(content, message[max(0, start - 1) : start]):
        return None
    return Placeholder(message[start : close + 1], expression_name(content))


def _is_filled_in(content: str, before: str) -> bool:
    """Whether braces around this content are a field, and not an object, a set, a quoted brace or a block of code."""
    first = content[:1]
    if not first or first.isspace() or first in ",;|)]{" or "\n" in content:
        return False  # "{ or }", "{, }", "{ foo: bar }"; of "{{a}, {b}}" the inner ones may be
    if first == before == content[-1:] and first in "'\"`":
        return False  # expected '{' but found '}'
    if before in ("]", ")") and _QUANTIFIER.fullmatch(content):
        return False  # [A-Z]{1,126}
    if _NOT_FIELDS.fullmatch(content) and "==" not in content and "=>" not in content:
        return False
    if "{" not in content:
        return True
    return _NESTED_FORMAT.fullmatch(content) is not None or _NESTED_VALUE.match(content) is not None


def _closing_brace(message: str, opening: int, longest: int) -> int | None:
    """Where the brace opened here closes; quotes inside count as such when that makes the better reading."""
    quoted = _find_close(message, opening, longest, respect_quotes=True)
    plain = _find_close(message, opening, longest, respect_quotes=False)
    if quoted is None or plain is None:
        return plain if quoted is None else quoted
    inside = message[opening + 1 : plain]
    # A brace inside a quote or a call does not close; elsewhere an apostrophe must not keep the brace open.
    is_cut = inside.count("(") != inside.count(")") or inside.count('"') % 2 or inside.count("'") % 2
    return quoted if is_cut else plain


def _find_close(message: str, opening: int, longest: int, *, respect_quotes: bool) -> int | None:
    depth, quote, escaped = 0, "", -1
    for token in _BRACES_AND_QUOTES.finditer(message, opening, opening + longest):
        character, position = token[0], token.start()
        if position == escaped:
            continue
        if character == "\\":
            escaped = position + 1
        elif quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character if respect_quotes else ""
        elif character == "{":
            depth += 1
            if depth > _DEEPEST_FIELD:
                return None
        else:
            depth -= 1
            if depth == 0:
                return position
    return None


_CONVERSION = re.compile(r"(?:![rsa])?(?::[^:'\"()\[\]]*)?$")
_ALIGNMENT = re.compile(r"(@?\w+),.*")


def expression_name(expression: str) -> str:
    """The expression without its format: `err` of `err:?`, `value` of `value!r:>8`, `0` of `0,-10:N2`."""
    stripped = expression.strip()
    if aligned := _ALIGNMENT.fullmatch(stripped):
        return aligned[1]
    return stripped if " ? " in stripped else _CONVERSION.sub("", stripped, count=1).rstrip("=").strip()
