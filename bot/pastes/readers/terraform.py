"""Errors of Terraform and OpenTofu: a title, where it stands in the configuration, an explanation, often in a box."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role, Span
from bot.pastes.readers.line_rules import readable
from bot.pastes.readers.starts import starts_in

_TITLE = Expression(r"^(?:[│|]\s*)?(?:Error: )?(?P<title>\S.*)$")
_LABELLED = Expression(r"^(?:[│|]\s*)?Error: \S")
_PLACE = Expression(r"^on (?P<file>\S.*\.tf(?:vars)?(?:\.json)?) line (?P<line>\d+)(?:, in (?P<function>[^:\n]+))?:?")
_ABOUT = Expression(r"^with [\w.\[\]\"/-]+,$")
_EXCERPT = Expression(r"^\d+: .*$")
_OURS = Expression(
    r"\b(?:terraform|tofu) (?:init|plan|apply|destroy|validate|import|refresh)\b|"
    r"^(?:Terraform|OpenTofu) (?:used|has|will) |^Initializing (?:the backend|provider plugins|modules)|\bhashicorp/"
)
_STATUS = Expression(
    r"(?:StatusCode|status code|Error|HTTP(?: response)?(?: status)?(?: code)?):? (?P<status>[45]\d\d)\b"
)
_CODE = Expression(
    r"(?:api error (?P<api>\w+):|^(?:.*: )?(?P<dotted>[A-Z]\w+(?:\.[A-Z]\w+)+|[A-Z][a-z]+[A-Z]\w+Exception): |"
    r"Code=\"(?P<azure>\w+)\"|, (?P<google>[a-z]+[A-Z]\w+)$)"
)
# A diagnostic is a title, a place, an excerpt and a paragraph or two.
_MOST_LINES = 40
_NEAR = 6


class TerraformReader:
    """A diagnostic's message is its title and the first paragraph of its explanation."""

    name = "terraform"
    begins = Begins((_LABELLED.pattern,), levels=frozenset({"ERROR"}), notes=(_OURS.pattern,))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        starts = starts_in(lines, self.name)
        told = any(_OURS.search(readable(lines[index])) for index in starts)
        at = starts.from_(0)
        while at < len(lines):
            if self._begins(lines, at, told=told):
                error, at = self._diagnostic(lines, at)
                yield error
            else:
                at += 1
            at = starts.from_(at)

    def _begins(self, lines: Sequence[CleanLine], at: int, *, told: bool) -> bool:
        """A title in a box, or one in a text that names the tool or shows a place in a configuration behind it."""
        text = readable(lines[at])
        if _LABELLED.search(text) is None and not (lines[at].level == "ERROR" and _after_box_top(lines, at)):
            return False
        if text.startswith("│") or _after_box_top(lines, at):
            return True
        below = [_bare(line) for line in lines[at + 1 : at + 1 + _NEAR]]
        return told or any(_PLACE.search(line) or _ABOUT.search(line) for line in below)

    def _diagnostic(self, lines: Sequence[CleanLine], at: int) -> tuple[FoundError, int]:
        title = _TITLE.search(readable(lines[at]))
        said = [title["title"] if title else ""]
        frame: Frame | None = None
        paragraph: list[str] = []
        last, after = at, at + 1
        values = False  # below a `├` stand the values of what the excerpt names
        while after < min(len(lines), at + _MOST_LINES):
            raw, text = readable(lines[after]), _bare(lines[after])
            if raw == "╵" or raw.startswith("╷") or _LABELLED.search(raw):
                last, after = (after, after + 1) if raw == "╵" else (last, after)
                break
            values = bool(text) and (values or text.startswith("├"))
            if not text:
                # an unboxed diagnostic ends with its explanation; the box tells its own end
                if paragraph and not raw and not lines[at].text.lstrip().startswith("│"):
                    break
                if paragraph and len(said) == 1:
                    said.append("\n".join(paragraph))
            elif place := _PLACE.search(text):
                frame = frame or Frame(place["file"], int(place["line"][:9]), place["function"])
                last = after
            elif values or _ABOUT.search(text) or _EXCERPT.search(text):
                last = after
            else:
                if len(said) == 1:
                    paragraph.append(text)
                last = after
            after += 1
        if len(said) == 1 and paragraph:
            said.append("\n".join(paragraph))
        message = "\n".join(said)
        return self._made(message, Span(lines[at].number, lines[last].number), frame), after

    def _made(self, message: str, span: Span, frame: Frame | None) -> FoundError:
        status, code = _STATUS.search(message), _CODE.search(message)
        return FoundError(
            reader=self.name,
            role=Role.FINAL,
            message=message,
            span=span,
            code=next(filter(None, code.groups()), None) if code else None,
            http_status=int(status["status"]) if status else None,
            frames=(frame,) if frame else (),
        )


def _bare(line: CleanLine) -> str:
    """The line without the side of the box."""
    text = readable(line)
    return text[1:].strip() if text[:1] in {"│", "┃"} else text


def _after_box_top(lines: Sequence[CleanLine], at: int) -> bool:
    return at > 0 and readable(lines[at - 1]) == "╷"


TERRAFORM = TerraformReader()
