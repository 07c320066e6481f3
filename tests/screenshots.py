"""Screenshots of terminals, drawn here: a text in a font, a size and a theme, scaled and compressed as chats do it."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "/System/Library/Fonts")
# What Linux desktops and editors show code in; the first of them draws the tests' pictures.
_FONT_FILES = ("DejaVuSansMono.ttf", "NotoSansMono-Regular.ttf", "NotoMono-Regular.ttf", "LiberationMono-Regular.ttf")


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of background, text and what is highlighted (the lines that name an error), red, green and blue."""

    background: tuple[int, int, int]
    text: tuple[int, int, int]
    highlight: tuple[int, int, int]


DARK = Theme((30, 30, 30), (204, 204, 204), (241, 76, 76))
BLACK = Theme((0, 0, 0), (255, 255, 255), (255, 85, 85))
LIGHT = Theme((255, 255, 255), (36, 41, 46), (180, 20, 30))
SOLARIZED = Theme((0, 43, 54), (131, 148, 150), (220, 50, 47))


@dataclass(frozen=True, slots=True)
class Look:
    """How a screenshot looks.

    `size` is the font's height in pixels; `scale` is what a preview leaves of width and height; `quality` is a JPEG's,
    0 for a PNG; `wrap` is the terminal's width in characters.
    """

    font: str
    size: int = 16
    theme: Theme = DARK
    scale: float = 1.0
    quality: int = 0
    wrap: int = 120

    def __str__(self) -> str:
        names = {DARK: "dark", BLACK: "black", LIGHT: "light", SOLARIZED: "solarized"}
        scaled = f" at {self.scale:.0%}" if self.scale != 1 else ""
        jpeg = f" JPEG {self.quality}" if self.quality else ""
        return f"{self.font.split('.')[0]} {self.size} px {names[self.theme]}{scaled}{jpeg}"


@cache
def fonts() -> dict[str, Path]:
    """The fonts of fixed width that are installed here, by file name."""
    found: dict[str, Path] = {}
    for folder in map(Path, _FONT_FOLDERS):
        for path in folder.rglob("*.ttf") if folder.is_dir() else ():
            if path.name in _FONT_FILES:
                found.setdefault(path.name, path)
    return {name: found[name] for name in _FONT_FILES if name in found}


def some_look() -> Look:
    """An ordinary dark terminal; the test is skipped where there is no font to draw it in."""
    if not fonts():
        pytest.skip(f"needs a font of fixed width, one of {', '.join(_FONT_FILES)}")
    return Look(next(iter(fonts())))


def looks() -> Iterator[Look]:
    """The looks a set of pictures is drawn in: fonts, sizes and themes, previews and JPEGs."""
    for font in fonts():
        plain = Look(font)
        yield plain
        yield from (replace(plain, size=size, theme=theme) for size, theme in ((13, DARK), (14, LIGHT), (22, BLACK)))
        yield replace(plain, theme=SOLARIZED)
        yield replace(plain, quality=60)
        yield replace(plain, size=13, theme=LIGHT, quality=80)
        yield replace(plain, size=18, scale=0.7, quality=85)
        yield replace(plain, size=16, theme=BLACK, scale=0.6)
        yield replace(plain, wrap=80)


def screenshot(text: str, look: Look, *, width: int | None = None, height: int | None = None) -> bytes:
    """The text as a picture file. width, height: of the window in characters; by default as the text needs it."""
    from PIL import Image, ImageDraw, ImageFont

    lines = shown_lines(text, look)
    font = ImageFont.truetype(str(fonts()[look.font]), look.size)
    cell, step = font.getlength("M"), round(look.size * 1.3)
    columns = width or max(40, *map(len, lines))
    rows = height or len(lines)
    size = (round(cell * columns) + 24, step * rows + 24)
    picture = Image.new("RGB", size, look.theme.background)
    draw = ImageDraw.Draw(picture)
    for number, line in enumerate(lines):
        colour = look.theme.highlight if "rror" in line or "panicked" in line else look.theme.text
        draw.text((12, 12 + number * step), line, font=font, fill=colour)
    if look.scale != 1:
        picture = picture.resize((round(size[0] * look.scale), round(size[1] * look.scale)), Image.Resampling.LANCZOS)
    return encoded(picture, "JPEG" if look.quality else "PNG", quality=look.quality)


def shown_lines(text: str, look: Look) -> list[str]:
    """The lines of the text as they stand on the screen."""
    return [piece for line in text.split("\n") for piece in _wrapped(line, look.wrap)]


def encoded(picture: object, form: str, **options: object) -> bytes:
    """A Pillow picture as a file of that form."""
    file = io.BytesIO()
    picture.save(file, form, **{key: value for key, value in options.items() if value})  # type: ignore[attr-defined]  # Pillow is an extra
    return file.getvalue()


def _wrapped(line: str, width: int) -> Sequence[str]:
    """As a terminal wraps: at its width, wherever that is."""
    return [line[at : at + width] for at in range(0, len(line), width)] or [""]
