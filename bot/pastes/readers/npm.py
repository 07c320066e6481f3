"""Package managers of JavaScript: npm, pnpm, yarn, and node-gyp beneath them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.pastes.readers.expressions import Expression, Match
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role, Span
from bot.pastes.readers.javascript_frames import frame_of
from bot.pastes.readers.links import Link, number, text_of
from bot.pastes.readers.starts import starts_in

_NPM = Expression(r"^npm (?:ERR!|error)(?: (?P<rest>.*))?$")
_CODE = Expression(r"^code (?P<code>[A-Z0-9_]+)$")
# What npm says about an error besides its sentence; none of them is one.
_DETAIL = Expression(
    r"^(?:(?:code|errno|syscall|path|dest|cwd|command (?:sh|cmd|[A-Z]:)|signal|file|parent|spawn"
    r"|workspace|location|node|npm|argv|type|name|address|port|host"
    r"|hostname|method|requiredBy|prefix|dev|optional) .*"
    r"|A complete log of this run can be found.*|Please include the following file.*"
    r"|If you believe this might be a permissions.*"
    r"|\{.*|\}.*|Failed at the .* script.*|This is probably not a problem.*"
    r"|This is related to npm not being able to find a file.*)$"
)
# npm repeats the code in small letters, or in full, before each line of its explanation.
_LABEL = Expression(
    r"^(?:(?P<label>enoent|notarget|network|ERESOLVE|EACCES|eacces|ENOENT|engine|notsup|gyp|cb|audit|arg"
    r"|usage|config|code"
    r"|enolocal|eexist|EEXIST|Invalid|ejsonparse|JSON\.parse|EJSONPARSE|EUSAGE|EBADENGINE|EINTEGRITY"
    r"|ETARGET|E40[134])(?: |$))?(?P<message>.*)$"
)
_NPM_STATUS = Expression(r"^E(?P<status>[45]\d\d)$")
_GYP = Expression(r"^(?:npm (?:ERR!|error) )?gyp (?:ERR!|error) (?P<rest>.*)$")
_GYP_STACK = Expression(r"^stack (?:(?P<class>\w*Error): )?(?P<message>.*)$")
_EXIT = Expression(r"^(?:Exit status|Command failed with exit code|command failed).*$")

_PNPM = Expression(r"^(?:\[?ERROR\]? )?\[?(?P<code>ERR_PNPM_[A-Z0-9_]+)\]?:?\s+(?P<message>.+)$")
_PNPM_LIFECYCLE = Expression(r"^(?:\[?ERROR\]? )?(?P<code>ELIFECYCLE)\s+(?P<message>\S.*)$")
_PNPM_STATUS = Expression(r"(?:_(?P<code>[45]\d\d)$| - (?P<status>[45]\d\d)$)")

_YARN_RUNS = Expression(
    r"^yarn (?:run|install|add|global|remove|upgrade|v?\d|create|workspace)\S*"
    r"|^info Visit https://(?:classic\.)?yarnpkg\.com"
)
_YARN = Expression(r"^error (?P<message>\S.*)$")
_YARN_UNEXPECTED = Expression(r"^An unexpected error occurred: \"(?P<message>.+?)\"?\.?$")
_BERRY = Expression(
    r"^(?:➤ )?(?P<code>YN\d{4}): ?(?:[│┌└] ?)*(?:(?P<package>(?:@[\w.\-]+/)?[\w.\-]+@\S+): )?(?P<message>.+)$"
)
_BERRY_USAGE = Expression(r"^(?P<label>Usage Error|Internal Error): (?P<message>.*)$")
# Berry's numbers that tell of progress, of advice or of nothing at all.
_BERRY_QUIET = {
    *("YN0000", "YN0002", "YN0004", "YN0005", "YN0006", "YN0007", "YN0008", "YN0013", "YN0014", "YN0019", "YN0032"),
    *("YN0034", "YN0060", "YN0061", "YN0065", "YN0068", "YN0076", "YN0084", "YN0085", "YN0086", "YN0087", "YN0088"),
}
# The sentences of classic yarn that come without the lines around them.
_YARN_SENTENCES = (
    *("An unexpected error occurred", "Couldn't find ", "Command failed", "Found incompatible module", 'Command "'),
    *("Your lockfile needs", 'Package "', "An unexpected", "Missing list of packages", "Running this command"),
)


_ADVICE = ("info Visit ", "info If you think", "This error happened while installing", "➤ YN0000: ")
_ADVICE_LINES = 5


class NpmReader:
    """What npm, pnpm, yarn and node-gyp say when they give up."""

    name = "npm"
    begins = Begins(
        (
            *(_NPM.pattern, _GYP.pattern, "ERR_PNPM_|ELIFECYCLE", _YARN.pattern),
            *(_BERRY_USAGE.pattern, r"YN\d{4}"),
        ),
        notes=(_YARN_RUNS.pattern,),
    )

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        """The errors in their order: one for each run of lines that npm marks as one error."""
        starts = starts_in(lines, self.name)
        yarn = any(_YARN_RUNS.match(text_of(lines[index])) for index in starts)
        at = starts.from_(0)
        while at < len(lines):
            text = text_of(lines[at])
            if _NPM.match(text) or _GYP.match(text):
                found, at = _read_npm(lines, at)
                yield from found
                at = starts.from_(at)
                continue
            single = _pnpm(lines[at], text) or _yarn(lines[at], text, known=yarn) or _berry(lines[at], text)
            at += 1
            if single:
                end = _after_advice(lines, at)
                yield replace(single, span=Span(single.span.first, lines[end - 1].number))
                at = end
            at = starts.from_(at)


def _read_npm(lines: Sequence[CleanLine], at: int) -> tuple[list[FoundError], int]:
    """Read one run of npm's lines, to a second `code` or their end; returns what it says and the line after it."""
    first = lines[at].number
    npm = Link([], first, first)
    gyp: Link | None = None
    rests: list[str] = []
    while at < len(lines):
        text = text_of(lines[at])
        under = _GYP.match(text)
        mine = _NPM.match(text)
        if under:
            gyp = _read_gyp(lines[at], under, gyp)
        elif mine:
            rest = (mine.group("rest") or "").strip()
            if rest.startswith("gyp "):
                rest = ""
            code = _CODE.match(rest)
            if code and (npm.code or rests):
                break
            npm.code = code.group("code") if code else npm.code
            rests.append(rest)
        elif text:
            break
        else:
            following = text_of(lines[at + 1]) if at + 1 < len(lines) else ""
            if not (_NPM.match(following) or _GYP.match(following)):
                break
            at += 1
            continue
        npm.last = lines[at].number
        at += 1
    said = _sentences(rests)
    found: list[FoundError] = []
    deepest = gyp if gyp and gyp.lines else None
    if said:
        _finish(npm, said)
        found.append(npm.found(NpmReader.name, Role.WRAPPER if deepest else Role.FINAL))
    if deepest:
        found.append(deepest.found(NpmReader.name, Role.ROOT_CAUSE if said else Role.FINAL))
    return found, at


def _sentences(rests: Sequence[str]) -> list[str]:
    """What npm says in its first paragraph, without its details."""
    said: list[str] = []
    for rest in rests:
        if not rest:
            if said:
                break
            continue
        if _DETAIL.match(rest) and not rest.startswith("path must"):
            if said:
                break
            continue
        labelled = _LABEL.match(rest)
        message = (labelled.group("message") if labelled else rest) or ""
        if message.strip():
            said.append(message.strip())
        elif said:
            break
    return said


def _finish(npm: Link, said: list[str]) -> None:
    """Keep the sentence, which is the first line; only a peer conflict and an exit tell more in the next ones."""
    exits = next((line for line in said if _EXIT.match(line)), None)
    npm.lines = [
        exits if exits and said[0] != exits and npm.code in {None, "ELIFECYCLE"} and "`" in said[0] else said[0]
    ]
    if npm.code and not any(letter.isalpha() for letter in npm.code):
        npm.code = None
    status = _NPM_STATUS.match(npm.code or "")
    npm.http_status = number(status.group("status")) if status else None


def _read_gyp(line: CleanLine, under: Match, gyp: Link | None) -> Link:
    rest = under.group("rest") or ""
    stack = _GYP_STACK.match(rest)
    link = gyp or Link([], line.number, line.number)
    if not link.lines:
        link.first = line.number
    frame: Frame | None = frame_of((stack.group("message") or "").strip()) if stack else None
    if frame:
        link.printed.append(frame)
    elif stack and not link.lines:
        link.error_class = stack.group("class")
        link.lines.append((stack.group("message") or "").strip())
    link.last = line.number
    return link


def _pnpm(line: CleanLine, text: str) -> FoundError | None:
    if "ERR_PNPM_" not in text and "ELIFECYCLE" not in text:
        return None
    found = _PNPM.match(text) or _PNPM_LIFECYCLE.match(text)
    if found is None:
        return None
    code, message = found.group("code") or "", found.group("message") or ""
    status = _PNPM_STATUS.search(message) or _PNPM_STATUS.search(code)
    digits = (status.group("status") or status.group("code")) if status else None
    return _single(line, message, code, number(digits))


def _yarn(line: CleanLine, text: str, *, known: bool) -> FoundError | None:
    found = _YARN.match(text)
    if found is None:
        return None
    message = found.group("message") or ""
    if not known and not message.startswith(_YARN_SENTENCES):
        return None
    unexpected = _YARN_UNEXPECTED.match(message)
    return _single(line, (unexpected.group("message") if unexpected else message) or message, None, None)


def _berry(line: CleanLine, text: str) -> FoundError | None:
    usage = _BERRY_USAGE.match(text)
    if usage:
        return _single(line, usage.group("message") or "", None, None)
    found = _BERRY.match(text) if "YN" in text else None
    if found is None or found.group("code") in _BERRY_QUIET:
        return None
    package = found.group("package")
    message = (f"{package}: " if package else "") + (found.group("message") or "")
    return _single(line, message, found.group("code"), None)


def _after_advice(lines: Sequence[CleanLine], at: int) -> int:
    """The line after what these tools say below every error: where to read on, what was being installed."""
    end = at
    for index in range(at, min(at + _ADVICE_LINES, len(lines))):
        text = text_of(lines[index])
        if text and not text.startswith(_ADVICE):
            break
        if text:
            end = index + 1
    return end


def _single(line: CleanLine, message: str, code: str | None, status: int | None) -> FoundError:
    span = Span(line.number, line.number)
    return FoundError(NpmReader.name, Role.FINAL, message, span, code=code, http_status=status)
