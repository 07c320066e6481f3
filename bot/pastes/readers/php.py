"""PHP: fatal errors, uncaught exceptions with what came before them, warnings; Laravel's log and console; Composer."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.pastes.readers.expressions import Expression, Match
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.line_blocks import MESSAGE_LINES, number, place, span_of
from bot.pastes.readers.starts import starts_in, stripped

_LABEL = Expression(
    r"^(?:PHP )?(Fatal error|Parse error|Recoverable fatal error|Catchable fatal error|Warning|Notice"
    r"|Deprecated|Core error|Compile error): +(.+)$"
)
_UNCAUGHT = Expression(r"^Uncaught (?:exception '([\w\\]+)' with message '(.*)|([A-Za-z_][\w\\]*)(?:: (.*))?)$")
_NEXT = Expression(r"^Next ([A-Za-z_][\w\\]*)(?:: (.*))?$")
_ENDING = Expression(r"^(.*) in (\S.*?)(?:\((\d+)\) : .+)?(?::(\d+)| on line (\d+))$")
_FRAME = Expression(r"^#\d+ (?:(.+?)\((\d+)\): |\[internal function\]: )?(.+)$")
_CALL = Expression(r"^([\w\\>:{}-]+)\(")
_LARAVEL = Expression(r"^\w+\.(?:ERROR|CRITICAL|ALERT|EMERGENCY): (.+)$")
_OBJECT = Expression(
    r'^(.*?)(?: \{.*"exception":")?(?:\[previous exception\] )?\[object\] \(([\w\\]+)'
    r"\(code: (\w+)\): (.*?)(?: at (/?[^\s()]*?\.php):(\d+)\)?.*)?$"
)
_LATE_PLACE = Expression(r"^(.*?) at (/?[^\s()]*?\.php):(\d+)\)$")
_CONSOLE = Expression(r"^((?:[A-Z]\w*\\)*[A-Z]\w*(?:Exception|Error|Failure))$")
_CONSOLE_PLACE = Expression(r"^at (\S+\.php):(\d+)$")
_COMPOSER = Expression(
    r"^(Your requirements could not be resolved to an installable set of packages\."
    r"|Your lock file does not contain a compatible set of packages\. .*)$"
)
_PACKAGE = Expression(r"(?:^|/)vendor/([\w.-]+/[\w.-]+)/")
_LOUD = frozenset({"Warning", "Notice", "Deprecated"})
# How far Laravel's console puts the place below the message.
_TO_PLACE = 12


class PhpReader:
    """Reads what PHP says, on a terminal, in a log or in a page."""

    name = "php"
    begins = Begins(
        (
            *(_LABEL.pattern, "^Uncaught ", "<b", r"exception\] \[object\] \(", r'"\[object\] \(', _LARAVEL.pattern),
            *(_CONSOLE.pattern, _COMPOSER.pattern),
        )
    )

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        starts = starts_in(lines, self.name)
        at = starts.from_(0)
        texts = [_untagged(text) for text in stripped(lines)] if at < len(lines) else []
        while at < len(texts):
            found, end = self._at(lines, texts, at) if texts[at] else ([], at)
            yield from found
            at = starts.from_(end + 1)

    def _at(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[list[FoundError], int]:
        text = texts[at]
        # A log that takes the label for a level leaves the rest; a browser says `Uncaught` too, without a .php file.
        bare = _UNCAUGHT.search(text) if any(".php" in one for one in texts[at : at + 3]) else None
        labelled = None if bare else _LABEL.search(text)
        if told := bare or (labelled and _UNCAUGHT.search(labelled.group(2))):
            return self._uncaught(lines, texts, at, told)
        if labelled:
            return self._labelled(lines, at, labelled.group(1), labelled.group(2)), at
        if "exception] [object] (" in text or '"[object] (' in text or (log := _LARAVEL.search(text)):
            log = _LARAVEL.search(text)
            return self._logged(lines, texts, at, log.group(1) if log else text)
        if _CONSOLE.search(text):
            return self._console(lines, texts, at)
        if said := _COMPOSER.search(text):
            end = _after_blank(lines, texts, at)
            message = "\n".join([said.group(1), *(one for one in texts[at + 1 : end + 1] if one)])
            return [self._error(lines, (at, end), Role.FINAL, message)], end
        return [], at

    def _labelled(self, lines: Sequence[CleanLine], at: int, label: str, said: str) -> list[FoundError]:
        ended = _ENDING.search(said)
        if not ended:
            return []
        where = place(ended.group(2), ended.group(4) or ended.group(5))
        role = Role.EARLIER if label in _LOUD else Role.FINAL
        return [self._error(lines, (at, at), role, ended.group(1), frames=where)]

    def _uncaught(
        self, lines: Sequence[CleanLine], texts: list[str], at: int, told: Match
    ) -> tuple[list[FoundError], int]:
        """PHP prints the first exception first and each that followed from it after `Next`: the last is outermost."""
        thrown: list[FoundError] = []
        first, end = at, at
        quoted = bool(told.group(1))
        error_class, opening = told.group(1) or told.group(3), told.group(2) or told.group(4) or ""
        while True:
            message, where, end = _message(texts, opening, end)
            # Since 7.0 the message of a wrong argument ends so; until 5.6 every message stood in quotes.
            message = message.removesuffix(" and defined")
            message = message.removesuffix("'") if quoted else message
            frames, end = _frames(texts, end + 1)
            thrown.append(
                self._error(
                    lines, (first, end), Role.WRAPPER, message, error_class=error_class, frames=(*frames, *where)
                )
            )
            ahead = end + 1
            while ahead < len(texts) and not texts[ahead]:
                ahead += 1
            follows = _NEXT.search(texts[ahead]) if ahead < len(texts) else None
            if not follows:
                break
            first = end = ahead
            error_class, opening = follows.group(1), follows.group(2) or ""
        if ahead < len(texts) and texts[ahead].startswith("thrown in "):
            end = ahead
        if len(thrown) == 1:
            return [replace(thrown[0], role=Role.FINAL)], end
        return [replace(thrown[0], role=Role.ROOT_CAUSE), *thrown[1:]], end

    def _logged(self, lines: Sequence[CleanLine], texts: list[str], at: int, said: str) -> tuple[list[FoundError], int]:
        """An entry of Laravel's log with the exceptions written into its context."""
        thrown: list[FoundError] = []
        end = at
        opening = said
        while told := _OBJECT.search(opening):
            first = end
            message = [told.group(4)]
            where = place(told.group(5), told.group(6)) if told.group(5) else ()
            while not where and end + 1 < len(texts) and end - first < MESSAGE_LINES:
                end += 1
                late = _LATE_PLACE.search(texts[end])
                message.append(late.group(1) if late else texts[end])
                where = place(late.group(2), late.group(3)) if late else ()
            if end + 1 < len(texts) and texts[end + 1].strip('"} ') == "[stacktrace]":
                end += 1
            frames, end = _frames(texts, end + 1)
            code = told.group(3) if told.group(3) != "0" else None
            error = self._error(
                lines,
                (first, end),
                Role.WRAPPER,
                "\n".join(message),
                error_class=told.group(2),
                frames=(*frames, *where),
            )
            thrown.append(replace(error, code=code))
            ahead = end + 1
            while ahead < len(texts) and texts[ahead].strip('"} ') == "":
                ahead += 1
            if ahead >= len(texts) or not texts[ahead].startswith("[previous exception] "):
                break
            opening, end = texts[ahead], ahead
        if not thrown:
            said = said.split(' {"', 1)[0]
            return [self._error(lines, (at, at), Role.FINAL, said)], at
        if len(thrown) == 1:
            return [replace(thrown[0], role=Role.FINAL)], end
        return [*thrown[:-1], replace(thrown[-1], role=Role.ROOT_CAUSE)], end

    def _console(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[list[FoundError], int]:
        """The box Artisan and Pest draw: class, message, `at file:line`, the source."""
        end, message = at, list[str]()
        while end + 1 < len(texts) and end - at < _TO_PLACE:
            end += 1
            if placed := _CONSOLE_PLACE.search(texts[end]):
                where = place(placed.group(1), placed.group(2))
                said = "\n".join(one for one in message if one)
                return [self._error(lines, (at, end), Role.FINAL, said, error_class=texts[at], frames=where)], end
            message.append(texts[end])
        return [], at

    def _error(
        self,
        lines: Sequence[CleanLine],
        block: tuple[int, int],
        role: Role,
        message: str,
        *,
        error_class: str | None = None,
        frames: tuple[Frame, ...] = (),
    ) -> FoundError:
        told = tuple(_with_package(frame) for frame in frames)
        span = span_of(lines, *block)
        return FoundError(self.name, role, message.strip(), span, error_class=error_class, frames=told)


def _untagged(text: str) -> str:
    """Without the tags PHP puts round its words in a page."""
    if "<b" not in text:
        return text
    for tag in ("<b>", "</b>", "<br />", "<br>", "<br/>"):
        text = text.replace(tag, "")
    return text.strip()


def _message(texts: list[str], opening: str, at: int) -> tuple[str, tuple[Frame, ...], int]:
    """The message that begins with `opening`, where it was thrown, and the last line of it."""
    message, end = [opening], at
    ended = _ENDING.search(opening)
    while not ended and end + 1 < len(texts) and end - at < MESSAGE_LINES:
        if texts[end + 1].startswith(("Stack trace:", "#0 ")):
            break
        end += 1
        message.append(texts[end])
        ended = _ENDING.search(texts[end])
    if not ended:
        return "\n".join(message), (), end
    message[-1] = ended.group(1)
    return "\n".join(message), place(ended.group(2), ended.group(4) or ended.group(5)), end


def _frames(texts: list[str], at: int) -> tuple[tuple[Frame, ...], int]:
    """The frames below `Stack trace:`, outermost first, and the last line of them."""
    end = at
    if end < len(texts) and texts[end].startswith("Stack trace:"):
        end += 1
    frames: list[Frame] = []
    while end < len(texts) and texts[end].startswith("#") and (told := _FRAME.search(texts[end])):
        called = _CALL.search(told.group(3))
        if told.group(1) or called:
            frames.append(Frame(told.group(1), number(told.group(2)), called.group(1) if called else None))
        end += 1
    return tuple(reversed(frames)), end - 1


def _with_package(frame: Frame) -> Frame:
    package = _PACKAGE.search(frame.file) if frame.file else None
    return replace(frame, package=package.group(1)) if package else frame


def _after_blank(lines: Sequence[CleanLine], texts: list[str], at: int) -> int:
    """The last line of the indented list that follows, blank lines between allowed."""
    end = last = at
    while end + 1 < len(texts) and end - at < MESSAGE_LINES and (not texts[end + 1] or lines[end + 1].indent > 0):
        end += 1
        last = end if texts[end] else last
    return last
