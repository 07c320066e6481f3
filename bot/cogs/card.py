"""Answers as Discord sees them: Components V2 within every limit, whatever the record holds."""

from collections.abc import Callable, Sequence
from typing import Any

import discord
from discord import ui

from bot.answers.answer import Answer, Candidate, Certainty
from bot.answers.cutting import cut_prose
from bot.answers.plain_text import certainty, left_out
from bot.cogs.card_ids import Action, CardId
from bot.cogs.card_markdown import fence, inline_code, line, link, prose
from bot.locales.words import Words
from bot.matching.verdict import Tier

# Certainty is told by words and sign first; the colour repeats it for those who see it.
_LOOKS: dict[Certainty, tuple[str, int]] = {
    Certainty.EXACT: ("✅", 0x2E9E6B),
    Certainty.GUESS: ("❔", 0xE0A030),
    Certainty.RELATED: ("🔗", 0x8A6FD1),
    Certainty.LOOKED_UP: ("📖", 0x4A86C5),
}
_OTHERS = 5  # one row each; the buttons of their card know two

Item = ui.Item[Any]
ButtonMaker = Callable[[CardId, str, discord.ButtonStyle], Item]


def plain_button(card_id: CardId, label: str, style: discord.ButtonStyle) -> Item:
    """Return the button without anybody who listens; the cogs hand in a maker of DynamicItems instead."""
    return ui.Button(custom_id=str(card_id), label=label, style=style)


def card(answer: Answer, words: Words, answer_id: int = 0, make_button: ButtonMaker = plain_button) -> ui.LayoutView:
    """Return an answer as the one message it becomes.

    At most 40 components, 4,000 characters and five buttons a row; `answer_id` travels in every button as `CardId.ref`.
    What a person reads is at most about 900 characters, which `compose` sees to.
    """
    sign, colour = _LOOKS[answer.certainty]
    container: ui.Container[Any] = ui.Container(accent_colour=discord.Colour(colour))
    container.add_item(ui.TextDisplay(_head(answer, words, sign)))
    evidence = _evidence(answer)
    container.add_item(ui.TextDisplay(evidence))
    if answer.meaning:
        container.add_item(ui.TextDisplay(prose(answer.meaning)))
    if answer.steps:
        steps = "\n".join(f"{number}. {line(step)}" for number, step in enumerate(answer.steps, 1))
        container.add_item(ui.TextDisplay(f"**{words('card-what-to-do')}**\n{steps}"))
    container.add_item(ui.TextDisplay(_foot(answer, words)))
    container.add_item(_buttons(answer, words, answer_id, make_button))
    if answer.more_count:
        others = CardId(Action.OTHERS, answer.record_id, answer_id, answer.others)
        label = words("button-others", count=answer.more_count)
        container.add_item(ui.ActionRow(make_button(others, label, discord.ButtonStyle.secondary)))
    return _view(container)


def others_view(
    answers: Sequence[Answer], words: Words, answer_id: int = 0, make_button: ButtonMaker = plain_button
) -> ui.LayoutView:
    """Return the further errors of a log, at most five, each with a button that shows its card.

    Raises ValueError when there are none.
    """
    if not answers:
        raise ValueError("there are no further errors to list")
    shown = list({answer.record_id: answer for answer in answers}.values())[:_OTHERS]
    container: ui.Container[Any] = ui.Container(accent_colour=discord.Colour(_LOOKS[Certainty.LOOKED_UP][1]))
    container.add_item(ui.TextDisplay(f"**{words('others-title', count=len(answers))}**"))
    for answer in shown:
        show = CardId(Action.SHOW, answer.record_id, answer_id, (_as_candidate(answer),))
        text = (
            f"{line(answer.title)}\n-# {_LOOKS[answer.certainty][0]} {certainty(answer, words)} · {line(answer.repo)}"
        )
        button = make_button(show, words("button-show"), discord.ButtonStyle.secondary)
        container.add_item(ui.Section(ui.TextDisplay(text), accessory=button))
    return _view(container)


def notice(text: str) -> ui.LayoutView:
    """Return a plain sentence or a few, at most about 1,900 characters; only `inline code` in it is Markdown.

    Raises ValueError when there is nothing to say.
    """
    shown = prose(cut_prose(text.strip(), 1900))
    if not shown:
        raise ValueError("a notice needs words")
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay(shown))
    return view


def link_line(title: str, jump_url: str, words: Words) -> ui.LayoutView:
    """Return one line that leads to the card another message already has (C3). `jump_url` is Discord's own."""
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay(f"-# {line(words('link-same-error'))} {link(title, jump_url)}"))
    return view


def _view(container: ui.Container[Any]) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    view.add_item(container)
    return view


def _head(answer: Answer, words: Words, sign: str) -> str:
    severity = words(f"severity-{answer.severity.value}")
    return f"{sign} **{certainty(answer, words)}** · {line(answer.repo)} · {severity}\n### {line(answer.title)}"


def _evidence(answer: Answer) -> str:
    """How it is known: a sentence, the line, the values in it. The line keeps its own place: it is what people know."""
    parts = [f"-# {line(f'{answer.how} {answer.reason}')}"]
    if answer.read_from:
        parts.append(f"-# {line(answer.read_from)}")
    if answer.quote:
        parts.append(fence(answer.quote))
    captures = [f"{inline_code(capture.name)} = {inline_code(capture.value)}" for capture in answer.captures]
    if captures:
        parts.append(f"-# {' · '.join(captures)}")
    return "\n".join(parts)


def _foot(answer: Answer, words: Words) -> str:
    origin = " · ".join(filter(None, (answer.source.label, answer.ai_note)))
    return "\n".join(f"-# {line(text)}" for text in (left_out(answer, words), answer.not_read, origin) if text)


def _buttons(answer: Answer, words: Words, answer_id: int, make_button: ButtonMaker) -> "ui.ActionRow[Any]":
    primary, secondary = discord.ButtonStyle.primary, discord.ButtonStyle.secondary

    def button(action: Action, style: discord.ButtonStyle, candidates: tuple[Candidate, ...] = ()) -> Item:
        card_id = CardId(action, answer.record_id, answer_id, candidates)
        return make_button(card_id, words(f"button-{action.value}"), style)

    row: ui.ActionRow[Any] = ui.ActionRow(
        button(Action.MORE, primary),
        button(Action.HELPFUL, secondary),
        button(Action.WRONG, secondary, answer.candidates),
        button(Action.DISMISS, secondary),
    )
    if answer.source.url:
        row.add_item(ui.Button(style=discord.ButtonStyle.link, label=words("button-source"), url=answer.source.url))
    return row


def _as_candidate(answer: Answer) -> Candidate:
    tier = Tier.NEAREST if answer.certainty is Certainty.GUESS else Tier.PATTERN
    return Candidate(answer.record_id, tier, answer.percent or 99, answer.certainty is Certainty.RELATED)
