"""Discord's limits for a message of components, as its reference states them."""

from collections.abc import Iterator
from typing import Any

from discord import ui

from bot.answers.cutting import length
from tests.card_picture.markdown import to_html, visible_text

Component = dict[str, Any]


def components(view: ui.LayoutView) -> list[Component]:
    """Return what is sent."""
    sent: list[Component] = view.to_components()  # type: ignore[no-untyped-call]  # discord.py left it without types
    return sent


def walk(tree: list[Component]) -> Iterator[Component]:
    """Every component, nested ones and accessories too."""
    for component in tree:
        yield component
        yield from walk(component.get("components", []))
        if "accessory" in component:
            yield from walk([component["accessory"]])


def texts(tree: list[Component]) -> list[str]:
    return [component["content"] for component in walk(tree) if component["type"] == 10]


def broken_limits(tree: list[Component]) -> list[str]:
    """Return every limit that is broken, in words; empty for a message Discord takes."""
    broken = []
    every = list(walk(tree))
    if len(every) > 40:
        broken.append(f"{len(every)} components")
    if sum(map(length, texts(tree))) > 4000:
        broken.append(f"{sum(map(length, texts(tree)))} characters")
    broken += [f"blank text {text!r}" for text in texts(tree) if not visible_text(text).strip()]
    custom_ids = [component["custom_id"] for component in every if "custom_id" in component]
    if len(set(custom_ids)) != len(custom_ids):
        broken.append(f"custom ids twice: {custom_ids}")
    broken += [f"custom id {custom_id!r}" for custom_id in custom_ids if not 1 <= len(custom_id) <= 100]
    for component in every:
        if component["type"] == 2 and not 1 <= length(component["label"]) <= 80:
            broken.append(f"label {component['label']!r}")
        if component["type"] == 2 and len(component.get("url", "")) > 512:
            broken.append(f"url of {len(component['url'])}")
        if component["type"] == 1 and not 1 <= len(component["components"]) <= 5:
            broken.append(f"{len(component['components'])} in a row")
        if component["type"] == 9 and not 1 <= len(component["components"]) <= 3:
            broken.append(f"{len(component['components'])} in a section")
    for text in texts(tree):
        try:
            text.encode()
        except UnicodeEncodeError:
            broken.append(f"no UTF-8: {text!r}")
    return broken


def live(tree: list[Component]) -> list[str]:
    """Return the texts in which a client would find a mention, an emoji, a time, a spoiler or a masked link."""
    return [text for text in texts(tree) if is_live(text)]


def is_live(text: str) -> bool:
    shown = to_html(text)
    masked = [
        piece
        for piece in shown.split('<a href="')[1:]
        if not piece.partition('">')[2].startswith(piece.partition('">')[0])
    ]
    return 'class="live"' in shown or 'class="quote live"' in shown or bool(masked)


def visible_length(tree: list[Component]) -> int:
    """What a person reads, without buttons."""
    return sum(length(visible_text(text)) for text in texts(tree))
