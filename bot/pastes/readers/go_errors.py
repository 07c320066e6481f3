"""Go's wrapped errors: one line, `a: b: c`, what was attempted first and what went wrong last."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Role
from bot.pastes.readers.line_blocks import span_of
from bot.pastes.readers.starts import starts_in, stripped

# How the standard library ends an error. Without one of these a line with colons is no Go error.
_ROOT = Expression(
    r": ((?:(?:open|stat|lstat|read|write|mkdir|remove|rename|unlink|chdir|fork/exec|readlink) [^:]+: "
    r"|(?:dial|listen|read|write) (?:tcp|udp|unix)[^ ]* .*?: |lookup [^:]+: |exec: |x509: |tls: |sql: "
    r"|strconv\.\w+: |json: |yaml: |rpc error: |parse \"[^\"]*\": )*"
    r"(?:no such file or directory|permission denied|connection refused|connection reset by peer"
    r"|i/o timeout|broken pipe"
    r"|no such host|server misbehaving|address already in use|file exists|is a directory|not a directory"
    r"|invalid argument"
    r"|context deadline exceeded|context canceled|unexpected EOF|EOF|executable file not found in \$PATH"
    r"|invalid syntax|value out of range"
    r"|certificate signed by unknown authority|no rows in result set|unexpected end of JSON input"
    r"|use of closed network connection"
    r"|code = \w+ desc = .+|too many open files|no space left on device|invalid character .+|cannot unmarshal .+))$"
)
# The rest are told with the call that met them: `open x: no such file or directory`. Without it, people tell them too.
_WITHOUT_CALL = frozenset({"EOF", "unexpected EOF", "context deadline exceeded", "context canceled", "i/o timeout"})
_STATUS = Expression(r"rpc error: code = (\w+) desc = ")


class GoErrorReader:
    """Reads a chain as two errors of one line: the whole, and the call that failed.

    Programs of every kind are written in Go, and their own readers know more: this one is to be asked after them.
    """

    name = "go_errors"
    begins = Begins((_ROOT.pattern,))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        texts = stripped(lines)
        for at in starts_in(lines, self.name):
            text = texts[at]
            root = _ROOT.search(text) if ": " in text and lines[at].indent == 0 else None
            if root is None or (": " not in root.group(1) and root.group(1) not in _WITHOUT_CALL):
                continue
            status = _STATUS.search(text)
            code = status.group(1) if status else None
            span = span_of(lines, at, at)
            yield FoundError(self.name, Role.WRAPPER, text.removeprefix("Error: "), span, code=code)
            yield FoundError(self.name, Role.ROOT_CAUSE, root.group(1), span, code=code)
