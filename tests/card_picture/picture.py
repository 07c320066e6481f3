"""A card's components as a picture: HTML in the manner of Discord's dark theme, and a PNG of it by Chromium."""

import html
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.card_picture.markdown import to_html

Component = dict[str, Any]
WIDTH = 680
SCALE = 1.5
_STYLES = {1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "secondary"}
_CSS = (Path(__file__).parent / "discord_dark.css").read_text("utf-8")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class BrowserMissing(RuntimeError):
    """No Chromium is installed, so there can be no picture (HTML there is)."""


def page(components: Sequence[Component]) -> str:
    """Return a whole HTML page that shows a message with these components."""
    body = "".join(map(_component, components))
    return (
        f'<!doctype html><meta charset="utf-8"><style>{_CSS}</style><body style="width:{WIDTH}px">'
        '<div class="message"><div class="avatar">E</div><div class="content">'
        f'<div class="author">Errata <span class="badge">APP</span></div>{body}</div></div>'
        "<script>document.title=document.querySelector('.message').getBoundingClientRect().height</script>"
    )


def browser() -> str:
    """Return the path of a Chromium. Raises BrowserMissing."""
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        raise BrowserMissing(f"none of {', '.join(_BROWSERS)} is installed; on Debian: apt-get install chromium")
    return found


def save_picture(components: Sequence[Component], target: Path) -> None:
    """Write the PNG. Takes about two seconds. Raises BrowserMissing."""
    program = browser()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "card.html")
        source.write_text(page(components), "utf-8")
        options = [
            program,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--user-data-dir={folder}/p",
        ]
        dom = _run([*options, f"--window-size={WIDTH},600", "--dump-dom", source.as_uri()])
        height = int(float(dom.partition("<title>")[2].partition("</title>")[0])) + 1
        target.parent.mkdir(parents=True, exist_ok=True)
        _run(
            [
                *options,
                f"--force-device-scale-factor={SCALE}",
                f"--window-size={WIDTH},{height}",
                f"--screenshot={target.resolve()}",
                source.as_uri(),
            ]
        )


def _run(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def _component(component: Component) -> str:
    inner = "".join(map(_component, component.get("components", ())))
    match component["type"]:
        case 1:
            return f'<div class="row">{inner}</div>'
        case 2:
            return _button(component)
        case 9:
            return f'<div class="section"><div>{inner}</div>{_component(component["accessory"])}</div>'
        case 10:
            return f'<div class="text">{to_html(component["content"])}</div>'
        case 13:
            name = component["file"]["url"].removeprefix("attachment://")
            return f'<div class="file">🗎 <a>{html.escape(name)}</a></div>'
        case 14:
            return "<hr>"
        case 17:
            colour = component.get("accent_color")
            border = f"#{colour:06x}" if colour is not None else "transparent"
            return f'<div class="container" style="border-left-color:{border}">{inner}</div>'
        case kind:
            raise ValueError(f"no picture of component type {kind} yet")


def _button(component: Component) -> str:
    arrow = ' <span class="arrow">↗</span>' if component["style"] == 5 else ""
    return f'<span class="button {_STYLES[component["style"]]}">{html.escape(component["label"])}{arrow}</span>'
