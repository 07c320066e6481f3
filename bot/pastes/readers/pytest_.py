"""pytest: failures and collection errors, from their sections or, where only that was pasted, from the summary."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role, Span
from bot.pastes.readers.starts import starts_in


class PytestReader:
    """The lines marked `E`, with the section they stand in; else the lines `FAILED path::test - …`."""

    name = "pytest"
    begins = Begins(
        (
            *("^_{3,} .+ _{3,}$", r"^E {2,}\S", r"^(?:[A-Za-z]:)?[^\s:][^:]*\.\w{1,5}:\d{1,7}:", "^(?:FAILED|ERROR) "),
            "^(?:During handling of|The above exception was)",
        )
    )

    def read(self, lines: Sequence[CleanLine]) -> Iterable[FoundError]:
        """One error for each run of marked lines; the summary says the same again and counts only by itself."""
        return list(self._sections(lines)) or list(self._summary(lines))

    def _sections(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        start: int | None = None
        frames: list[Frame] = []
        before: FoundError | None = None
        starts = starts_in(lines, self.name)
        index = starts.from_(0)
        while index < len(lines):
            text = lines[index].text
            if _SECTION.fullmatch(text):
                start, frames = index, []
            elif before and (role := _LINKS.get(text)):
                before = replace(before, role=role)
                start, frames = index + 1, []
            elif text.startswith("E ") and _MARKED.match(text):
                end = _marked_end(lines, index)
                place = _place_behind(lines, end)
                if place is not None:
                    frames.append(_frame(lines[place].text))
                if before is not None:
                    yield before
                first = lines[start if start is not None else index].number
                last = lines[place if place is not None else end - 1].number
                error_class, message = _told(lines[index:end], lines[place].text if place is not None else "")
                before = FoundError(
                    self.name, Role.FINAL, message, Span(first, last), error_class, frames=tuple(frames)
                )
                index = place if place is not None else end - 1
                start, frames = None, []
            elif start is not None and _PLACE.match(text[:_LONGEST]):
                frames.append(_frame(text))
            index = starts.from_(index + 1)
        if before is not None:
            yield before

    def _summary(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        for at in starts_in(lines, self.name):
            line = lines[at]
            found = _SUMMARY.match(line.text)
            if found is None:
                continue
            rest = line.text[found.end() :]
            named = _CLASS.match(rest)
            error_class = named.group(1) if named else "AssertionError" if rest.startswith("assert ") else None
            message = rest[named.end() :] if named else rest
            span = Span(line.number, line.number)
            frame = Frame(found.group(1), function=found.group(2) or None)
            yield FoundError(self.name, Role.FINAL, message or rest, span, error_class, frames=(frame,))


def _told(lines: Sequence[CleanLine], place: str) -> tuple[str, str]:
    """Class and message of marked lines; `place` is the line behind them, which names the class too."""
    marked = [line.text[1:] for line in lines]
    margin = len(marked[0]) - len(marked[0].lstrip())
    texts = [line[margin:].rstrip() if not line[:margin].strip() else line.strip() for line in marked]
    named = _CLASS.match(texts[0])
    placed = _PLACE.match(place[:_LONGEST])
    # pytest leaves out the name of the one it is made for: "E  assert 4 == 2"
    error_class = named.group(1) if named else (placed.group(4) if placed else None) or "AssertionError"
    first = texts[0][named.end() :] if named else texts[0]
    return error_class, "\n".join([first, *texts[1:]]).strip() or error_class


def _marked_end(lines: Sequence[CleanLine], index: int) -> int:
    while index < len(lines) and (lines[index].text == "E" or lines[index].text.startswith("E ")):
        index += 1
    return index


def _place_behind(lines: Sequence[CleanLine], index: int) -> int | None:
    """The line `path:12: SomeError` behind the marked ones: next, or next but one."""
    for ahead in range(index, min(index + 2, len(lines))):
        found = _PLACE.match(lines[ahead].text[:_LONGEST])
        if found and not found.group(3):
            return ahead
    return None


def _frame(text: str) -> Frame:
    found = _PLACE.match(text[:_LONGEST])
    assert found is not None
    return Frame(found.group(1), int(found.group(2)), found.group(3) or None)


_LONGEST = 2_000
_LINKS = {
    "During handling of the above exception, another exception occurred:": Role.EARLIER,
    "The above exception was the direct cause of the following exception:": Role.ROOT_CAUSE,
}
_SECTION = Expression(r"_{3,} .{1,300} _{3,}")
_MARKED = Expression(r"E {2,}\S")
_PLACE = Expression(r"((?:[A-Za-z]:)?[^\s:][^:]*\.\w{1,5}):(\d{1,7}):(?: in (\S.{0,200})| (\w[\w.]*))?\s*$")
_CLASS = Expression(r"((?:[A-Za-z_]\w*\.)*[A-Z]\w*)(?:: |:?$)")
_SUMMARY = Expression(r"(?:FAILED|ERROR) ([^\s:]+\.py)(?:::(\S.*?))? - ")
