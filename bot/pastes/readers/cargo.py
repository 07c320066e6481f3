"""The Rust toolchain: diagnostics of rustc and errors of cargo, with the chain of causes below them."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression, Match
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.line_blocks import MESSAGE_LINES, caused_by, number, span_of
from bot.pastes.readers.starts import starts_in, stripped

_HEADING = Expression(r"^(error|warning)(?:\[([A-Z]\d{4}|[a-z][\w:]*)\])?: (.+)$")
_PLACE = Expression(r"^(?:-->|╭▸|:::) (.+?):(\d+):\d+$")
_LINT = Expression(r"^= note: .*`#\[(?:warn|deny|forbid)\(([\w:]+)\)\]`")
_INNER = Expression(r"^(?:\d+ |\||\.\.\.$|= |-->|╭▸|:::|│|╰|[╭├]|note: |help: |\d+\||[/\\|_^-]+)")
_SUMMARY = Expression(
    r"^(?:aborting due to |could not compile |build failed, waiting|\d+ warnings? emitted|.* generated \d+ warnings?"
    r"|test failed, to rerun pass|Recipe .* failed)"
)
# Ways cargo itself starts an error: with one of these no further sign is needed.
_CARGO = Expression(
    r"^(?:failed to (?:select a version|parse manifest|parse lock|run custom build|load source|get `"
    r"|compile `|verify|update"
    r"|download|read `|load manifest|resolve|fetch|find|open: |run `rustc`|determine|sync|publish)"
    r"|no matching package|could not find `|linking with `"
    r"|linker `|package `|process didn't exit|package ID|no such (?:sub)?command|toolchain '|component "
    r"|target |the lock file|cannot (?:install|specify)"
    r"|no bin target|a bin target|manifest path|crate directory|spurious network|unable to (?:update|get)"
    r"|the package `|feature `|rustup could not)"
)
_BUILD = Expression(
    r"^(?:(?:Compiling|Checking|Downloaded|Fresh) \S+ v\d"
    r"|Running `|Blocking waiting for file lock|Updating crates\.io index"
    r"|Finished .+ target\(s\)|For more information about this error, try `rustc)"
)
# A diagnostic of one macro may quote hundreds of lines; what follows them is another diagnostic.
_BODY_LINES = 400


class CargoReader:
    """Reads rustc's and cargo's `error:` and `warning:` blocks.

    A heading counts when it has a code, a place below it, causes, or words cargo is known to say; `error:` alone is
    everybody's. The summaries at the end of a build say nothing and are left out.
    """

    name = "cargo"
    begins = Begins((_HEADING.pattern,), notes=(_BUILD.pattern,))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        texts, starts = stripped(lines), starts_in(lines, self.name)
        cargo_speaks = False
        at = starts.from_(0)
        while at < len(texts):
            text = texts[at]
            if not text.startswith(("error", "warning")):
                cargo_speaks = cargo_speaks or bool(_BUILD.search(text))
                at = starts.from_(at + 1)
                continue
            heading = _HEADING.search(text)
            if not heading or _SUMMARY.search(heading.group(3)):
                at = starts.from_(at + 1)
                continue
            found, after = self._block(lines, texts, at, heading, cargo_speaks=cargo_speaks)
            yield from found
            at = starts.from_(max(after, at + 1))

    def _block(
        self, lines: Sequence[CleanLine], texts: list[str], at: int, heading: Match, *, cargo_speaks: bool
    ) -> tuple[list[FoundError], int]:
        kind, code, message = heading.groups()
        lint, frames, end = _body(texts, at)
        code = code or lint
        known = cargo_speaks or bool(_CARGO.search(message))
        if kind == "error" and end == at and not code:
            return self._plain(lines, texts, at, message, known=known)
        if not (frames or (kind == "error" and (code or known))):
            return [], end + 1
        role = Role.EARLIER if kind == "warning" else Role.FINAL
        return [FoundError(self.name, role, message, span_of(lines, at, end), code=code, frames=frames)], end + 1

    def _plain(
        self, lines: Sequence[CleanLine], texts: list[str], at: int, message: str, *, known: bool
    ) -> tuple[list[FoundError], int]:
        """An error of cargo itself: lines up to a blank one, then causes."""
        end = at
        while end + 1 < len(texts) and texts[end + 1] and end - at < MESSAGE_LINES:
            if _HEADING.search(texts[end + 1]) or texts[end + 1].startswith(("Caused by:", "--- ", "thread '")):
                break
            end += 1
        ahead = end + 1
        while ahead < len(texts) and not texts[ahead]:
            ahead += 1
        links, after = caused_by(lines, texts, ahead)
        if not (links or known):
            return [], at + 1
        whole = "\n".join([message, *texts[at + 1 : end + 1]])
        found = [FoundError(self.name, Role.WRAPPER if links else Role.FINAL, whole, span_of(lines, at, end))]
        for link in links:
            role = Role.ROOT_CAUSE if link is links[-1] else Role.WRAPPER
            found.append(FoundError(self.name, role, link.message, span_of(lines, link.first, link.last)))
        return found, after if links else end + 1


def _body(texts: list[str], at: int) -> tuple[str | None, tuple[Frame, ...], int]:
    """The lint, the place and the last line of the picture below a heading."""
    lint: str | None = None
    frames: tuple[Frame, ...] = ()
    end = at
    while end + 1 < len(texts) and end - at < _BODY_LINES and _INNER.search(texts[end + 1]):
        end += 1
        if not frames and (placed := _PLACE.search(texts[end])):
            frames = (Frame(file=placed.group(1), line=number(placed.group(2))),)
        if lint is None and (named := _LINT.search(texts[end])):
            lint = named.group(1)
    return lint, frames, end
