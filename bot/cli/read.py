"""`errata read`: what is understood of a paste before anything is looked up."""

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.context import settings_of, words_of
from bot.cli.exit_codes import ExitCode
from bot.cli.output import print_json, print_text, say, stdout

if TYPE_CHECKING:
    from bot.pastes.paste import Part
    from bot.pastes.readers.found import FoundError
    from bot.pastes.redaction import Finding

# A table is for looking; all of a message is in --json.
_LONGEST_CELL = 300


@dataclass(frozen=True, slots=True)
class _Read:
    """What is understood of one part."""

    part: "Part"
    errors: "tuple[FoundError, ...]"
    redactions: "tuple[Finding, ...]"


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(epilog="Examples: errata read build.log · cargo build 2>&1 | errata read - --json")
    def read(
        context: typer.Context,
        file: Annotated[
            str, typer.Argument(metavar="FILE|TEXT|-", help="A file, a text, or - for standard input.")
        ] = "-",
        *,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Show which errors a paste tells of, and what would be taken out of it. Nothing is looked up or kept.

        Ends with 0 where it tells of an error, 1 where it tells of none, 2 where there is nothing to read.
        """
        raise typer.Exit(_read(context, file, as_json=as_json))


def _read(context: typer.Context, file: str, *, as_json: bool) -> ExitCode:
    from bot.cli.paste_input import paste_of_argument, paste_of_stream  # noqa: PLC0415  # see bot.cli.main

    paste = paste_of_stream(sys.stdin.buffer) if file == "-" else paste_of_argument(file)
    if paste.is_empty:
        from bot.answers.silence import no_answer  # noqa: PLC0415  # see bot.cli.main

        say(no_answer(paste, None, words_of(settings_of(context))).text)
        return ExitCode.BAD_INPUT
    read = [_part(part) for part in paste.parts]
    if as_json:
        _print_json(read)
    else:
        _print(read)
    return ExitCode.ANSWERED if any(part.errors for part in read) else ExitCode.NOTHING_KNOWN


def _part(part: "Part") -> _Read:
    from bot.pastes.readers.reading import read_errors  # noqa: PLC0415  # see bot.cli.main
    from bot.pastes.redaction import redact  # noqa: PLC0415

    redacted = redact(part.text)  # before anything else, so that no secret is printed
    errors = [_at_original_lines(error, part) for error in read_errors(redacted.text)]
    return _Read(part, tuple(errors), redacted.findings)


def _at_original_lines(error: "FoundError", part: "Part") -> "FoundError":
    """The same error where it stands in the file, of which a long one was read in an excerpt."""
    from bot.pastes.readers.found import Span  # noqa: PLC0415  # see bot.cli.main

    span = Span(part.original_line(error.span.first), part.original_line(error.span.last))
    return replace(error, span=span)


def _print_json(read: Sequence[_Read]) -> None:
    parts = [
        {
            "name": part.part.name,
            "excerpt": part.part.numbers is not None,
            "errors": [_document(error) for error in part.errors],
            "redactions": [asdict(finding) for finding in part.redactions],
        }
        for part in read
    ]
    print_json({"parts": parts})


def _document(error: "FoundError") -> dict[str, Any]:
    """An error with its lines counted from 1, as people and editors count."""
    return {
        "reader": error.reader,
        "role": error.role.value,
        "class": error.error_class,
        "message": error.message,
        "code": error.code,
        "http_status": error.http_status,
        "sqlstate": error.sqlstate,
        "first_line": error.span.first + 1,
        "last_line": error.span.last + 1,
        "frames": [asdict(frame) for frame in error.frames],
    }


def _print(read: Sequence[_Read]) -> None:
    if not any(part.errors for part in read):
        say("No error is told of here.")
    console = stdout()
    if not console.is_terminal:
        rows = [["error", *_row(error)] for part in read for error in part.errors]
        rows += [["redacted", finding.kind, str(finding.count)] for part in read for finding in part.redactions]
        print_text("".join("\t".join(row) + "\n" for row in rows))
        return
    from rich.table import Table  # noqa: PLC0415  # see bot.cli.main
    from rich.text import Text  # noqa: PLC0415

    for part in read:
        if part.errors:
            table = Table(box=None, pad_edge=False, header_style="bold")
            table.add_column("lines", no_wrap=True, style="cyan")
            table.add_column("role", no_wrap=True)
            table.add_column("error", ratio=1)
            table.add_column("frames", justify="right")
            table.add_column("where", style="dim", overflow="fold", max_width=32)
            for lines, role, error_class, code, message, frames, where in map(_row, part.errors):
                head = " ".join(filter(None, (error_class, code and f"({code})")))
                error = Text.assemble((head, "bold"), "\n" if head else "", message)
                table.add_row(lines, role, error, frames, Text(where))
            console.print(table)
        for finding in part.redactions:
            console.print(Text(f"taken out: {finding.kind}, {finding.count} ×", style="yellow"))


def _row(error: "FoundError") -> list[str]:
    """Lines, role, class, code, message, number of frames, where; all fit to be shown, "" where there is none."""
    from bot.answers.cleaning import clean_line  # noqa: PLC0415  # see bot.cli.main

    first, last = error.span.first + 1, error.span.last + 1
    status = f"HTTP {error.http_status}" if error.http_status else None
    sqlstate = f"SQLSTATE {error.sqlstate}" if error.sqlstate else None
    frame = error.frames[-1] if error.frames else None
    where = f"{frame.file or '?'}:{frame.line}" if frame and frame.line else (frame and frame.file) or ""
    cells = (
        str(first) if first == last else f"{first}-{last}",
        error.role.value,
        error.error_class or "",
        ", ".join(filter(None, (error.code, status, sqlstate))),
        error.message,
        str(len(error.frames)),
        where,
    )
    return [cell if len(cell) <= _LONGEST_CELL else f"{cell[: _LONGEST_CELL - 1]}…" for cell in map(clean_line, cells)]
