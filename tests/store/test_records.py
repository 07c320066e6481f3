"""The catalogue: batches in one transaction, and a version that is that of what is served."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.records.entry import Entry
from bot.records.record import Record
from bot.store.catalogue import version_of
from bot.store.errors import DuplicateRecord
from bot.store.records import RecordStore
from bot.store.sqlite import Database
from tests.sample_entries import GRADIENT_SYNC, SERVER_DISCONNECTED
from tests.shared_data import REPOSITORY

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def store(database: Database) -> RecordStore:
    return RecordStore(database)


def numbered(number: int, **other: object) -> Record:
    """A record told from others by its number."""
    fields = {"id": f"{number:016x}", "slug": f"slug-{number}", "error_message": f"message {number}"} | other
    return replace(GRADIENT_SYNC, **fields)  # type: ignore[arg-type]  # fields by name


async def test_entries_come_back_as_they_were(store: RecordStore) -> None:
    """A record with fields nobody knows and a page come back equal, by id."""
    record = replace(GRADIENT_SYNC, unknown={"newField": [1, {"a": None}]})

    await store.put([record, SERVER_DISCONNECTED], "seeds", NOW)

    assert await store.get(record.id) == record
    back = await store.get(record.id)
    assert isinstance(back, Record)
    assert back.unknown == record.unknown
    assert await store.get(SERVER_DISCONNECTED.id) == SERVER_DISCONNECTED
    assert await store.get("0" * 16) is None


async def test_a_record_is_found_by_its_address(store: RecordStore) -> None:
    """Repository and slug name a record; of two that share them, the one analysed last is meant."""
    older = numbered(1, slug="same", analyzed_at=datetime(2025, 1, 1, tzinfo=UTC))
    newer = numbered(2, slug="same", analyzed_at=datetime(2026, 1, 1, tzinfo=UTC))
    await store.put([newer, older, numbered(3)], "a", NOW)

    assert await store.get_by_slug("tracel-ai/burn", "same") == newer
    assert await store.get_by_slug("tracel-ai/burn", "slug-3") == numbered(3)
    assert await store.get_by_slug("tracel-ai/burn", "none") is None


async def test_many_come_in_the_order_asked_for(store: RecordStore) -> None:
    """Unknown ids are left out, and more ids than SQLite takes parameters are no trouble."""
    await store.put([numbered(number) for number in range(5)], "a", NOW)

    found = await store.get_many(["f" * 16, f"{3:016x}", f"{1:016x}", *(f"{n:016x}" for n in range(100, 40_000))])

    assert list(found.values()) == [numbered(3), numbered(1)]


async def test_all_come_sorted_by_id(store: RecordStore) -> None:
    """Streams are in the order of ids, however the entries came."""
    await store.put([numbered(number) for number in (9, 2, 5)], "a", NOW)
    await store.put([numbered(1)], "b", NOW)

    entries = [entry async for entry in store.iter_all()]
    facts = [fact async for fact in store.facts()]

    assert [entry.id for entry in entries] == [f"{n:016x}" for n in (1, 2, 5, 9)]
    assert [fact.id for fact in facts] == [entry.id for entry in entries]


async def test_facts_are_those_of_the_entry(store: RecordStore) -> None:
    """What matching reads beside the JSON says the same as the JSON."""
    await store.put([GRADIENT_SYNC, SERVER_DISCONNECTED], "seeds", NOW)

    record, page = (await store.catalogue()).facts

    assert (record.id, record.repo, record.slug) == (GRADIENT_SYNC.id, GRADIENT_SYNC.repo, GRADIENT_SYNC.slug)
    assert (record.error_type, record.message, record.pattern) == (
        "panic",
        GRADIENT_SYNC.error_message,
        GRADIENT_SYNC.message_pattern,
    )
    assert (record.file_path, record.line_number) == (GRADIENT_SYNC.file_path, 34)
    assert record.tags == GRADIENT_SYNC.tags
    assert record.related_messages == ()
    assert (page.slug, page.error_type, page.http_status) == (None, None, None)
    assert page.related_messages == SERVER_DISCONNECTED.related_errors
    assert page.analyzed_sha == "d16f7ba2ed"


async def test_an_entry_replaces_the_one_of_its_id(store: RecordStore) -> None:
    """What changed is replaced, what did not is left alone, and the outcome says how many of each."""
    await store.put([numbered(1), numbered(2)], "a", NOW)

    outcome = await store.put([numbered(1), numbered(2, documentation="new"), numbered(3)], "b", NOW)

    assert (outcome.added, outcome.changed, outcome.unchanged) == (1, 1, 1)
    assert await store.count() == 3
    assert await store.get(f"{2:016x}") == numbered(2, documentation="new")


async def test_a_duplicate_id_leaves_everything_as_it_was(store: RecordStore) -> None:
    """G1: a batch with one id twice is refused by name; the old catalogue and its version stay."""
    await store.put([numbered(1)], "a", NOW)
    before = await store.catalogue()

    with pytest.raises(DuplicateRecord, match=r"bad\.json: record 0000000000000002 is there twice"):
        await store.put([numbered(2), numbered(1, documentation="other"), numbered(2)], "bad.json", NOW)

    assert await store.catalogue() == before
    assert await store.version() == before.version


async def test_a_batch_that_fails_half_way_leaves_everything_as_it_was(store: RecordStore) -> None:
    """G1: an error of the decoder that feeds the batch reaches the caller, and nothing is kept."""
    await store.put([numbered(1)], "a", NOW)
    before = await store.catalogue()

    def broken() -> Iterator[Entry]:
        yield numbered(2)
        raise ValueError("line 2 is no record")

    with pytest.raises(ValueError, match="line 2"):
        await store.put(broken(), "b", NOW)

    assert await store.catalogue() == before


async def test_the_version_is_that_of_what_is_there(store: RecordStore) -> None:
    """G1: the version reported is made of the records served, and goes back when they do."""
    empty = await store.version()
    first = await store.put([numbered(1)], "a", NOW)
    second = await store.put([numbered(2, repo="other/repo")], "b", NOW)

    catalogue = await store.catalogue()
    assert catalogue.version == second.version == version_of((fact.id, fact.fingerprint) for fact in catalogue.facts)
    assert len({empty, first.version, second.version}) == 3

    assert await store.delete_repo("other/repo", NOW) == 1
    assert await store.version() == first.version
    assert await store.repos() == {"tracel-ai/burn": 1}


async def test_the_version_does_not_depend_on_how_records_came(tmp_path: Path) -> None:
    """A11: another order, other batches and other field orders give the same version."""
    versions = []
    for number, batches in enumerate(([[1, 2, 3]], [[3], [2, 1]], [[2], [2, 3], [1, 3]])):
        async with Database.open(tmp_path / str(number)) as database:
            store = RecordStore(database)
            for batch in batches:
                await store.put(
                    [numbered(n, unknown={"b": 1, "a": 2} if number else {"a": 2, "b": 1}) for n in batch], "x", NOW
                )
            versions.append(await store.version())

    assert len(set(versions)) == 1


@given(
    st.dictionaries(
        st.text("0123456789abcdef", min_size=16, max_size=16), st.text("0123456789abcdef", min_size=16, max_size=16)
    ),
    st.randoms(),
)
def test_a_version_is_of_a_set(fingerprints: dict[str, str], random: object) -> None:
    """The version is the same for every order, and another one when an entry is missing."""
    pairs = list(fingerprints.items())
    shuffled = list(pairs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a random.Random

    assert version_of(pairs) == version_of(shuffled)
    if pairs:
        assert version_of(pairs) != version_of(pairs[1:])


async def test_unknown_fields_may_hold_anything(store: RecordStore) -> None:
    """E1, G5: half a surrogate pair, which JSON can write and UTF-8 cannot, comes back as it was."""
    record = numbered(1, unknown={"new\ud800": ["\ud83d", "\x00"]})

    await store.put([record], "a", NOW)

    back = await store.get(record.id)
    assert isinstance(back, Record)
    assert back.unknown == record.unknown


async def test_a_large_import_lets_others_write(database: Database, store: RecordStore) -> None:
    """While a batch is gathered, which takes most of its time, the bot goes on keeping answers."""
    gathering, written = threading.Event(), threading.Event()

    def slow() -> Iterator[Entry]:
        yield numbered(1)
        gathering.set()
        assert written.wait(10)
        yield numbered(2)

    importing = asyncio.create_task(store.put(slow(), "a", NOW))
    await asyncio.to_thread(gathering.wait, 10)
    await database.write("INSERT INTO meta VALUES ('a', 'b')")
    written.set()

    assert (await importing).added == 2


KILLED = textwrap.dedent(
    """
    import asyncio, os, sys
    from dataclasses import replace
    from datetime import UTC, datetime
    from pathlib import Path
    from bot.store import records
    from bot.store.sqlite import Database
    from tests.sample_entries import GRADIENT_SYNC

    async def main() -> None:
        whole = records.restate_version

        async def stop_before_the_end(connection, at):
            await whole(connection, at)
            print("written", flush=True)
            await asyncio.sleep(60)

        records.restate_version = stop_before_the_end
        async with Database.open(Path(sys.argv[1])) as database:
            many = (replace(GRADIENT_SYNC, id=f"{n:016x}", documentation="new") for n in range(3000))
            await records.RecordStore(database).put(many, "x", datetime(2026, 1, 1, tzinfo=UTC))

    asyncio.run(main())
    """
)


async def test_sigkill_in_the_middle_of_a_batch_leaves_the_old_catalogue(tmp_path: Path) -> None:
    """G1: a process killed when all is written but not committed leaves entries and version as they were."""
    path = tmp_path / "errata.sqlite3"
    async with Database.open(path) as database:
        await RecordStore(database).put([numbered(1), numbered(2)], "a", NOW)
        before = await RecordStore(database).catalogue()
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "written\n"

    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=10)

    async with Database.open(path) as database:
        store = RecordStore(database)
        assert await store.catalogue() == before
        assert json.dumps(await store.repos()) == '{"tracel-ai/burn": 2}'
        assert (await store.put([numbered(3)], "b", NOW)).added == 1


async def test_the_facts_of_a_whole_catalogue_are_read(database: Database, store: RecordStore) -> None:
    """G4: 153,000 records' facts at once; how long that takes is in the benchmarks (`cold_start`)."""
    await store.put([GRADIENT_SYNC], "a", NOW)
    columns = (await store.catalogue()).facts[0]._fields
    others = ", ".join(columns[1:])
    await database.write(
        "INSERT INTO record_facts WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 152999)"
        f" SELECT printf('%016x', n), {others} FROM number, record_facts"
    )

    catalogue = await store.catalogue()

    assert len(catalogue.facts) == 153_000
    assert [one.id for one in catalogue.facts] == sorted(one.id for one in catalogue.facts)
