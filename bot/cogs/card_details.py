"""Everything about a record as one message and its files."""

from io import BytesIO
from typing import Any

import discord
from discord import ui

from bot.answers.answer import Details, Section
from bot.answers.cutting import cut_prose, length
from bot.answers.plain_text import as_text, details_blocks
from bot.cogs.card_markdown import fence, line, prose
from bot.locales.words import Words

# Discord counts 4,000 over all text displays; what is left over is for the line that names the file.
TEXT_LENGTH = 3700
_SECTION_LENGTH = 900  # so that no section leaves the others nothing
_COLOUR = 0x4A86C5
WHOLE_FILE = "details.txt"


def details_view(details: Details, words: Words) -> tuple[ui.LayoutView, list[discord.File]]:
    """Return what "More" shows, and the files to send with it.

    Where the text does not fit, each section shows its beginning and `details.txt` holds everything whole. Code is
    never shown in part: it is inline, or in a file. The files are open and can be sent once.
    """
    files = [discord.File(BytesIO(file.data), file.name) for file in details.files]
    texts: list[str] = [f"### {line(details.title)}\n-# {line(details.repo)} · {words(f'severity-{details.severity}')}"]
    origin = line(" · ".join(filter(None, (details.source.label, details.ai_note))))
    room = TEXT_LENGTH - length(texts[0]) - length(origin)
    whole = True
    for section in details.sections:
        text, complete = _section(section, details.language, min(room, max(_SECTION_LENGTH, room // 2)))
        whole = whole and complete
        if text:
            texts.append(text)
            room -= length(text)
    if not whole:
        data = as_text(details_blocks(details, words)).encode()
        files.append(discord.File(BytesIO(data), WHOLE_FILE))
        texts.append(f"-# {line(words('details-rest-in-file', name=WHOLE_FILE))}")
    texts.append(f"-# {origin}")
    container: ui.Container[Any] = ui.Container(*map(ui.TextDisplay, texts), accent_colour=discord.Colour(_COLOUR))
    links = [(words("button-source"), details.source.url), (words("button-page"), details.page_url)]
    buttons = [ui.Button[Any](style=discord.ButtonStyle.link, label=label, url=url) for label, url in links if url]
    if buttons:
        container.add_item(ui.ActionRow(*buttons))
    view = ui.LayoutView(timeout=None)
    view.add_item(container)
    for file in files:
        view.add_item(ui.File(file))
    return view, files


def _section(section: Section, language: str, room: int) -> tuple[str, bool]:
    """The section's Markdown in at most `room` characters, and whether that is all of it; "" where nothing fits."""
    lines = [f"**{section.heading}**"]
    room -= length(lines[0])
    complete = True
    for text in filter(None, section.text.split("\n")):
        complete = _add(lines, prose(text), text, room - _used(lines)) and complete
    for number, item in enumerate(section.items, 1):
        if not complete:
            break
        mark = f"{number}. " if section.numbered else "- "
        complete = _add(lines, mark + line(item), item, room - _used(lines), mark)
    for piece in section.code:
        block = fence(piece, language)
        if length(block) + 1 > room - _used(lines):
            complete = False
            continue
        lines.append(block)
    return ("\n".join(lines) if len(lines) > 1 else ""), complete


def _add(lines: list[str], shown: str, text: str, room: int, mark: str = "") -> bool:
    """Append the line, or as much of its text as fits once escaped; tell whether it was all."""
    if length(shown) + 1 <= room:
        lines.append(shown)
        return True
    # Escaping at most doubles a text, so this ends after two rounds.
    limit = room - length(mark) - 1
    while limit >= 40:  # a shorter beginning tells nothing
        shorter = mark + line(cut_prose(text, limit))
        if length(shorter) + 1 <= room:
            lines.append(shorter)
            return False
        limit = limit * 2 // 3
    return False


def _used(lines: list[str]) -> int:
    return sum(length(shown) + 1 for shown in lines[1:])
