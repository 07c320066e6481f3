"""Rust programs: panics of every toolchain, errors returned from main, and the chains of anyhow and eyre."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.line_blocks import MESSAGE_LINES, caused_by, number, span_of
from bot.pastes.readers.starts import starts_in, stripped

# Until 1.72 the message stood in quotes before the place, and both could be lines apart.
_OLD_PANIC = Expression(r"^thread '([^']*)' panicked at ['\"](.*)$")
_OLD_PLACE = Expression(r"^(.*)['\"], ([^\s:'][^:']*):(\d+)(?::\d+)?$")
# From 1.73 on the place comes first; 1.90 added the thread's number.
_NEW_PANIC = Expression(r"^thread '([^']*)'(?: \(\d+\))? panicked at (\S.*?):(\d+):\d+:$")
_COLOR_PANIC = Expression(r"^The application panicked \(crashed\)\.$")
_COLOR_PLACE = Expression(r"^Location:\s*(\S+?):(\d+)(?::\d+)?$")
_OVERFLOW = Expression(
    r"^(?:thread '[^']*'(?: \(\d+\))? has overflowed its stack|memory allocation of \d+ bytes failed)"
)
_NOTE = Expression(r"^(?:note: |stack backtrace:|thread '|fatal runtime error:|error: |Backtrace omitted|-{3,}|={3,})")
_DEBUG_CLASS = Expression(r"`Err` value: ([A-Z]\w*)|^([A-Z]\w*)\s?[({]")
_FRAME = Expression(r"^(\d+):\s+(?:0x[0-9a-f]+ - )?(\S.*)$")
_AT = Expression(r"^at (.+?)(?::(\d+))?(?::\d+)?$")
_CRATE = Expression(r"registry[/\\]src[/\\][^/\\]+[/\\]([\w-]+?)-(\d+\.\d+\.\d+[\w.+-]*)[/\\]")
_NUMBERED = Expression(r"^(\d{1,3}): (.*)$")
_LOCATION = Expression(r"^(\S+\.rs):(\d+)(?::\d+)?$")
# How far below a message its backtrace, its causes or its place may start.
_REACH = 4


class RustReader:
    """Reads what a Rust program prints when it ends badly."""

    name = "rust"
    begins = Begins((r"^Error:", "panicked", "^thread '", "^memory allocation of "))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        texts, starts = stripped(lines), starts_in(lines, self.name)
        at = starts.from_(0)
        while at < len(texts):
            found: list[FoundError] = []
            after = at + 1
            text = texts[at]
            if text.startswith("Error:"):
                found, after = self._returned(lines, texts, at)
            elif "panicked" in text or text.startswith(("thread '", "memory allocation of ")):
                found, after = self._panic(lines, texts, at)
            yield from found
            at = starts.from_(max(after, at + 1))

    def _panic(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[list[FoundError], int]:
        text = texts[at]
        where: Frame | None = None
        last = at
        if old := _OLD_PANIC.search(text):
            parts = [old.group(2)]
            placed = _OLD_PLACE.search(parts[0])
            while not placed and last + 1 < len(texts) and len(parts) < MESSAGE_LINES:
                if _NOTE.search(texts[last + 1]):
                    break
                last += 1
                parts.append(texts[last])
                placed = _OLD_PLACE.search(texts[last])
            if placed:
                parts[-1] = placed.group(1)
                where = Frame(file=placed.group(2), line=number(placed.group(3)))
            message = "\n".join(parts)
        elif new := _NEW_PANIC.search(text):
            where = Frame(file=new.group(2), line=number(new.group(3)))
            last = _message_end(texts, at)
            message = "\n".join(texts[at + 1 : last + 1])
        elif _COLOR_PANIC.search(text):
            last = at
            while last + 1 < len(texts) and last - at < MESSAGE_LINES and not texts[last].startswith("Location:"):
                last += 1
            placed = _COLOR_PLACE.search(texts[last])
            where = _with_crate(Frame(file=placed.group(1), line=number(placed.group(2)))) if placed else None
            message = "\n".join(texts[at + 1 : last] if placed else texts[at + 1 : at + 2])
            message = message.removeprefix("Message:").strip()
        elif _OVERFLOW.search(text):
            message = text
            while last + 1 < len(texts) and last - at < _REACH and texts[last + 1].startswith("fatal runtime error: "):
                last += 1
        else:
            return [], at + 1
        where = _with_crate(where) if where else None
        frames, end = _backtrace(texts, last + 1)
        return [
            FoundError(
                reader=self.name,
                role=Role.FINAL,
                message=message.strip(),
                span=span_of(lines, at, end),
                error_class=_debug_class(message),
                frames=_up_to(frames, where),
            )
        ], end + 1

    def _returned(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[list[FoundError], int]:
        """`Error: …` is printed by many tools; it is Rust's with causes below it, or a value written by `Debug`."""
        message = texts[at].removeprefix("Error:").strip()
        links: list[tuple[str, int, int]] = []
        after = at + 1
        if message:
            end = at
            while (
                end + 1 < len(texts)
                and texts[end + 1]
                and end - at < MESSAGE_LINES
                and not _NOTE.search(texts[end + 1])
            ):
                if texts[end + 1] in {"Caused by:", "Location:"}:
                    break
                end += 1
            after = end + 1
            ahead = _next_text(texts, after)
            if ahead < len(texts) and texts[ahead] == "Caused by:":
                links = [("\n".join([message, *texts[at + 1 : end + 1]]), at, end)]
                blocks, after = caused_by(lines, texts, ahead)
                links += [(block.message, block.first, block.last) for block in blocks]
            elif ahead < len(texts) and texts[ahead].lower() in {"location:", "stack backtrace:"}:
                links = [("\n".join([message, *texts[at + 1 : end + 1]]), at, end)]
            elif _DEBUG_CLASS.search(message) and message.endswith((")", "}")):
                links = [(message, at, at)]
                after = at + 1
        else:
            while after < len(texts) and (counted := _NUMBERED.search(texts[after])):
                links.append((counted.group(2), after if links else at, after))
                after += 1
        if not links:
            return [], at + 1
        frames, after = _trailer(texts, after)
        found = [
            FoundError(
                reader=self.name,
                role=Role.WRAPPER if i + 1 < len(links) else Role.ROOT_CAUSE if i else Role.FINAL,
                message=text,
                span=span_of(lines, first, last),
                error_class=_debug_class(text),
                # The place is that of the outermost error: it is the one that captured it.
                frames=frames if i == 0 else (),
            )
            for i, (text, first, last) in enumerate(links)
        ]
        return found, after


def _message_end(texts: list[str], at: int) -> int:
    last = at
    while last + 1 < len(texts) and last - at < MESSAGE_LINES and not _NOTE.search(texts[last + 1]):
        if not texts[last + 1] and last > at:
            break
        last += 1
    return last


def _next_text(texts: list[str], at: int) -> int:
    """The index of the next line that says something, or of the end."""
    while at < len(texts) and not texts[at]:
        at += 1
    return at


def _debug_class(message: str) -> str | None:
    told = _DEBUG_CLASS.search(message)
    return (told.group(1) or told.group(2)) if told else None


def _with_crate(frame: Frame) -> Frame:
    crate = _CRATE.search(frame.file) if frame.file else None
    if not crate:
        return frame
    return Frame(frame.file, frame.line, frame.function, package=crate.group(1), version=crate.group(2))


def _backtrace(texts: list[str], at: int) -> tuple[list[Frame], int]:
    """The frames of the backtrace that starts soon after `at`, innermost first, and the last line read."""
    start = at
    while start < len(texts) and start - at < _REACH and texts[start].lower() != "stack backtrace:":
        if texts[start].startswith(("thread '", "error")):
            return [], at - 1
        start += 1
    if start >= len(texts) or texts[start].lower() != "stack backtrace:":
        return [], at - 1
    frames: list[Frame] = []
    end = start
    while end + 1 < len(texts):
        line = texts[end + 1]
        if at_place := _AT.search(line):
            if frames:
                frames[-1] = _with_crate(Frame(at_place.group(1), number(at_place.group(2)), frames[-1].function))
        elif call := _FRAME.search(line):
            frames.append(Frame(function=call.group(2)))
        else:
            break
        end += 1
    return frames, end


def _up_to(frames: list[Frame], where: Frame | None) -> tuple[Frame, ...]:
    """Outermost first, ending where the panic was raised: what is further in is the machinery of panicking."""
    if where is None:
        return tuple(reversed(frames))
    for i, frame in enumerate(frames):
        told = (frame.file or "").removeprefix("./")
        if frame.line == where.line and told.endswith((where.file or "").removeprefix("./")):
            return tuple(reversed(frames[i:]))
    return (*reversed(frames), where)


def _trailer(texts: list[str], at: int) -> tuple[tuple[Frame, ...], int]:
    """What may follow a chain: eyre's `Location:`, or a backtrace."""
    ahead = _next_text(texts, at)
    if ahead < len(texts) and texts[ahead] == "Location:" and (spot := _next_text(texts, ahead + 1)) < len(texts):
        placed = _LOCATION.search(texts[spot])
        if placed:
            return (_with_crate(Frame(file=placed.group(1), line=number(placed.group(2)))),), spot + 1
    if ahead < len(texts) and texts[ahead].lower() == "stack backtrace:":
        frames, end = _backtrace(texts, ahead)
        return tuple(reversed(frames)), end + 1
    return (), at
