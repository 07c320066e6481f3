"""`errata sync`: ErrLookup's catalogue, or what has changed of it, into the store."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.context import run_async, settings_of
from bot.cli.exit_codes import ExitCode
from bot.cli.output import print_json, print_text, progress_bars, say, stderr

if TYPE_CHECKING:
    from bot.gathering import SyncProgress, Watcher
    from bot.indexing import Progress
    from bot.settings import Settings
    from bot.store.dataset import Choice
    from bot.store.sqlite import Database
    from bot.syncing import SyncReport

# Often enough to see that it goes on, seldom enough to be read in a log.
_SECONDS_BETWEEN_LINES = 5.0
_MEBIBYTE = 2**20


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(epilog="Example: errata sync --repo tracel-ai/burn --repo psf/requests")
    def sync(
        context: typer.Context,
        *,
        repo: Annotated[
            list[str] | None,
            typer.Option(metavar="OWNER/NAME", help="Fetch this repository's records whole; may be given repeatedly."),
        ] = None,
        everything: Annotated[bool, typer.Option("--all", help="Fetch all records whole.")] = False,
        base: Annotated[str | None, typer.Option(help="Where the dataset is (else ERRATA_DATASET_BASE).")] = None,
        offline: Annotated[bool, typer.Option("--offline", help="Ask nobody; say what is here.")] = False,
        accept_older: Annotated[
            bool, typer.Option("--accept-older", help="Take a dataset of an earlier version than the one served.")
        ] = False,
        vectors: Annotated[
            bool, typer.Option("--vectors", help="Then encode new texts too, as `errata index` does.")
        ] = False,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Fetch the catalogue, or what has changed of it since the last time.

        All records come in outline, enough to be recognised; those of the chosen repositories come whole. The choice is
        remembered: without --repo and --all it is that of `catalogue` in errata.toml, else the last one. What was
        fetched is checked, then taken over in one step; until then, and when anything is wrong with it, the old
        catalogue serves. A sync that was stopped goes on where it was.
        """
        if everything and repo:
            raise typer.BadParameter("--all and --repo exclude each other")
        settings = settings_of(context)
        if base is not None:
            settings = _based(settings, base)
        if offline or settings.offline:
            raise typer.Exit(run_async(_offline(settings, as_json=as_json)))
        choice = _choice(settings, ["all"] if everything else repo or [])
        raise typer.Exit(
            run_async(_sync(settings, choice, accept_older=accept_older, vectors=vectors, as_json=as_json))
        )


def _based(settings: "Settings", base: str) -> "Settings":
    from bot.settings import load_settings  # noqa: PLC0415  # see bot.cli.main

    # Read again, so that the address keeps the rule of the setting.
    return load_settings(
        data_dir=settings.data_dir, language=settings.language, log_level=settings.log_level, dataset_base=base
    )


def _choice(settings: "Settings", given: list[str]) -> "Choice | None":
    """What the command line says, else what the settings say; None for what was chosen last."""
    from bot.store.dataset import chosen  # noqa: PLC0415

    names = given or settings.catalogue
    return chosen(names) if names else None


async def _sync(
    settings: "Settings", choice: "Choice | None", *, accept_older: bool, vectors: bool, as_json: bool
) -> ExitCode:
    from bot.assembly import opened_store  # noqa: PLC0415
    from bot.sources.dataset_errors import CannotBeKept, DatasetRefused, DatasetUnreachable  # noqa: PLC0415
    from bot.syncing import UnknownRepository, open_syncing  # noqa: PLC0415

    began = time.monotonic()
    async with opened_store(settings) as database:
        try:
            with _shown() as watch:
                async with open_syncing(database, settings.data_dir, settings.dataset_base) as syncing:
                    report = await syncing.sync(choice, accept_older=accept_older, watch=watch)
        except (DatasetRefused, DatasetUnreachable, CannotBeKept, UnknownRepository) as refused:
            if as_json:
                print_json({"synced": False, "problem": str(refused)})
            say(str(refused))
            say("Nothing was taken over; what was there keeps serving.")
            return ExitCode.BAD_INPUT
        unencoded = await _derive(database, settings, vectors=vectors)
    seconds = round(time.monotonic() - began, 1)
    if as_json:
        print_json({"synced": True, **asdict(report), "unencoded": unencoded, "seconds": seconds})
        return ExitCode.ANSWERED
    print_text("".join(f"{line}\n" for line in _told(report, seconds)))
    if unencoded:
        say(f"Guesses compare words alone for {unencoded} new texts; `errata index` encodes them.")
    return ExitCode.ANSWERED


async def _derive(database: "Database", settings: "Settings", *, vectors: bool) -> int:
    """Compile the patterns and build the index where they are not those of the catalogue; return what lacks vectors."""
    from bot.indexing import build, patterns  # noqa: PLC0415

    encoder = None
    if vectors:
        from embeddings.sentence_encoder import SentenceEncoder  # noqa: PLC0415  # loads torch

        encoder = SentenceEncoder()
    with _derived() as progress:
        compiled = await patterns(database, settings.data_dir, progress)
        if encoder is None and (unencoded := _missing(settings.data_dir, compiled.catalogue_version)) is not None:
            return unencoded
        # Texts that have a vector keep it.
        built = await build(database, settings.data_dir, encoder, progress=progress)
    return built.manifest.unencoded


def _missing(data_dir: Path, version: str) -> int | None:
    """How many texts of the index lack a vector; None where the index is not of this version, or does not open."""
    from bot.indexing import INDEX_FOLDER, indexed_version  # noqa: PLC0415
    from embeddings.errors import EmbeddingsError  # noqa: PLC0415
    from embeddings.index_files import open_index  # noqa: PLC0415

    if indexed_version(data_dir) != version:
        return None
    try:
        return open_index(data_dir / INDEX_FOLDER, None).manifest.unencoded
    except EmbeddingsError:
        return None


def _told(report: "SyncReport", seconds: float) -> Iterator[str]:
    difference = report.difference
    if report.unchanged:
        yield f"The dataset of {report.version} is served already ({seconds} s)."
        return
    yield (
        f"{difference.added} records added, {difference.changed} changed, {difference.gone} gone, "
        f"{difference.completed} completed; the dataset of {report.version} is served as catalogue {report.catalogue}."
    )
    yield (
        f"{report.fetched} repositories fetched, {report.unmodified} found unmodified, {report.articles} articles; "
        f"{report.requests} requests, {report.bytes / _MEBIBYTE:.1f} MiB, {seconds} s."
    )
    if report.misfits:
        yield f"Files that do not fit the compact index, to be looked at again: {', '.join(report.misfits)}."
    if report.lost:
        yield f"Chosen, and no longer in the dataset: {', '.join(report.lost)}."
    if report.bad_articles:
        yield f"Articles left out as invalid: {', '.join(report.bad_articles)}."


async def _offline(settings: "Settings", *, as_json: bool) -> ExitCode:
    from bot.assembly import opened_store  # noqa: PLC0415
    from bot.store.completed import CompletedStore  # noqa: PLC0415
    from bot.store.dataset import DatasetStore  # noqa: PLC0415
    from bot.store.records import RecordStore  # noqa: PLC0415

    async with opened_store(settings) as database:
        store = DatasetStore(database)
        synced, choice = await store.synced(), await store.choice()
        holdings = await store.holdings()
        completed = await CompletedStore(database).count()
        version = await RecordStore(database).version()
    facts: dict[str, Any] = {
        "base": synced.generation.base if synced else None,
        "version": synced.generation.version if synced else None,
        "synced_at": synced.at.isoformat() if synced else None,
        "last_difference": asdict(synced.difference) if synced else None,
        "chosen": ["all"] if choice and choice.everything else sorted(choice.repositories if choice else ()),
        "catalogue": version,
        **asdict(holdings),
        "completed": completed,
    }
    if as_json:
        print_json(facts)
        return ExitCode.ANSWERED if synced else ExitCode.NOTHING_KNOWN
    if synced is None:
        say("Nothing was ever synced here; `errata sync` fetches the catalogue.")
        return ExitCode.NOTHING_KNOWN
    outlines = f"{holdings.outlines} in outline" + (f" ({completed} completed for cards)" if completed else "")
    print_text(
        f"dataset     {facts['version']} of {facts['base']}, since {facts['synced_at']}\n"
        f"records     {holdings.whole} whole, {outlines}, {holdings.own} of your own or shipped\n"
        f"chosen      {', '.join(facts['chosen']) or 'nothing: all is kept in outline'}\n"
        f"catalogue   {version}\n"
    )
    return ExitCode.ANSWERED


@contextmanager
def _derived() -> "Iterator[Progress]":
    """As `_shown`, for what is built."""
    if stderr().is_terminal:
        with progress_bars() as progress:
            yield progress
        return
    lines = _Lines()
    yield lambda what, done, total: lines.say(what, f"{done:,}/{total:,}")


@contextmanager
def _shown() -> "Iterator[Watcher]":
    """A bar on a terminal, a line now and then anywhere else."""
    if not stderr().is_terminal:
        yield _Lines()
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[count]}"), TimeRemainingColumn())
    with Progress(*columns, console=stderr(), transient=True) as bars:
        tasks: dict[str, Any] = {}

        def watch(at: "SyncProgress") -> None:
            if at.step not in tasks:
                tasks[at.step] = bars.add_task(at.step, count="")
            bars.update(tasks[at.step], completed=at.records, total=at.of_records, count=_count(at))

        yield watch


class _Lines:
    """Says on standard error how far a sync is: when a step begins, and every few seconds."""

    def __init__(self) -> None:
        self._step, self._said_at = "", 0.0

    def __call__(self, at: "SyncProgress") -> None:
        self.say(at.step, _count(at))

    def say(self, step: str, count: str) -> None:
        now = time.monotonic()
        if step != self._step or now - self._said_at >= _SECONDS_BETWEEN_LINES:
            self._step, self._said_at = step, now
            say(f"{step}: {count}")


def _count(at: "SyncProgress") -> str:
    repositories = f"{at.repositories}/{at.of_repositories} repositories, " if at.of_repositories else ""
    return f"{repositories}{at.records:,}/{at.of_records:,} records, {at.bytes / _MEBIBYTE:.1f} MiB"
