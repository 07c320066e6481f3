"""Ruby: uncaught exceptions of every version with their causes; Rails' log, Rake, Bundler, RSpec."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.line_blocks import MESSAGE_LINES, number, span_of
from bot.pastes.readers.starts import starts_in, stripped

_CLASS = r"((?:[A-Z]\w*::)*[A-Z]\w*)"
_RAISED = Expression(r"^(-e|\S.*?|<internal:[\w./-]+>):(\d+):in [`'](.+?)': (.*)$")
_BARE = Expression(r"^(\S+\.rb|-e|\(irb\)):(\d+): (.+)$")
_ENDS_CLASS = Expression(r"^(.*?) ?\(" + _CLASS + r"\)$")
_FRAME = Expression(r"^(?:\d+: )?(?:from |# )?(\S.*?|<internal:[\w./-]+>):(\d+)(?::in [`'](.+?)')?(?:: .*)?$")
_LOGGED = Expression(r"^" + _CLASS + r" \((.*)$")
_NAMED = Expression(r"^" + _CLASS + r": (.*)$")
_LOG_FRAME = Expression(r"^(?:(?:[\w-]+) \(([\d.]+\w*)\) )?(\S+\.\w+|<internal:[\w./-]+>):(\d+)(?::in [`'](.+)')?$")
_GEM = Expression(r"/gems/([\w-]+?)-(\d+(?:\.\w+)+)/")
_RAILS_GEM = Expression(r"^([\w-]+) \((\d+(?:\.\w+)+)\) ")
_BUNDLER = Expression(
    r"^(Could not find (?:gem '|compatible versions|\S+-\d|.* in (?:any|locally)).*"
    r"|An error occurred while installing .*|Your Ruby version is .*, but your Gemfile .*"
    r"|Bundler could not find compatible versions.*|You must use Bundler .*"
    r"|.*The bundle currently has .* locked.*|Could not locate Gemfile.*)$"
)
_COMPLETED = Expression(r"^Completed ([45]\d\d) ")
# One or two blank lines stand between them.
_TO_COMPLETED = 4


class RubyReader:
    """Reads what Ruby and the tools around it print. A chain begins with the outermost error, its causes follow."""

    name = "ruby"
    begins = Begins(
        (
            *("^rake aborted!$", "rails aborted!$", "^Failure/Error: ", _BUNDLER.pattern),
            *(_RAISED.pattern, _BARE.pattern, _LOGGED.pattern),
        )
    )

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        texts, starts = stripped(lines), starts_in(lines, self.name)
        at = starts.from_(0)
        while at < len(texts):
            found, end = self._at(lines, texts, at)
            yield from found
            at = starts.from_(end + 1)

    def _at(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[list[FoundError], int]:
        text = texts[at]
        if text == "rake aborted!" or text.endswith("rails aborted!"):
            return self._chain(lines, texts, at + 1, _NAMED)
        if text.startswith("Failure/Error: "):
            return self._example(lines, texts, at)
        if (told := _BUNDLER.search(text)) and lines[at].indent == 0:
            return [FoundError(self.name, Role.FINAL, told.group(1), span_of(lines, at, at))], at
        if ":in " in text or ".rb:" in text or text.startswith("-e:"):
            return self._chain(lines, texts, at, None)
        if text and text[0].isupper() and " (" in text and (_LOGGED.search(text)) and _has_log_frames(texts, at):
            return self._chain(lines, texts, at, _LOGGED)
        return [], at

    def _chain(
        self, lines: Sequence[CleanLine], texts: list[str], at: int, form: Expression | None
    ) -> tuple[list[FoundError], int]:
        found: list[FoundError] = []
        first, end = at, at - 1
        while first < len(texts) and (one := self._one(lines, texts, first, form)):
            error, end = one
            found.append(error)
            first = end + 1
            named = False
            while first < len(texts) and texts[first] in {"", "Caused by:", "Causes:"}:
                named = named or bool(texts[first])
                first += 1
            if form is not None and not named:
                break
        if not found:
            return [], at
        if len(found) == 1:
            return found, end
        return [*(replace(one, role=Role.WRAPPER) for one in found[:-1]), replace(found[-1], role=Role.ROOT_CAUSE)], end

    def _one(
        self, lines: Sequence[CleanLine], texts: list[str], at: int, form: Expression | None
    ) -> tuple[FoundError, int] | None:
        where: tuple[Frame, ...] = ()
        if form is None:
            read = _raised(texts, at)
            if read is None:
                return None
            message, error_class, where, end = read
        else:
            told = form.search(texts[at])
            if not told:
                return None
            error_class, message, end = told.group(1), told.group(2), at
            while end + 1 < len(texts) and texts[end + 1] and end - at < MESSAGE_LINES:
                if _log_frame(texts[end + 1]) or (form is _LOGGED and message.endswith("):")):
                    break
                end += 1
                message += "\n" + texts[end]
            if form is _LOGGED:
                message = message.removesuffix(":").removesuffix(")")
        frames, end = _frames(texts, end, loose=form is None)
        first, status = _completed(texts, at) if form is _LOGGED else (at, None)
        return FoundError(
            reader=self.name,
            role=Role.FINAL,
            message=message.strip(),
            span=span_of(lines, first, end),
            error_class=error_class,
            http_status=status,
            frames=(*frames, *where),
        ), end

    def _example(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[list[FoundError], int]:
        """A failed RSpec example: the expression, what it raised or expected, and where."""
        end, message = at + 1, list[str]()
        while end < len(texts) and not texts[end].startswith("# ") and end - at < MESSAGE_LINES:
            if texts[end]:
                message.append(texts[end])
            end += 1
        frames: list[Frame] = []
        while end < len(texts) and texts[end].startswith("# ") and (told := _FRAME.search(texts[end])):
            frames.append(_frame(told.group(1), told.group(2), told.group(3)))
            end += 1
        if not frames or not message:
            return [], at
        error_class = None
        if message[0].endswith(":") and message[0][:-1].replace("::", "").isalnum() and len(message) > 1:
            error_class = message.pop(0)[:-1]
        span = span_of(lines, at, end - 1)
        whole = tuple(reversed(frames))
        return [
            FoundError(self.name, Role.FINAL, "\n".join(message), span, error_class=error_class, frames=whole)
        ], end - 1


def _raised(texts: list[str], at: int) -> tuple[str, str, tuple[Frame, ...], int] | None:
    """`file:line:in 'method': message (Class)`, the class at the end of the first line or of a later one."""
    if told := _RAISED.search(texts[at]):
        file, line, function, first = told.groups()
    elif told := _BARE.search(texts[at]):
        file, line, first = told.groups()
        function = None
    else:
        return None
    where = (_frame(file, line, function),)
    message, end = [first], at
    ended = _ENDS_CLASS.search(first)
    while not ended and end + 1 < len(texts) and texts[end + 1] and end - at < MESSAGE_LINES:
        if texts[end + 1].startswith("from ") or _RAISED.search(texts[end + 1]):
            return None
        end += 1
        message.append(texts[end])
        ended = _ENDS_CLASS.search(texts[end])
    if not ended:
        return None
    message[-1] = ended.group(1)
    # Behind the class Ruby 3.1 and later print what else they know: the source, carets, `Did you mean?`.
    return "\n".join(message), ended.group(2), where, end


def _frames(texts: list[str], end: int, *, loose: bool) -> tuple[tuple[Frame, ...], int]:
    """The frames below a message, outermost first, and their last line; `loose` when source may stand between."""
    ahead = end + 1
    reach = ahead + MESSAGE_LINES
    while (
        ahead < len(texts)
        and ahead < reach
        and not (texts[ahead].startswith("from ") if loose else _log_frame(texts[ahead]))
    ):
        if loose and _RAISED.search(texts[ahead]):
            return (), end
        ahead += 1
    frames: list[Frame] = []
    while ahead < len(texts):
        told = _FRAME.search(texts[ahead]) if loose and texts[ahead].startswith("from ") else None
        if told:
            frames.append(_frame(told.group(1), told.group(2), told.group(3)))
        elif not loose and (frame := _log_frame(texts[ahead])):
            frames.append(frame)
        else:
            break
        ahead += 1
    return (tuple(reversed(frames)), ahead - 1) if frames else ((), end)


def _log_frame(text: str) -> Frame | None:
    told = _LOG_FRAME.search(text)
    if not told:
        return None
    frame = _frame(told.group(2), told.group(3), told.group(4))
    gem = _RAILS_GEM.search(text)
    return replace(frame, package=gem.group(1), version=gem.group(2)) if gem else frame


def _frame(file: str, line: str, function: str | None) -> Frame:
    gem = _GEM.search(file)
    if gem:
        return Frame(file, number(line), function, package=gem.group(1), version=gem.group(2))
    return Frame(file, number(line), function)


def _completed(texts: list[str], at: int) -> tuple[int, int | None]:
    """Where the entry begins, and the HTTP status, when Rails has just said how it ended the request."""
    for before in range(at - 1, max(at - _TO_COMPLETED, 0) - 1, -1):
        if told := _COMPLETED.search(texts[before]):
            return before, int(told.group(1))
        if texts[before]:
            break
    return at, None


def _has_log_frames(texts: list[str], at: int) -> bool:
    """Whether frames follow soon: Rails prints a blank line, sometimes `Causes:`, and then them."""
    return any(_log_frame(text) for text in texts[at + 1 : at + 6])
