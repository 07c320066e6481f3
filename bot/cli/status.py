"""`errata status`: what is served."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer

from bot.cli.context import opened_parts, run_async, settings_of
from bot.cli.exit_codes import ExitCode
from bot.cli.output import print_json, print_text
from bot.matching.scope import EVERYTHING
from bot.version import installed_version


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(epilog="Example: errata status --json")
    def status(
        context: typer.Context,
        *,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Show the version, the catalogue with its size, the index, and what is missing."""
        raise typer.Exit(run_async(_status(context, as_json=as_json)))


async def _status(context: typer.Context, *, as_json: bool) -> ExitCode:
    from bot.indexing import indexed_version  # noqa: PLC0415
    from bot.refreshing import refresh_problem  # noqa: PLC0415
    from bot.store.dataset import DatasetStore  # noqa: PLC0415

    settings = settings_of(context)
    async with opened_parts(settings) as parts:
        served = await parts.answering.status()
        repositories = await parts.records.repos()
        synced = await DatasetStore(parts.database).synced()
        problem = await refresh_problem(parts.database)
    facts: dict[str, Any] = {
        "errata": installed_version() or "from a checkout",
        "data_dir": str(settings.data_dir),
        "catalogue": asdict(served),
        "dataset": None
        if synced is None
        else {
            "base": synced.generation.base,
            "version": synced.generation.version,
            "synced_at": synced.at.isoformat(),
            "difference": asdict(synced.difference),
            "refresh_problem": problem,
        },
        "index_fits": indexed_version(settings.data_dir) == served.version,
        "token": settings.token is not None,
        "silenced": settings.is_silenced(),
        "default_mode": settings.default_mode.value,
        "held_to": _held_to(settings.catalogue, repositories),
    }
    if as_json:
        print_json(facts)
        return ExitCode.ANSWERED
    index = "fits the catalogue" if facts["index_fits"] else "is not built for this catalogue (`errata index`)"
    lines = (
        f"Errata {facts['errata']}",
        f"data        {facts['data_dir']}",
        f"catalogue   {served.version}: {served.records} records of {served.repositories} repositories",
        *_held_lines(facts["held_to"]),
        *_dataset_lines(facts["dataset"]),
        f"patterns    {served.patterns}, {served.refused} refused",
        f"index       {index}",
        f"token       {'set' if facts['token'] else 'none: `errata run` answers in the terminal'}",
        f"unasked     {'silenced' if facts['silenced'] else facts['default_mode']}",
        *((f"degraded    {served.degraded}",) if served.degraded else ()),
    )
    print_text("\n".join(lines) + "\n")
    return ExitCode.ANSWERED


def _held_to(names: Sequence[str], repositories: Mapping[str, int]) -> dict[str, Any] | None:
    """What the settings hold the process to, of these repositories with their records; None where to nothing."""
    if not names:
        return None
    scope, known = EVERYTHING.held_to(names), {repo.lower() for repo in repositories}
    held = {repo: records for repo, records in repositories.items() if scope.holds(repo, None)}
    unknown = [name for name in names if name.lower() not in known]
    return {"repositories": sorted(held), "records": sum(held.values()), "unknown": unknown}


def _dataset_lines(dataset: dict[str, Any] | None) -> Iterator[str]:
    if dataset is not None:
        changed = dataset["difference"]
        yield (
            f"dataset     {dataset['version']} of {dataset['base']}, since {dataset['synced_at']}: "
            f"{changed['added']} added, {changed['changed'] + changed['completed']} changed, {changed['gone']} gone"
        )
        if dataset["refresh_problem"]:
            yield f"            a newer one was not taken over: {dataset['refresh_problem']}"


def _held_lines(held: dict[str, Any] | None) -> Iterator[str]:
    if held is not None:
        yield f"held to     {held['records']} records of {', '.join(held['repositories']) or 'nothing'}"
        if held["unknown"]:
            yield f"            not in the catalogue: {', '.join(held['unknown'])}"
