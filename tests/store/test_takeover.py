"""A generation gathered beside the catalogue and taken over at once."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.records.decode import decode_outline, decode_record
from bot.records.outline import Outline
from bot.records.record import Record
from bot.store.articles import ArticleStore, StoredArticle
from bot.store.dataset import Choice, DatasetStore, Difference, Generation, Holdings, KnownRepository, chosen
from bot.store.records import RecordStore
from bot.store.sqlite import Database
from bot.store.takeover import Fit, Published, Taken, takeover
from tests.dataset_standin import compact, record
from tests.shared_data import REPOSITORY

NOW = datetime(2026, 11, 5, tzinfo=UTC)
GENERATION = Generation("http://example", "2026-11-01T00:00:00Z", "{}")


def outlines(*numbers: int) -> list[Outline]:
    return [decode_outline(compact(record(number)), "a test") for number in numbers]


def wholes(*numbers: int, **more: object) -> list[Record]:
    return [decode_record(record(number, **more), "a test") for number in numbers]  # type: ignore[arg-type]


async def take(
    database: Database, listed: Iterable[Outline], whole: Iterable[Record] | None = None, **more: object
) -> Taken:
    async with takeover(database, "http://example") as taking:
        await taking.list(listed)
        if whole is not None:
            await taking.complete("example/one", whole)
        published = Published(generation=GENERATION, repositories=[], **more)  # type: ignore[arg-type]
        return await taking.commit(published, NOW)


async def test_nothing_is_seen_before_the_end(database: Database) -> None:
    """Neither records nor version, while everything was put aside already."""
    records = RecordStore(database)
    async with takeover(database, "http://example") as taking:
        await taking.list(outlines(1, 2))
        await taking.complete("example/one", wholes(1, 2))

        assert await records.count() == 0

    assert await records.count() == 0
    assert await DatasetStore(database).synced() is None


async def test_what_changed_is_known_before_the_end(database: Database) -> None:
    """By repository, so that only those have to be fetched."""
    await take(database, outlines(1, 2))
    other = decode_outline(compact(record(3, "example/two")), "a test")

    async with takeover(database, "http://example") as taking:
        await taking.list([*outlines(1, 2), other])

        assert await taking.changed_repositories() == {"example/two"}
        assert await taking.listed_repositories() == {"example/one": 2, "example/two": 1}


async def test_an_index_that_turns_out_wrong_leaves_everything(database: Database) -> None:
    """What the iterator raises is raised, and nothing was kept."""

    def broken() -> Iterable[Outline]:
        yield from outlines(1)
        raise ZeroDivisionError

    await take(database, outlines(5))

    with pytest.raises(ZeroDivisionError):
        await take(database, broken())

    assert [entry.id[-1] async for entry in RecordStore(database).iter_all()] == ["5"]


async def test_the_difference_counts_each_record_once(database: Database) -> None:
    """Added, changed, gone, completed; an outline that changes while it becomes whole has changed."""
    await take(database, outlines(1, 2, 3))
    changed = record(2, message="Another message entirely")
    listed = [*outlines(1), decode_outline(compact(changed), "a test"), *outlines(4)]

    taken = await take(database, listed, [*wholes(1), decode_record(changed, "a test"), *wholes(4)])

    assert taken.difference == Difference(added=1, changed=1, gone=1, completed=1)
    assert await DatasetStore(database).holdings() == Holdings(whole=3, outlines=0, own=0)


async def test_how_a_file_fits_is_counted(database: Database) -> None:
    """Records that one side alone has, and those that both tell differently."""
    async with takeover(database, "http://example") as taking:
        await taking.list(outlines(1, 2, 3))

        fit = await taking.complete("example/one", [*wholes(1, 9), *wholes(2, message="Something else")])

    assert fit == Fit(extra=1, missing=1, differing=1)
    assert not fit.is_perfect


async def test_what_is_taken_over_twice_changes_nothing(database: Database) -> None:
    """The version stays, and not a record is written."""
    first = await take(database, outlines(1, 2), wholes(1, 2))
    second = await take(database, outlines(1, 2), wholes(1, 2))

    assert second.difference.is_empty
    assert first.version == second.version == await RecordStore(database).version()


async def test_a_repository_that_was_deleted_comes_back(database: Database) -> None:
    """What a person deletes is no longer the dataset's, so the next sync adds it."""
    await take(database, outlines(1, 2))
    await RecordStore(database).delete_repo("example/one", NOW)

    taken = await take(database, outlines(1, 2))

    assert taken.difference == Difference(added=2)


async def test_articles_are_replaced_and_removed(database: Database) -> None:
    """Found by the family that records name, or by their own name."""
    first = StoredArticle("a", "family-a", "1", "{}")
    await take(database, [], articles=[first, StoredArticle("b", "family-b", "1", "{}")], article_slugs=frozenset("ab"))
    newer = StoredArticle("a", "family-a", "2", "[]")

    await take(database, [], articles=[newer], article_slugs=frozenset("a"))

    articles = ArticleStore(database)
    assert await articles.of_family("family-a") == await articles.of_family("a") == newer
    assert await articles.of_family("family-b") is None
    assert await articles.digests() == {"a": "2"}


async def test_repositories_are_those_of_the_last_generation(database: Database) -> None:
    """With all that is remembered of them."""
    known = KnownRepository("example/one", "{}", fetched=True, settled=False, etag='"x"', last_modified="now")
    async with takeover(database, "http://example") as taking:
        await taking.commit(Published(generation=GENERATION, repositories=[known]), NOW)

    assert await DatasetStore(database).repositories() == {"example/one": known}


async def test_a_choice_is_kept_as_it_is(database: Database) -> None:
    """Everything, some, or nobody has chosen."""
    store = DatasetStore(database)
    assert await store.choice() is None

    for choice in (chosen(["all"]), chosen(["a/b", "c/d"]), Choice(everything=True)):
        await store.choose(choice)
        assert await store.choice() == choice

    assert chosen(["a/b"]).covers("a/b")
    assert not chosen(["a/b"]).covers("a/c")
    assert chosen(["all"]).covers("a/c")


KILLED = textwrap.dedent(
    """
    import asyncio, sys
    from pathlib import Path
    from bot.store import takeover
    from bot.store.sqlite import Database
    from tests.store.test_takeover import outlines, take, wholes

    async def main() -> None:
        whole = takeover.restate_version

        async def stop_before_the_end(connection, at):
            await whole(connection, at)
            print("written", flush=True)
            await asyncio.sleep(60)

        takeover.restate_version = stop_before_the_end
        async with Database.open(Path(sys.argv[1])) as database:
            await take(database, outlines(*range(2, 3000)), wholes(*range(2, 3000)))

    asyncio.run(main())
    """
)


async def test_sigkill_in_the_middle_leaves_the_old_generation(tmp_path: Path) -> None:
    """G1: killed when all is written but not committed, everything is as it was, and the next takeover does it."""
    path = tmp_path / "errata.sqlite3"
    async with Database.open(path) as database:
        await take(database, outlines(1, 2), wholes(1, 2))
        before = await RecordStore(database).catalogue()
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "written\n"

    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=10)

    async with Database.open(path) as database:
        assert await RecordStore(database).catalogue() == before
        assert await DatasetStore(database).holdings() == Holdings(whole=2, outlines=0, own=0)
        taken = await take(database, outlines(2, 3))
        assert taken.difference == Difference(added=1, gone=1)
