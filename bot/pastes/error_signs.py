"""Is this something that went wrong, or people talking? Decided line by line, with the reason.

A sentence about an error, a quoted line, source code with `raise` in it and release notes are no pastes of an error
(A1, A4); a traceback, a panic, a labelled message or a log line at level ERROR is one. Lines come normalised, so every
quote is a plain one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import re2

from bot.pastes.normalise import Line


def _linear(pattern: str) -> "re2._Regexp":
    """A pattern whose white space is layout, in the engine that no text can stall (E3)."""
    return re2.compile(re.sub(r"(?<!\\)\s+", "", pattern).replace("\\ ", " "))


_HEADER = _linear(
    r"""Traceback\ \(most\ recent\ call\ last\) | thread\ '[^'\n]{0,80}'\ (?:\(\d+\)\ )?panicked\ at |
    Exception\ in\ thread\ ' | ^goroutine\ \d+\ \[ | ^panic:\ | PHP\ (?:Fatal|Parse)\ error | ^npm\ (?:ERR!|error) |
    Unhandled\ ?(?:promise\ ?)?(?:rejection|exception)\w*: | ^Uncaught\ (?:\(in\ promise\)|\w+:|\w*Error) |
    ^\*\*\ \(\w[\w.]*\) | APPLICATION\ FAILED\ TO\ START | ^Caused\ by: | ^Segmentation\ fault | AddressSanitizer:""",
)
# A name as programs qualify it: `requests.exceptions.MissingSchema`, `Illuminate\Contracts\NotFound`, `anyhow::Error`.
_QUALIFIED = r"[A-Za-z_$][\w$]*(?:(?:\.|::|\\)[\w$]+)*(?:\.|::|\\)[A-Z][\w$]*"
_NAMED = r"(?:[A-Za-z_$][\w$]*(?:\.|::|\\|/))*[\w$]*[A-Za-z](?:Error|Exception|Failure|Fault|Panic|Warning|Interrupt)"
_LABEL = _linear(
    rf"""^(?:Unhandled\s\w+:?\s|Uncaught\s(?:\(in\spromise\)\s)?|Caused\sby:?\s|[│!×x✘✖•*]\s|\(node:\d+\)\s|\[[^\]\n]{{1,60}}\]:?\s)*
    (?:
      {_NAMED}(?:\s?\[[\w.:-]+\]|\s\([^)\n]{{1,40}}\))?(?::\s|:$|$|\()
      | [\w.\\:]*{_QUALIFIED}:\s
      | (?i:error|fatal(?:\serror)?|failure|panic|critical)
        (?:\s?\[[\w.:-]+\]|\s[A-Z]{{0,8}}-?\d{{2,6}}|\s\([^)\n]{{1,40}}\))?\s?(?::\s?\S|!\s|\s-\s\S)
      | Error(?:$|\s[^?\n]{{1,120}}:\s\S)
    )""",
)
_INLINE_LABEL = _linear(rf"(?:[:\s'(]|^){_NAMED}(?:\s?\[[\w.:-]+\])?:\s\S|\b(?:ERROR|Error|FATAL|FAILED):\s\S")
_LEVEL = _linear(
    r"""\d\d:\d\d\D.{0,60}?\b(?:ERROR|FATAL|CRITICAL|SEVERE|EMERGENCY|PANIC|ERR)\b |
    ^(?:ERROR|FATAL|CRITICAL|SEVERE)[\s/:\]] |
    \blevel=(?:error|fatal|panic|crit\w*)\b | \[[\w\s./:-]{0,30}/?(?:ERROR|FATAL|SEVERE|CRITICAL)\] |
    '(?:level|severity|levelname|lvl)'\s?:\s?'?(?:error|ERROR|fatal|FATAL|critical|CRITICAL|50|60)\b |
    ^[EF]/\w+ | \[(?:error|crit|fatal)\] | \b(?:SEVERE|EMERGENCY|CRITICAL):\s""",
)
_BUILD = _linear(
    r"""^error\[E\d+\] | \berror\s(?:TS|CS|MSB|NU|C|LNK)\d+ | ^\S+:\d+:(?:\d+:)?\s(?:fatal\s)?error: | ^ERROR\sin\s |
    ^E\s\S+(?:Error|Exception)\b | \[?\bERR_[A-Z_]{4,} | \bexit(?:ed)?\s(?:with\s)?(?:code|status)\s[1-9] |
    ^FAILED\s\S+:: | \bfailed:\s\S | ^Failed\sto\s\w+ | \bSQLSTATE\[ | ^ORA-\d{5} | ^[Ee]:\s\S | ^\S+:\d+:\d+:\s\S |
    ^Could\snot\s\w+\s' | ^make(?:\[\d+\])?:\s\*\*\*\s | :\scommand\snot\sfound$""",
)
_FRAME = _linear(
    r"""^at\s(?:async\s)?\S.*[:(]\S*\d+\)?$ | ^File\s'[^']+',\sline\s\d+ | ^\#\d+\s\S+ | ^\d+:\s(?:0x)?[\w:<>]+::\w |
    ^at\s[\w.$/<>`]+\( | ^\.\.\.\s\d+\s(?:more|common)""",
)
_CODE = _linear(
    r"""\braise\s+\w+[(.] | \bthrow\s+(?:new\s|\w+\() | \bthrow\s\w+; | \bpanic!?\('? | \.expect\(' |
    \bassert(?:_\w+|\w*)?!?\( | ^assert\s.*(?:[=!<>]=|\sin\s|\sis\s|,\s') |
    \b(?:console|log|logger|logging|slog|fmt|errors)\.\w+!?\( | \b(?:print|e?print(?:ln|f)|printf)!?\( |
    ^(?:pub\s|async\s|export\s|default\s)*(?:def|fn|func|class|function|public|private|protected|static|const|let|var|
    import|from|package|return|if|else|elif|for|while|try|catch|except|match|switch|case|abort(?:_if|_unless)?)\b
    .*[({:;=\]] |
    =>\s(?:[^{]|\{[^']) | [{;]$ | ^[})\]]+[;,]?$ | ^(?://|/\*|\*\s|\#\[|@\w+)""",
)


class Sign(StrEnum):
    """What makes a line look like part of an error, strongest first."""

    HEADER = "the head of a traceback or panic"
    LABEL = "a message behind an error's name"
    BUILD = "a tool's error line"
    LEVEL = "a log line at an error level"
    INLINE = "an error's name with its message"
    FRAME = "a stack frame"


_TESTS = (
    (Sign.HEADER, _HEADER),
    (Sign.LABEL, _LABEL),
    (Sign.BUILD, _BUILD),
    (Sign.LEVEL, _LEVEL),
    (Sign.INLINE, _INLINE_LABEL),
    (Sign.FRAME, _FRAME),
)
# Their numbers among all tests; the one for code is the last.
_IS_HEADER, _IS_CODE = 0, len(_TESTS)
_NUMBERS = range(len(_TESTS) + 1)
# A level is part of what stands before the words of a line, and so may be the name of a thread that died.
_IN_PREFIX = frozenset({number for number, (sign, _) in enumerate(_TESTS) if sign in {Sign.LEVEL, Sign.HEADER}})
# Further to the right no line tells what it is.
_LOOKED_AT = 2_000


# So many lines are looked at together before each by itself, since nothing is found in most of a log.
_BLOCK = 8
# Fewer are looked at one by one at once.
_FEWEST_IN_BLOCK = 4


def _all_tests(flags: str = "") -> "re2.Set":
    """The tests and the one for code, by their numbers: a call of the engine costs more than the line it looks at."""
    tests = re2.Set.SearchSet()
    for test in (*(test for _, test in _TESTS), _CODE):
        tests.Add(flags + test.pattern)
    tests.Compile()
    return tests


_ALL_TESTS = _all_tests()
# Of several lines in one text: what a test finds in one of them it finds in the text, where every line has two ends.
_ALL_TESTS_OF_LINES = _all_tests("(?m)")
_SAYS_ERROR = frozenset({Sign.HEADER, Sign.LABEL, Sign.BUILD, Sign.LEVEL, Sign.INLINE})
_NOT_IN_CODE = frozenset({Sign.HEADER, Sign.FRAME, Sign.LEVEL})


@dataclass(frozen=True, slots=True)
class ErrorSigns:
    """The signs of a text by original line (0-based), and the lines that read like source code."""

    signs: dict[int, Sign]
    code_lines: frozenset[int]
    line_count: int
    numbers: tuple[int, ...] | None = None  # of an excerpt: which line of the whole each line was, 0-based

    @property
    def is_error(self) -> bool:
        """Whether something went wrong here. Frames alone are none: people paste code with line numbers too."""
        return not self.mostly_code and not _SAYS_ERROR.isdisjoint(self.signs.values())

    @property
    def mostly_code(self) -> bool:
        """Whether the text is source code: half of its lines are, and none is a head or a frame of a stack."""
        return len(self.code_lines) * 2 >= self.line_count and _NOT_IN_CODE.isdisjoint(self.signs.values())

    @property
    def why(self) -> str:
        """The strongest sign in words, with its line."""
        if self.mostly_code:
            return "it reads like source code"
        for sign in Sign:  # strongest first; a set would name another one in each process
            for number, found in self.signs.items():
                if found is sign and sign in _SAYS_ERROR:
                    return f"line {(self.numbers[number] if self.numbers else number) + 1} is {sign}"
        return "no line looks like something that went wrong"

    def near(self, first: int, last: int, distance: int = 2) -> bool:
        """Whether a sign stands on the lines from `first` to `last` or close to them."""
        return not self.signs.keys().isdisjoint(range(first - distance, last + distance + 1))


def error_signs(lines: Sequence[Line], numbers: tuple[int, ...] | None = None) -> ErrorSigns:
    """Read every line once; `lines` is the LINES view of one text, `numbers` are the original ones of an excerpt."""
    signs: dict[int, Sign] = {}
    code: set[int] = set()
    filled = [(line, text) for line in lines if (text := _words(line)).strip("'") not in _SAYS_NOTHING]
    texts = [text for _, text in filled]
    wholes = [_whole(line) if line.body else "" for line, _ in filled]
    for start in range(0, len(filled), _BLOCK):
        block = slice(start, start + _BLOCK)
        possible: Sequence[int] = _NUMBERS
        if len(texts[block]) >= _FEWEST_IN_BLOCK:
            possible = _passed("\n".join(texts[block] + wholes[block]), _ALL_TESTS_OF_LINES)
        if not possible:
            continue
        in_prefix = not _IN_PREFIX.isdisjoint(possible)
        for line, text in filled[block]:
            passed = _passed(text)
            if _IS_CODE in passed and _IS_HEADER not in passed:
                code.add(line.first)
                # The last words of an endless line are in no block.
                if not ((in_prefix or len(line.cased) > _LOOKED_AT) and _LEVEL.search(line.cased)):
                    continue
            sign = _strongest(line, passed) if in_prefix else _first(passed)
            if sign is not None:
                signs[line.first] = sign
    return ErrorSigns(signs, frozenset(code), max(len(filled), 1), numbers)


def sign_of(line: Line) -> Sign | None:
    """The strongest sign of one line."""
    return _strongest(line, _passed(_words(line)))


def _strongest(line: Line, passed: Sequence[int]) -> Sign | None:
    """`passed`: the numbers of the tests that the words of the line pass."""
    if line.body:
        whole = _passed(_whole(line))
        passed = [number for number in passed if number not in _IN_PREFIX]
        passed += [number for number in whole if number in _IN_PREFIX]
    return _first(passed)


def _first(passed: Sequence[int]) -> Sign | None:
    first = min(passed, default=_IS_CODE)
    return None if first == _IS_CODE else _TESTS[first][0]


def _passed(text: str, tests: "re2.Set" = _ALL_TESTS) -> Sequence[int]:
    """The numbers of the tests the text passes, in no order."""
    return tests.Match(text) or ()


def _words(line: Line) -> str:
    return line.cased[line.body : line.body + _LOOKED_AT]


def _whole(line: Line) -> str:
    return line.cased[:_LOOKED_AT]


# Marks alone, and what stands behind those that open a code block: its language, no line of it.
_SAYS_NOTHING = frozenset(
    """bash c cpp cs css csharp console diff go html ini java js json jsx kotlin log php powershell py python rb rs ruby
    rust scala sh shell sql swift text toml ts tsx txt typescript javascript xml yaml yml""".split()  # noqa: SIM905
) | {""}
