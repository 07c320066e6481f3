"""Frames of JavaScript stacks, as V8, SpiderMonkey and JavaScriptCore print them."""

from bot.pastes.readers.expressions import Expression, Match
from bot.pastes.readers.found import Frame
from bot.pastes.readers.links import number

_V8 = Expression(r"^at (?:async )?(?P<function>\S.*?) \((?P<file>\S.*?):(?P<line>\d+):\d+\)(?: \{)?$")
_V8_NAMELESS = Expression(r"^at (?:async )?(?P<function>)(?P<file>[^\s(].*?):(?P<line>\d+):\d+(?: \{)?$")
_V8_PLACELESS = Expression(r"^at (?P<function>\S.*?) \((?:<anonymous>|native|native code|index \d+)\)(?: \{)?$")
GECKO_FRAME = (
    r"^(?P<function>[^\s@]*)(?:@|\s{1,8})(?P<file>(?:https?|file|moz-extension|webpack(?:-internal)?"
    r"|resource)://\S+?):(?P<line>\d+)(?::\d+)?$"
)
_GECKO = Expression(GECKO_FRAME)
_PNPM = Expression(r"/\.pnpm/(?:@[\w.\-]+\+)?[\w.\-]+@(?P<version>\d[\w.\-]*)")
_INSTALLED = Expression(r"^.*[/\\]node_modules[/\\](?P<package>(?:@[\w.\-]+[/\\])?[\w.\-]+)[/\\]")


def frame_of(text: str) -> Frame | None:
    """The frame this line prints, or None where it prints none."""
    if text.startswith("at "):
        found = _V8.match(text) or _V8_NAMELESS.match(text)
        if found:
            return _placed(found)
        found = _V8_PLACELESS.match(text)
        return Frame(function=found.group("function")) if found else None
    if "://" not in text:
        return None
    found = _GECKO.match(text)
    return _placed(found) if found else None


def is_elision(text: str) -> bool:
    """Whether this line stands for frames that were left out."""
    return text.startswith("... ") and text.endswith(("...", "... {"))


def _placed(found: Match) -> Frame:
    file = found.group("file") or ""
    version = _PNPM.search(file)
    package = _INSTALLED.match(file)
    return Frame(
        file=file,
        line=number(found.group("line")),
        function=found.group("function") or None,
        package=(package.group("package") or "").replace("\\", "/") if package else None,
        version=version.group("version") if version else None,
    )
