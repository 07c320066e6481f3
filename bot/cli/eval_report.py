"""Figures of an evaluation as tables, and what it got wrong."""

from collections.abc import Iterable
from typing import Any

from rich.table import Table
from rich.text import Text

from bot.answers.cleaning import clean_line
from bot.answers.cutting import cut
from bot.answers.reasons import in_words
from bot.cli.output import stdout
from bot.cli.verdict_json import ENGLISH
from bot.evaluation.metrics import RECALL_DEPTH, Counts, Figures
from bot.evaluation.report import Circumstances
from bot.evaluation.runner import Expected, Judged

_NEVER_FOUND_NAMED = 12
_EXCERPT = 160


def print_figures(figures: Figures, circumstances: Circumstances) -> None:
    """A table with a line for each kind, and the sentences that a table cannot say."""
    compared = f"guesses by {circumstances.encoder or 'words alone'}" if circumstances.nearest else "no guesses"
    table = Table(box=None, pad_edge=False, header_style="bold")
    headings = ("kind", "pastes", "recall@1", "on request", f"recall@{RECALL_DEPTH}", "wrong", "silent", "answered")
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "kind" else "right", no_wrap=True)
    for kind, counts in figures.kinds.items():
        table.add_row(*_row(kind, counts))
    table.add_section()
    table.add_row(*_row("out of catalogue", figures.out_of_catalogue))
    table.add_row(*_row("total without these", figures.total), style="bold")
    console = stdout()
    console.print(f"catalogue {circumstances.catalogue}: {circumstances.records} records, {compared}")
    console.print(table)
    console.print(_of_records(figures))


def print_wrong(judged: Iterable[Judged]) -> None:
    """A few lines for each paste that the bot, unasked, got wrong: what was expected, what came, how it begins."""
    console = stdout()
    for one in judged:
        if one.is_right:
            continue
        console.print()
        console.print(Text(f"{one.paste.id}  {one.paste.kind}  {_what(one)}", style="bold"))
        console.print(Text(f"  expected  {', '.join(one.paste.gold) or 'silence'}"))
        for match in one.verdict.matches[:RECALL_DEPTH]:
            mark = "*" if match.record_id in one.paste.right else " "
            found = f"{match.record_id}{mark} {match.tier.value} {match.probability:.2f}"
            console.print(Text(f"  found     {found} {in_words(match.reasons, ENGLISH)}"), soft_wrap=True)
        console.print(Text(f"  begins    {_excerpt(one)}", style="dim"), soft_wrap=True)


def wrong_json(one: Judged) -> dict[str, Any]:
    """The same for programs."""
    return {
        "id": one.paste.id,
        "kind": one.paste.kind,
        "what": _what(one),
        "gold": list(one.paste.gold),
        "found": [
            {"id": match.record_id, "tier": match.tier.value, "probability": round(match.probability, 4)}
            for match in one.verdict.matches
        ],
    }


def _row(kind: str, counts: Counts) -> tuple[str, ...]:
    return (
        kind,
        str(counts.pastes),
        _share(counts.recall_at_1),
        _share(counts.recall_at_1_on_request),
        _share(counts.recall_at_5),
        str(counts.wrong) if counts.expected else "–",
        f"{counts.silence_expected - counts.answered}/{counts.silence_expected}" if counts.silence_expected else "–",
        str(counts.answered) if counts.silence_expected else "–",
    )


def _of_records(figures: Figures) -> str:
    never = figures.never_found
    named = ", ".join(never[:_NEVER_FOUND_NAMED]) + (" …" if len(never) > _NEVER_FOUND_NAMED else "")
    return (
        f"{len(figures.records)} records asked about: mean recall@1 {_share(figures.mean_record_recall)}, "
        f"{len(never)} never found{f' ({named})' if never else ''}"
    )


def _what(one: Judged) -> str:
    if one.expected is Expected.ANSWER:
        if one.is_wrong_answer:
            return "wrong answer"
        return "missed, right on request" if one.is_right_on_request(1) else "missed"
    return "answered, none of its records is in the catalogue" if one.paste.gold else "answered, silence expected"


def _excerpt(one: Judged) -> str:
    return cut(clean_line(one.paste.text[: 4 * _EXCERPT]), _EXCERPT)


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.3f}"
