"""How blocks of text look on a terminal: an exact answer and a guess differ in frame, colour and words."""

from collections.abc import Iterable, Sequence

from rich.box import HEAVY, SQUARE, Box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bot.answers.answer import Certainty
from bot.answers.plain_text import Block, Kind, as_text
from bot.cli.output import print_text

# A frame that is not closed, for what is not certain; it tells without colours too.
_DASHED = Box("┌╌┬┐\n┆ ┆┆\n├╌┼┤\n┆ ┆┆\n├╌┼┤\n├╌┼┤\n┆ ┆┆\n└╌┴┘\n")
_FRAMES: dict[Certainty, tuple[Box, str]] = {
    Certainty.EXACT: (HEAVY, "green"),
    Certainty.RELATED: (SQUARE, "cyan"),
    Certainty.GUESS: (_DASHED, "yellow"),
    Certainty.LOOKED_UP: (SQUARE, "blue"),
}
_STYLES = {
    Kind.TITLE: "bold",
    Kind.CERTAINTY: "bold",
    Kind.NOTE: "dim",
    Kind.QUOTE: "italic",
    Kind.HEADING: "bold",
    Kind.LINK: "blue underline",
}
_INDENT = 4


def show_card(console: Console, blocks: Iterable[Block], certainty: Certainty) -> None:
    """Print an answer: framed on a terminal with its links below, as plain lines anywhere else."""
    blocks = list(blocks)
    if not console.is_terminal:
        print_text(as_text(blocks))
        return
    box, colour = _FRAMES[certainty]
    heading = next((block.text for block in blocks if block.kind is Kind.CERTAINTY), "")
    inside = [block for block in blocks if block.kind not in {Kind.CERTAINTY, Kind.LINK}]
    console.print(
        Panel(
            Group(*_spaced(inside)),
            title=Text(heading, style=f"bold {colour}"),
            title_align="left",
            border_style=colour,
            box=box,
        )
    )
    # An address in a frame is cut into pieces that no terminal opens.
    show_blocks(console, [block for block in blocks if block.kind is Kind.LINK])


def show_blocks(console: Console, blocks: Iterable[Block]) -> None:
    """Print blocks without a frame: details are read from top to bottom and copied from."""
    blocks = list(blocks)
    if not console.is_terminal:
        print_text(as_text(blocks))
        return
    for drawn in _spaced(blocks):
        console.print(drawn, soft_wrap=isinstance(drawn, Text) and drawn.no_wrap is True)


def _spaced(blocks: Sequence[Block]) -> list[RenderableType]:
    """The blocks as rich draws them, an empty line above headings and above prose that has none."""
    drawn: list[RenderableType] = []
    before: Kind | None = None
    for block in blocks:
        if before and (block.kind is Kind.HEADING or (block.kind is Kind.TEXT and before is not Kind.HEADING)):
            drawn.append("")
        drawn.append(_drawn(block))
        before = block.kind
    return drawn


def _drawn(block: Block) -> RenderableType:
    text = Text(block.text, style=_STYLES.get(block.kind, ""))
    if block.mark:
        return _marked(block.mark, text)
    if block.kind is Kind.QUOTE:
        return Padding(text, (0, 0, 0, _INDENT))
    if block.kind is Kind.CODE:
        lines = (f"{' ' * _INDENT}{line}".rstrip() for line in block.text.split("\n"))
        return Text("\n".join(lines), no_wrap=True)  # code that is broken into lines is other code
    text.no_wrap = block.kind is Kind.LINK
    return text


def _marked(mark: str, text: Text) -> RenderableType:
    """A text whose lines all begin behind the mark."""
    grid = Table.grid(padding=0)
    grid.add_column(width=len(mark) + 1, no_wrap=True)
    grid.add_column()
    grid.add_row(Text(mark), text)
    return grid
