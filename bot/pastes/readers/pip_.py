"""pip (and uv, which draws the same boxes): what it could not find, resolve, build or write."""

from collections.abc import Iterable, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Role, Span
from bot.pastes.readers.starts import starts_in


class PipReader:
    """Errors of pip itself. What a build it ran has printed belongs to the readers of that language."""

    name = "pip"
    begins = Begins(("^(?:error: |×)",), levels=frozenset({"ERROR"}))

    def read(self, lines: Sequence[CleanLine]) -> Iterable[FoundError]:
        """Errors that only report a failed build are wrappers: the cause stands above them."""
        starts = starts_in(lines, self.name)
        index = starts.from_(0)
        while index < len(lines):
            error, index = self._at(lines, index)
            if error is not None:
                yield error
            index = starts.from_(index)

    def _at(self, lines: Sequence[CleanLine], index: int) -> tuple[FoundError | None, int]:
        """The error that begins with this line, and the index behind it."""
        line = lines[index]
        if line.text.startswith(("error: ", "×")) or (line.level == "ERROR" and _SLUG.fullmatch(line.text)):
            found = _SLUG.fullmatch(line.text)
            box = index + 1 if found else index
            while box < min(index + 3, len(lines)) and not lines[box].text:
                box += 1
            # systemctl draws the same cross, with nothing hanging on it.
            hangs = box + 1 < len(lines) and _RAIL.match(lines[box + 1].text)
            if box < len(lines) and lines[box].text.startswith("×") and (hangs or found):
                return self._boxed(lines, index, box, found.group(1) if found else None)
            return None, index + 1
        if line.level != "ERROR" or (found := _OWN.match(line.text)) is None:
            return None, index + 1
        end = index + 1
        if _CONFLICTS.match(line.text):
            while end < len(lines) and _REQUIRES.search(lines[end].text):
                end += 1
        message = "\n".join(each.text for each in lines[index:end])
        named = _NAMED.search(message)
        role = Role.WRAPPER if _REPORTS.match(line.text) else Role.FINAL
        span = Span(line.number, lines[end - 1].number)
        return FoundError(self.name, role, message, span, named.group(1) if named else None), end

    def _boxed(self, lines: Sequence[CleanLine], start: int, box: int, code: str | None) -> tuple[FoundError, int]:
        """Of a box, the line marked × and those hanging on it, up to the output of a build."""
        texts = [lines[box].text[1:].strip()]
        end = box + 1
        while end < len(lines) and (found := _RAIL.match(lines[end].text)):
            words = lines[end].text[found.end() :].strip()
            if words and not _OUTPUT.match(words):
                texts.append(words)
            end += 1
        # A reason of several lines is indented below its first.
        if _RAIL_END.match(lines[end - 1].text) and not _OUTPUT.search(lines[end - 1].text):
            while end < len(lines) and lines[end].indent > lines[box].indent and lines[end].text:
                texts.append(lines[end].text)
                end += 1
        role = Role.WRAPPER if code in _WRAPPERS else Role.FINAL
        span = Span(lines[start].number, lines[end - 1].number)
        return FoundError(self.name, role, "\n".join(texts), span, code=code), end


_SLUG = Expression(r"(?:error: )?([a-z]+(?:-[a-z]+)+)")
_WRAPPERS = frozenset(
    {
        "subprocess-exited-with-error",
        "metadata-generation-failed",
        "legacy-install-failure",
        "failed-wheel-build-for-install",
    }
)
_RAIL = Expression(r"(?:│|╰─[>▶]|├─[>▶])")
_RAIL_END = Expression(r"╰─[>▶]")
_OUTPUT = Expression(r"\[\d+ lines? of output\]|\[no output\]")
# Their beginnings, as pip prints them behind ERROR:
_OWN = Expression(
    r"Could not (?:find a version|install packages|build wheels|open requirements file|detect requirement)"
    r"|No matching distribution found|Cannot (?:install|uninstall)\b|ResolutionImpossible|pip's dependency resolver"
    r"|Failed (?:building wheel|to build installable wheels|cleaning build dir)|Command errored out|Invalid requirement"
    r"|Package '.+' requires a different Python|Ignored the following|THESE PACKAGES DO NOT MATCH|Directory '.+' is not"
    r"|\S+\.whl is not a (?:supported|valid) wheel|HTTP error \d+ while|File '.+' does not"
    r"|Error while checking for conflicts"
    r"|Exception:$|Double requirement given|Requested \S+ from|Wheel '.+' located"
)
_REPORTS = Expression(
    r"Could not build wheels|Failed building wheel|Failed to build installable|Command errored out|ResolutionImpossible"
)
_CONFLICTS = Expression(r"pip's dependency resolver")
_REQUIRES = Expression(r" requires .+, (?:but you have|which is not installed)")
_NAMED = Expression(r"(?:due to an |^)([A-Z]\w+(?:Error|Exception|Impossible))\b")
