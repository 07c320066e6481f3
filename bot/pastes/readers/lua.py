"""Lua: the interpreters, LuaJIT, LÖVE, Neovim and OpenResty, with their tracebacks."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.line_blocks import MESSAGE_LINES, number, place, span_of
from bot.pastes.readers.starts import starts_in, stripped

_ERROR = Expression(
    r"^(?:(?:lua(?:5\.\d|jit)?|luajit[\w.-]*|texlua|luau)(?:\.exe)?: |Error: "
    r"|(?:E5\d{3}): Error (?:while )?(?:executing|calling) (?:lua|Lua)(?: chunk| callback)?:? |"
    r"Error executing [\w. ]+: |Error detected while processing \S+ "
    r"|.{0,200}?lua entry thread aborted: runtime error: |.{0,200}?failed to run \S+: )"
    r"(?:\[string \"[^\"]*\"\]|(\S[^:]*?|[A-Za-z]:\S[^:]*)):(\d+): (.+)$"
)
_BARE = Expression(r"^(?:\[string \"([^\"]*)\"\]|(\S[^:]*\.lua|input|stdin)):(\d+): (.+)$")
_LOADING = Expression(r"^(?:lua(?:jit|5\.\d)?: )?error loading module '(.+)' from file '(.+)':$")
_CODE = Expression(r"^(E5\d{3}): ")
_FRAME = Expression(r"^(?:\[C\]: |\[string \"[^\"]*\"\]:(?:\d+: )?|(\S[^:]*?|[A-Za-z]:\S[^:]*):(\d+): )in (.+)$")
_FUNCTION = Expression(r"^(?:(?:function|method|upvalue|local|field|global|metamethod) )?'?([^'<>]+?)'?$")
# Lua alone says these; with them a line needs neither a name in front nor a traceback below.
_OWN = (
    "attempt to ", "bad argument #", "module '", "unfinished ", "unexpected symbol near", "'=' expected near",
    "'end' expected",
    "syntax error near", "stack overflow", "'<eof>' expected", "malformed number near", "assertion failed!",
)  # fmt: skip


class LuaReader:
    """Reads `file:line: message`, the list of places that were searched, and `stack traceback:`."""

    name = "lua"
    begins = Begins(
        (
            *(r"^(?:lua|texlua|Error: |Error executing |Error detected while processing |E5\d{3}: ).*:\d+: ",),
            *(r"(?:lua entry thread aborted: runtime error: |failed to run ).*:\d+: ", _LOADING.pattern, _BARE.pattern),
        )
    )

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        texts, starts = stripped(lines), starts_in(lines, self.name)
        at = starts.from_(0)
        while at < len(texts):
            found, end = self._at(lines, texts, at) if ":" in texts[at] else (None, at)
            if found:
                yield found
            at = starts.from_(end + 1)

    def _at(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[FoundError | None, int]:
        text = texts[at]
        first = at
        if _LOADING.search(text) and at + 1 < len(texts):
            at += 1
        named = _ERROR.search(texts[at])
        if named:
            file, line, message = named.group(1), named.group(2), named.group(3)
        elif bare := _BARE.search(texts[at]):
            file, line, message = bare.group(2) or bare.group(1), bare.group(3), bare.group(4)
        else:
            return None, first
        code = _CODE.search(texts[at])
        said, end = [message], at
        while end + 1 < len(texts) and _belongs(texts[end + 1]) and len(said) < MESSAGE_LINES:
            end += 1
            said.append(texts[end])
        frames, end = _traceback(texts, end)
        if at > 1 and texts[at - 2 : at] == ["Error", ""]:
            first = at - 2
        if not (frames or code or at > first or message.startswith(_OWN)):
            return None, first
        whole = frames if any(frame.file == file and frame.line == number(line) for frame in frames[-2:]) else None
        if whole is None:
            whole = (*frames, *place(file, line)) if file else frames
        span = span_of(lines, first, end)
        return FoundError(
            self.name, Role.FINAL, "\n".join(said), span, code=code.group(1) if code else None, frames=whole
        ), end


def _belongs(text: str) -> bool:
    return text.startswith(("no field package.preload", "no file '", "no module '"))


def _traceback(texts: list[str], end: int) -> tuple[tuple[Frame, ...], int]:
    """The frames of `stack traceback:`, outermost first, C's own left out, and their last line."""
    ahead = end + 1
    while ahead < len(texts) and not texts[ahead]:
        ahead += 1
    if ahead >= len(texts) or texts[ahead].lower() not in {"stack traceback:", "traceback"}:
        return (), end
    frames: list[Frame] = []
    while ahead + 1 < len(texts):
        told = _FRAME.search(texts[ahead + 1])
        if not told and texts[ahead + 1] not in {"(...tail calls...)", "..."}:
            break
        if told and told.group(1):
            name = _FUNCTION.search(told.group(3))
            frames.append(Frame(told.group(1), number(told.group(2)), name.group(1) if name else None))
        ahead += 1
    return tuple(reversed(frames)), ahead
