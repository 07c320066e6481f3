"""`errata catalogue check`: what is wrong with records before they are imported."""

import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.exit_codes import ExitCode
from bot.cli.output import print_json, print_text

if TYPE_CHECKING:
    from bot.matching.facts import Facts
    from bot.sources.files import Located


@dataclass(frozen=True, slots=True)
class Finding:
    """A pattern to look at: the place of its record, the record, the pattern as it is matched, and why."""

    place: str
    id: str
    pattern: str
    reason: str


@dataclass(slots=True)
class Findings:
    """All that a check found. `problems` are sentences "file: field: what was wrong" about what cannot be imported."""

    records: int = 0
    problems: tuple[str, ...] = ()
    weak: list[Finding] = field(default_factory=list)
    refused: list[Finding] = field(default_factory=list)

    @property
    def is_valid(self) -> bool:
        return not self.problems and not self.refused


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(help="Look at records without importing them.", no_args_is_help=True)
    app.add_typer(group, name="catalogue", epilog="Example: errata catalogue check seeds")

    @group.callback()
    def catalogue() -> None:
        """Keep `check` a command of its own: with a single one and no callback, the group would become it."""

    @group.command(epilog="Example: errata catalogue check seeds records.jsonl.gz --json")
    def check(
        paths: Annotated[list[Path], typer.Argument(help="Files or folders, as `errata import` takes them.")],
        *,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Validate records without importing them.

        Lists weak patterns, which alone never cause an automatic reply (a warning), and patterns no engine takes.
        Ends with 2 where something is invalid or refused.
        """
        findings = examine(paths)
        if as_json:
            print_json({"valid": findings.is_valid, **asdict(findings)})
        else:
            _print(findings)
        raise typer.Exit(ExitCode.ANSWERED if findings.is_valid else ExitCode.BAD_INPUT)


def examine(paths: Iterable[Path]) -> Findings:
    """Read everything and try every pattern of the records' own messages. Takes about 1 ms a record."""
    from bot.sources.errors import InvalidSource  # noqa: PLC0415  # see bot.cli.main
    from bot.sources.files import iter_located  # noqa: PLC0415

    findings = Findings()
    doubtful: dict[str, tuple[str, Facts]] = {}
    try:
        for located in iter_located(paths):
            findings.records += 1
            facts = _facts(located)
            _note_weak(findings, located.origin, facts)
            if _linear_time_engine_refuses(facts):
                doubtful[facts.id] = (located.origin, facts)
    except InvalidSource as invalid:
        findings.problems = invalid.problems
    if doubtful:
        _note_refused(findings, doubtful)
    return findings


def _facts(located: "Located") -> "Facts":
    from bot.matching.facts import Facts  # noqa: PLC0415

    entry = located.entry
    return Facts(
        id=entry.id,
        repo=entry.repo,
        message=entry.error_message,
        pattern=entry.message_pattern,
        related=entry.related_errors,
    )


def _note_weak(findings: Findings, place: str, facts: "Facts") -> None:
    from bot.matching.expressions import expressions_of  # noqa: PLC0415
    from bot.matching.specificity import specificity  # noqa: PLC0415

    expressions = expressions_of(facts)
    if not expressions:
        findings.weak.append(Finding(place, facts.id, facts.pattern, "it has no fixed words at all"))
    for expression in expressions:
        why = specificity(expression).weak
        if why is not None:
            shown = expression.literal_text if expression.simple else expression.regex
            findings.weak.append(Finding(place, facts.id, shown, why))


def _linear_time_engine_refuses(facts: "Facts") -> bool:
    from bot.matching.expressions import refusal  # noqa: PLC0415
    from bot.matching.pattern_files import keyed_expressions  # noqa: PLC0415

    return any(
        not keyed.expression.simple and refusal(keyed.expression.regex) is not None
        for keyed in keyed_expressions(facts)
    )


def _note_refused(findings: Findings, doubtful: dict[str, tuple[str, "Facts"]]) -> None:
    """What one engine refuses the other may take: the few are compiled as they would be for use."""
    from bot.matching.pattern_files import build_patterns, open_patterns  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="errata-check-") as folder:
        build_patterns(Path(folder), [facts for _, facts in doubtful.values()], "check")
        for refused in open_patterns(Path(folder), "check").refused:
            place = doubtful[refused.record_id][0]
            findings.refused.append(Finding(place, refused.record_id, refused.regex, refused.why))


def _print(findings: Findings) -> None:
    from bot.answers.cleaning import clean_line  # noqa: PLC0415  # texts of records go to a terminal here

    lines = [
        *findings.problems,
        *(f"{one.place}: messagePattern: refused: {one.reason} ({one.id}: {one.pattern})" for one in findings.refused),
        *(f"{one.place}: messagePattern: weak: {one.reason} ({one.id}: {one.pattern})" for one in findings.weak),
    ]
    counts = f"{len(findings.problems)} problems, {len(findings.refused)} patterns refused, {len(findings.weak)} weak"
    lines.append(f"{findings.records} records, {counts}.")
    print_text("".join(f"{clean_line(line)}\n" for line in lines))
