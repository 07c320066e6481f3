"""Answers and details as blocks of plain text, for the terminal and wherever there is no Markdown."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from bot.answers.answer import Answer, Certainty, Details, Section, Source
from bot.locales.words import Words


class Kind(StrEnum):
    """What a block is, for whoever gives it a look."""

    TITLE = "title"
    CERTAINTY = "certainty"
    NOTE = "note"
    QUOTE = "quote"
    HEADING = "heading"
    TEXT = "text"
    STEP = "step"
    ITEM = "item"
    CODE = "code"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text of one kind. `mark` stands before it: the number of a step, the dot of an item, or ""."""

    kind: Kind
    text: str
    mark: str = ""


def certainty(answer: Answer, words: Words) -> str:
    """Return the few words that tell an exact answer from a guess."""
    if answer.certainty is Certainty.GUESS:
        return words("card-guess", percent=answer.percent or 1)
    return words(f"card-{answer.certainty.value.replace('_', '-')}")


def left_out(answer: Answer, words: Words) -> str:
    """Return the line that says what is behind "More"; "" where nothing is."""
    if answer.hidden_steps:
        return words("card-hidden-steps", count=answer.hidden_steps)
    return words("card-shortened") if answer.shortened else ""


def answer_blocks(answer: Answer, words: Words) -> tuple[Block, ...]:
    """Return an answer from its title to its source. Texts are clean; nothing is empty."""
    blocks = [
        Block(Kind.TITLE, answer.title),
        Block(Kind.NOTE, _joined(answer.repo, words(f"severity-{answer.severity.value}"), answer.record_id)),
        Block(Kind.CERTAINTY, certainty(answer, words)),
        Block(Kind.NOTE, f"{answer.how} {answer.reason}".strip()),
        Block(Kind.NOTE, answer.read_from),
        Block(Kind.QUOTE, answer.quote or ""),
        *(Block(Kind.ITEM, f"{capture.name} = {capture.value}", "•") for capture in answer.captures),
        Block(Kind.TEXT, answer.meaning),
    ]
    if answer.steps:
        blocks.append(Block(Kind.HEADING, words("card-what-to-do")))
        blocks += _numbered(answer.steps)
    blocks.append(Block(Kind.NOTE, left_out(answer, words)))
    if answer.more_count:
        blocks.append(Block(Kind.NOTE, words("button-others", count=answer.more_count)))
    blocks.append(Block(Kind.NOTE, answer.not_read))
    blocks += _origin(answer.source, answer.ai_note)
    return tuple(block for block in blocks if block.text)


def details_blocks(details: Details, words: Words) -> tuple[Block, ...]:
    """Return everything about a record; code that Discord gets as files is here in its place, whole."""
    blocks = [
        Block(Kind.TITLE, details.title),
        Block(Kind.NOTE, _joined(details.repo, words(f"severity-{details.severity.value}"), details.record_id)),
    ]
    inline = {words("details-in-file", name=file.name): file.data.decode().rstrip("\n") for file in details.files}
    for section in details.sections:
        blocks += _section(section, inline)
    blocks += _origin(details.source, details.ai_note)
    if details.page_url:
        blocks.append(Block(Kind.LINK, details.page_url))
    return tuple(block for block in blocks if block.text)


def as_text(blocks: Iterable[Block]) -> str:
    """Return blocks as one text: an empty line before headings, code indented by four spaces, a line end at the end."""
    lines: list[str] = []
    for block in blocks:
        if block.kind is Kind.HEADING and lines:
            lines.append("")
        if block.kind in {Kind.CODE, Kind.QUOTE}:
            lines += [f"    {line}".rstrip() for line in block.text.split("\n")]
        else:
            lines.append(f"{block.mark} {block.text}".lstrip() if block.mark else block.text)
    return "\n".join(lines) + "\n"


def _section(section: Section, inline: dict[str, str]) -> list[Block]:
    blocks = [Block(Kind.HEADING, section.heading)]
    if section.text in inline:
        blocks.append(Block(Kind.CODE, inline[section.text]))
    else:
        blocks.append(Block(Kind.TEXT, section.text))
    blocks += _numbered(section.items) if section.numbered else [Block(Kind.ITEM, item, "•") for item in section.items]
    blocks += [Block(Kind.CODE, piece) for piece in section.code]
    return blocks


def _numbered(steps: tuple[str, ...]) -> list[Block]:
    return [Block(Kind.STEP, step, f"{number}.") for number, step in enumerate(steps, 1)]


def _origin(source: Source, ai_note: str | None) -> list[Block]:
    return [
        Block(Kind.NOTE, _joined(source.label, ai_note)),
        Block(Kind.LINK, source.url or ""),
    ]


def _joined(*texts: str | None) -> str:
    return " · ".join(filter(None, texts))
