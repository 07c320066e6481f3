"""Any log: lines that say of themselves that something failed, in a format nobody else reads."""

from collections.abc import Iterable, Iterator, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Role, Span
from bot.pastes.readers.starts import starts_in

_BAD = frozenset({"ERROR", "FATAL", "CRITICAL", "SEVERE", "PANIC", "ALERT", "EMERG"})
_GATE = Expression(
    r"(?i)err|exception|fault|fail|timeout|interrupt|notfound|warning|violation|panic|fatal|critical|severe|abort"
)
_SIGNS = Expression(
    r"(?i)\b(?:errors?|exception|failed|failure|fatal|panic(?:ked)?|abort(?:ed|ing)?|cannot|can't|could not|couldn't"
    r"|unable to|denied|refused|not found|no such|undefined|unexpected|invalid|timed? ?out|unreachable"
    r"|segmentation fault|core dumped|out of memory|killed|crash(?:ed)?|corrupt(?:ed)?|unhandled|unsupported|missing"
    r"|not permitted|permission|overflow|deadlock|disconnected|rejected|violates?)\b"
)


class GenericReader:
    """Levels, `error:` and the like, exception names; each such line is an error of its own."""

    name = "generic"
    begins = Begins((_GATE.pattern, _SIGNS.pattern), levels=_BAD)

    def read(self, lines: Sequence[CleanLine]) -> Iterable[FoundError]:
        """Where nothing says so outright, the lines that probably do."""
        return list(self._read(lines, sure=True)) or list(self._read(lines, sure=False))

    def _read(self, lines: Sequence[CleanLine], *, sure: bool) -> Iterator[FoundError]:
        before: str | None = None
        for at in starts_in(lines, self.name):
            line = lines[at]
            head = line.text[:_LONGEST]
            # Most lines of a log say nothing of the kind; they are done with after one look.
            if line.level not in _BAD and not (_GATE if sure else _SIGNS).search(head):
                continue
            if len(head) < _SHORTEST or _NEVER.search(head):
                continue
            error = _named(line, head) or (_levelled(line, head) if sure else _likely(line, head))
            if error is None:
                continue
            # A server that retries says the same again and again.
            if error.message != before:
                yield error
            before = error.message


def _named(line: CleanLine, head: str) -> FoundError | None:
    """`package.SomeError: message`, at the beginning of a line or behind a few words."""
    found = _EXCEPTION.search(head)
    if found is None:
        return None
    message = line.text[found.start(2) :] if found.group(2) else found.group(1)
    return _error(line, message, found.group(1))


def _levelled(line: CleanLine, head: str) -> FoundError | None:
    if found := _LABEL.match(head):
        return _error(line, line.text[found.end() :], code=found.group(1) or None)
    if line.level in _BAD:
        return _error(line, line.text)
    if found := _BARE_LEVEL.match(head):
        return _error(line, line.text[found.end() :])
    return None


def _likely(line: CleanLine, head: str) -> FoundError | None:
    return _error(line, line.text) if _SIGNS.search(head) else None


def _error(line: CleanLine, message: str, error_class: str | None = None, code: str | None = None) -> FoundError:
    return FoundError(
        "generic", Role.FINAL, message.strip() or line.text, Span(line.number, line.number), error_class, code
    )


_SHORTEST = 4
_LONGEST = 2_000
# Counts, offers of help and the last words of a run: they tell that something failed, not what.
_NEVER = Expression(
    r"(?i)^\W{0,4}(?:\d{1,6} errors?\b|0 errors|no errors?\b|errors?: 0\b|(?:error: )?process completed with exit code"
    r"|note: |hint: |help: |see |for more |found \d{1,6} error|error: could not compile|failed tests?: \d"
    r"|error: aborting due to|=+ |!{3,} )|^(?:FAILED|ERROR) \S+\.py\b|^make(?:\[\d+\])?: "
)
_EXCEPTION = Expression(
    r"(?:^|[:\]\)>-] {1,2}"
    r"|(?:Uncaught|Unhandled(?: exception[.:]?)?|Fatal error:|panic:|raised|threw) (?:\(in promise\) )?)"
    r"((?:[A-Za-z_$][\w$]*(?:\.|::|\\|/))*[A-Z][\w$]*"
    r"(?:Error|Exception|Fault|Failure|Timeout|Interrupt|NotFound|Warning|Violation|Panic))"
    r"(?: \[\w{1,40}\]| ?\([^()]{0,200}\))?(?::\s+(\S)|$)"
)
_LABEL = Expression(
    r"(?:[\w./\\:+-]{1,200}[:,] ?)?"
    r"(?i:fatal error|internal error|error|fatal|panic|critical|failure|failed|abort(?:ed)?)"
    r"(?:\[?\(?\s?([A-Z]{1,6}-?\d{2,6})\)?\]?)?\s?: "
)
_BARE_LEVEL = Expression(r"(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC)\s{1,4}(?:\[[^\[\]]{1,60}\]\s)?")
