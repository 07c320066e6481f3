"""The text of an error page, read back into its fields."""

import re
from dataclasses import dataclass, field

from bot.records.decode import decode_page
from bot.records.errors import InvalidRecord
from bot.records.page import Page
from bot.records.template import derive_pattern
from bot.sources.page_lines import Lines, first_heading, first_text, joined, last_heading, without_blank_ends
from bot.sources.page_middle import MIDDLE_HEADINGS, read_middle

_HEADER = re.compile(r"\s*([\w.-]+/[\w.-]+)\s+·\s+(\w+)(?:\s+·\s+(\S.*?))?\s*")
_FOOTER_SOURCE = re.compile(r"(?<![\w./-])([\w.-]+/[\w.-]+)@([0-9a-f]{7,40})\s+\((\d{4}-\d\d-\d\d)\)")
_FOOTER_ID = re.compile(r"/api/errors/([0-9A-Za-z]+)")
_THROWN_AT = re.compile(r"Thrown at (\S.*?)(?::(\d{1,9}))?")
_SOURCE_END = re.compile(r"\s*View on GitHub \(pinned to [0-9a-f]{7,40}\)\s*")
_BULLET = re.compile(r"\s*[•*-]\s+")
_LONGEST_HEADER = 1_000  # repository, severity and class; the regex takes quadratic time over runs of spaces
_TRIGGER, _SITUATIONS = "Trigger:", "Common situations:"


def is_page(text: str) -> bool:
    """Whether a text begins like an error page, with `owner/name · severity`."""
    return (
        _HEADER.fullmatch(first_text(text[:4096].removeprefix("\ufeff").splitlines(), 0)[:_LONGEST_HEADER]) is not None
    )


def parse_page(text: str, origin: str) -> Page:
    """The page in this text; its pattern is derived from its message. A section that is missing leaves its field empty.

    Headings are looked for from the outside inwards and in the order pages have them, so that code and prose may hold
    the same words: a source excerpt ends at its link, whatever stands in it.

    Raises InvalidRecord with all problems at once.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    reading = _Reading()
    body = reading.header(without_blank_ends(lines))
    body = reading.footer(body)
    body = reading.related_errors(body)
    body = reading.circumstances(body)
    front, source, middle = _around_source(body)
    reading.front(front)
    reading.source(source)
    reading.middle(middle)
    try:
        page = decode_page(reading.fields, origin)
    except InvalidRecord as invalid:
        raise InvalidRecord(origin, (*invalid.problems, *reading.problems)) from invalid
    if reading.problems:
        raise InvalidRecord(origin, tuple(reading.problems))
    return page


@dataclass(slots=True)
class _Reading:
    """What was found so far, under upstream's names. Each method takes its section and returns the lines left over."""

    fields: dict[str, object] = field(
        default_factory=lambda: {
            "documentation": "",
            "triggerScenarios": "",
            "commonSituations": "",
            "relatedErrors": [],
            "messagePattern": "",
        }
    )
    problems: list[str] = field(default_factory=list)

    def header(self, lines: Lines) -> Lines:
        header = _HEADER.fullmatch(lines[0][:_LONGEST_HEADER]) if lines else None
        if header is None:
            return lines
        self.fields |= {"repo": header[1], "severity": header[2]}
        if header[3]:
            self.fields["errorClass"] = header[3]
        return without_blank_ends(lines[1:])

    def footer(self, lines: Lines) -> Lines:
        for index in reversed(range(len(lines))):
            source, identity = _FOOTER_SOURCE.search(lines[index]), _FOOTER_ID.search(lines[index])
            if source is None or identity is None:
                continue
            self.fields |= {"id": identity[1], "analyzedSha": source[2], "analyzedOn": source[3]}
            repository = str(self.fields.get("repo"))
            if source[1].lower() != repository.lower():
                self.problems.append(f"repo: the first line says {repository}, the last {source[1]}")
            return lines[:index]
        return lines

    def related_errors(self, lines: Lines) -> Lines:
        start = last_heading(lines, "Related errors", lambda following: _BULLET.match(following + " ") is not None)
        if start is None:
            return lines
        related: list[list[str]] = []
        for line in lines[start + 1 :]:
            if bullet := _BULLET.match(line):
                related.append([line[bullet.end() :]])
            elif related:
                related[-1].append(line)
        self.fields["relatedErrors"] = [text for item in related if (text := joined(item).strip())]
        return lines[:start]

    def circumstances(self, lines: Lines) -> Lines:
        start = last_heading(lines, "When it happens", lambda following: following.startswith((_TRIGGER, _SITUATIONS)))
        if start is None:
            return lines
        texts: dict[str, list[str]] = {_TRIGGER: [], _SITUATIONS: []}
        current = texts[_TRIGGER]
        for line in lines[start + 1 :]:
            label = next((label for label, text in texts.items() if line.startswith(label) and not any(text)), None)
            current = current if label is None else texts[label]
            current.append(line if label is None else line[len(label) :].strip())
        self.fields["triggerScenarios"] = joined(texts[_TRIGGER])
        self.fields["commonSituations"] = joined(texts[_SITUATIONS])
        return lines[:start]

    def front(self, lines: Lines) -> None:
        """The title, `Error message` and `What it means`."""
        lines = without_blank_ends(lines)
        message_at = first_heading(lines, "Error message", start=1)
        meaning_at = first_heading(lines, "What it means", start=1 if message_at is None else message_at + 1)
        meaning_at = len(lines) if meaning_at is None else meaning_at
        self.fields["documentation"] = joined(lines[meaning_at + 1 :])
        if title := joined(lines[: meaning_at if message_at is None else message_at]).strip():
            self.fields["title"] = title
        message = title if message_at is None else joined(lines[message_at + 1 : meaning_at]).strip()
        if message:
            self.fields["errorMessage"] = message
            # Where there is only a title, it may have been cut.
            self.fields["messagePattern"] = derive_pattern(message.rstrip("…") if message_at is None else message)

    def source(self, lines: Lines) -> None:
        lines = without_blank_ends(lines)
        thrown_at = _THROWN_AT.fullmatch(lines[0].strip()) if lines else None
        if thrown_at is None:
            return
        self.fields["filePath"] = thrown_at[1]
        if thrown_at[2]:
            self.fields["lineNumber"] = int(thrown_at[2])
        if excerpt := joined(lines[1:]):
            self.fields["sourceCode"] = excerpt

    def middle(self, lines: Lines) -> None:
        middle = read_middle(lines)
        self.fields |= {
            "solutions": middle.solutions,
            "exampleFix": middle.example_fix,
            "snippets": middle.snippets,
            "preventionTips": middle.prevention_tips,
        }


def _around_source(lines: Lines) -> tuple[Lines, Lines, Lines]:
    """What stands before the source excerpt, the section without its heading, and what stands behind it."""
    start = first_heading(lines, "Source", lambda following: _THROWN_AT.fullmatch(following) is not None)
    if start is None:
        behind = _first_section(lines, first_heading(lines, "What it means", start=1) or 1)
        return lines[:behind], (), lines[behind:]
    links = [index for index in range(start + 1, len(lines)) if _SOURCE_END.fullmatch(lines[index])]
    # The excerpt may quote such a link itself: the page's own is the last one that a section, or nothing, follows.
    for link in reversed(links):
        if first_text(lines, link + 1) in ("", *MIDDLE_HEADINGS):
            return lines[:start], lines[start + 1 : link], lines[link + 1 :]
    if links:
        return lines[:start], lines[start + 1 : links[0]], lines[links[0] + 1 :]
    behind = _first_section(lines, start + 1)
    return lines[:start], lines[start + 1 : behind], lines[behind:]


def _first_section(lines: Lines, start: int) -> int:
    found = (first_heading(lines, heading, start=start) for heading in MIDDLE_HEADINGS)
    return min((index for index in found if index is not None), default=len(lines))
