"""From the store to what matching opens."""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from bot.indexing import (
    INDEX_FOLDER,
    MODEL_RETRY_SECONDS,
    MOST_ENCODED_UNASKED,
    PATTERNS_FOLDER,
    StoredIndex,
    build,
    encoder_key,
    indexed_version,
    patterns,
)
from bot.matching.scope import scope_of
from bot.passages import passages_of
from bot.records.entry import Entry
from bot.records.record import Record
from bot.store.entry_reader import EntryReader
from bot.store.records import RecordStore
from bot.store.sqlite import FILE_NAME, Database
from embeddings.build import build_index
from embeddings.encoder import FloatMatrix
from embeddings.errors import EncoderUnavailable
from embeddings.hashed_encoder import HashedEncoder
from embeddings.index_files import open_index
from embeddings.passage import Facet, record_fingerprint
from tests.acceptance.invented import CATALOGUE, GRANARY, REFUSED, VALVE, invented
from tests.acceptance.pipeline import AT, NoModel
from tests.fakes import CountingEncoder


class BrokenEncoder(HashedEncoder):
    """Its vectors are there; the model is not any more."""

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        raise EncoderUnavailable(self.name, f"{len(texts)} texts, and its package is not installed")


class FailingEncoder(HashedEncoder):
    """Its model fails as long as it is told so; it counts how often it was asked."""

    fails = False
    asked = 0

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        self.asked += 1
        if self.fails:
            raise EncoderUnavailable(self.name, "its process ends before it answers")
        return super().encode(texts)


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with Database.open(tmp_path / FILE_NAME) as opened:
        yield opened


async def put(database: Database, *records: Record) -> None:
    await RecordStore(database).put(records, "a test", AT)


def many(number: int) -> list[Record]:
    return [invented(2_000 + n, "fill/er", f"src/f{n}.go", f"filler {n} of the attic is dusty") for n in range(number)]


async def test_patterns_are_compiled_once_and_anew_when_the_catalogue_changes(
    database: Database, tmp_path: Path
) -> None:
    """Compiled files fit the catalogue they are opened for, or are made again (G2)."""
    await put(database, VALVE)
    told: list[tuple[str, int, int]] = []

    def tell(what: str, done: int, total: int) -> None:
        told.append((what, done, total))

    first = await patterns(database, tmp_path, tell)
    compiled_once = len(told)
    again = await patterns(database, tmp_path, tell)
    await put(database, GRANARY)
    changed = await patterns(database, tmp_path, tell)

    assert compiled_once
    assert (first.expressions, again.expressions, changed.expressions) == (1, 1, 2)
    assert changed.catalogue_version == await RecordStore(database).version() != first.catalogue_version
    assert {what for what, _, _ in told} == {"patterns"}


async def test_damaged_patterns_are_repaired_at_the_start(database: Database, tmp_path: Path) -> None:
    """A broken file costs a compilation, not the bot (G2)."""
    await put(database, VALVE)
    await patterns(database, tmp_path)
    for path in (tmp_path / PATTERNS_FOLDER).iterdir():
        path.write_bytes(path.read_bytes()[:7])

    assert (await patterns(database, tmp_path)).expressions == 1


async def test_what_no_engine_takes_is_named(database: Database, tmp_path: Path) -> None:
    """And does not keep the others from compiling (E3)."""
    await put(database, *CATALOGUE)

    compiled = await patterns(database, tmp_path)

    assert [refused.record_id for refused in compiled.refused] == [REFUSED.id]


async def test_an_index_remembers_the_catalogue_it_was_built_from(database: Database, tmp_path: Path) -> None:
    """None before the first build (G2)."""
    await put(database, VALVE)
    before = indexed_version(tmp_path)

    report = await build(database, tmp_path, HashedEncoder())

    assert before is None
    assert indexed_version(tmp_path) == await RecordStore(database).version()
    assert report.manifest.records == 1


async def test_only_what_is_new_is_encoded(database: Database, tmp_path: Path) -> None:
    """A second record costs its own texts."""
    encoder = CountingEncoder()
    await put(database, VALVE)
    await build(database, tmp_path, encoder)
    first = len(encoder.seen)
    await put(database, GRANARY)

    await build(database, tmp_path, encoder)

    assert first == 2
    assert encoder.seen[first:] == [next(passages_of(GRANARY)).text, GRANARY.documentation]


async def test_only_changed_records_are_read(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An added record and a changed one are read; what stayed as it was is neither read nor split into words again."""
    await put(database, VALVE, *many(5))
    await build(database, tmp_path, HashedEncoder())
    changed = replace(VALVE, documentation="The actuator is out of tune.")
    await put(database, GRANARY, changed)
    read: list[str] = []
    entries = EntryReader.entries

    def noted(reader: EntryReader, ids: Collection[str]) -> Iterator[Entry]:
        read.extend(ids)
        return entries(reader, ids)

    monkeypatch.setattr(EntryReader, "entries", noted)
    await build(database, tmp_path, HashedEncoder())

    assert sorted(read) == sorted([GRANARY.id, VALVE.id])
    onto = open_index(tmp_path / INDEX_FOLDER, None)
    await build(database, tmp_path / "anew", HashedEncoder())
    fresh = open_index(tmp_path / "anew" / INDEX_FOLDER, None)
    assert onto.manifest.files == fresh.manifest.files
    for name in fresh.manifest.files:
        assert (onto.folder / name).read_bytes() == (fresh.folder / name).read_bytes(), name
    assert onto.fingerprint_of(VALVE.id) == record_fingerprint(passages_of(changed))


async def test_a_small_index_is_built_at_the_first_question(database: Database, tmp_path: Path) -> None:
    """What takes seconds is done unasked, once, also for two questions at a time."""
    await put(database, VALVE, GRANARY)
    encoder = CountingEncoder()
    index = StoredIndex(database, tmp_path, encoder)
    before = index.compared_by

    found, _ = await asyncio.gather(index.nearest(["torque calibration refused"], 1), index.nearest(["silo"], 1))

    assert (before, index.compared_by, index.behind) == (None, encoder_key(encoder), None)
    assert [record.record_id for record in found] == [VALVE.id]
    assert found[0].similarity is not None
    assert (tmp_path / INDEX_FOLDER).is_dir()
    assert len(encoder.seen) == 4 + 2  # two texts of each record, and the two questions


async def test_a_large_catalogue_is_not_encoded_while_somebody_waits(database: Database, tmp_path: Path) -> None:
    """Words are compared instead, and the sentence names the command (E12)."""
    await put(database, *many(MOST_ENCODED_UNASKED // 3 + 1))
    encoder = CountingEncoder()
    index = StoredIndex(database, tmp_path, encoder)

    found = await index.nearest(["filler 7 of the attic"], 1)

    assert encoder.seen == []
    assert index.compared_by is None
    assert "errata index" in (index.behind or "")
    assert found[0].similarity is None


async def test_without_a_model_words_are_compared(database: Database, tmp_path: Path) -> None:
    """The index is built for words alone, and what is missing is said (E12)."""
    await put(database, VALVE, GRANARY)
    index = StoredIndex(database, tmp_path, NoModel())

    found = await index.nearest(["torque calibration refused"], 1)

    assert [record.record_id for record in found] == [VALVE.id]
    assert (index.compared_by, found[0].similarity) == (None, None)
    assert "not installed" in (index.behind or "")


async def test_a_model_that_is_lost_later_leaves_words(database: Database, tmp_path: Path) -> None:
    """The index was built, the model is gone at the next start (E12)."""
    await put(database, VALVE, GRANARY)
    await build(database, tmp_path, CountingEncoder())
    lost = CountingEncoder(lost=True)
    index = StoredIndex(database, tmp_path, lost)

    found = await index.nearest(["torque calibration refused"], 1)

    assert [record.record_id for record in found] == [VALVE.id]
    assert index.compared_by is None
    assert index.behind is not None


async def test_a_changed_catalogue_is_indexed_at_the_next_start(database: Database, tmp_path: Path) -> None:
    """A record imported since the last build is found."""
    await put(database, VALVE)
    await StoredIndex(database, tmp_path, HashedEncoder()).nearest(["x"], 1)
    await put(database, GRANARY)

    found = await StoredIndex(database, tmp_path, HashedEncoder()).nearest(["hopper starved while draining silo"], 1)

    assert [record.record_id for record in found] == [GRANARY.id]


async def test_an_index_of_another_model_is_not_asked_with_this_one(database: Database, tmp_path: Path) -> None:
    """A small one is built anew; vectors of two models are never compared (A8, G2)."""
    await put(database, VALVE, GRANARY)
    await build(database, tmp_path, HashedEncoder(dim=64))
    encoder = CountingEncoder()
    index = StoredIndex(database, tmp_path, encoder)

    found = await index.nearest(["hopper starved while draining silo"], 1)

    assert [record.record_id for record in found] == [GRANARY.id]
    assert index.compared_by == encoder_key(encoder)


async def test_a_new_index_serves_after_a_refresh(database: Database, tmp_path: Path) -> None:
    """What another process built is taken over once it is there; nothing happens before, and nothing twice."""
    await put(database, VALVE)
    index = StoredIndex(database, tmp_path, HashedEncoder())
    unopened = await index.refresh()
    await index.nearest(["x"], 1)
    unchanged = await index.refresh()
    await put(database, GRANARY)
    await build(database, tmp_path, HashedEncoder())

    before = await index.nearest(["hopper starved while draining silo"], 1)
    taken = await index.refresh()
    after = await index.nearest(["hopper starved while draining silo"], 1)

    assert (unopened, unchanged, taken, await index.refresh()) == (False, False, True, False)
    assert [record.record_id for record in before] == [VALVE.id]
    assert [record.record_id for record in after] == [GRANARY.id]
    assert await index.is_built()


async def test_questions_in_flight_end_while_indexes_are_swapped(database: Database, tmp_path: Path) -> None:
    """G1: under a load of questions each gets its answer while the index is built and taken over again and again."""
    await put(database, VALVE, GRANARY, *many(40))
    index = StoredIndex(database, tmp_path, HashedEncoder())
    await build(database, tmp_path, HashedEncoder())
    swaps = 0
    over = False

    async def ask() -> list[str]:
        found = []
        while not over:
            records = await index.nearest(["torque calibration refused"], 1)
            found += [records[0].record_id if records[0].similarity is not None else "by words"]
        return found

    asking = [asyncio.create_task(ask()) for _ in range(3)]
    for number in range(6):
        await put(database, invented(5_000 + number, "fill/er", "src/n.go", f"newcomer {number} is late"))
        await build(database, tmp_path, HashedEncoder())
        swaps += await index.refresh()
    over = True
    answers = [answer for found in await asyncio.gather(*asking) for answer in found]

    assert swaps >= 5  # the first may be there when the first question opens the index
    assert len(answers) > 6
    assert set(answers) == {VALVE.id}


async def test_an_index_that_does_not_fit_leaves_the_old_one_serving(database: Database, tmp_path: Path) -> None:
    """G1, G2: another model's index is refused, and questions go on."""
    await put(database, VALVE)
    index = StoredIndex(database, tmp_path, HashedEncoder())
    await index.nearest(["x"], 1)
    await put(database, GRANARY)
    await build(database, tmp_path, HashedEncoder(dim=64))

    assert not await index.refresh()
    assert not await index.is_built()
    assert [record.record_id for record in await index.nearest(["torque calibration refused"], 1)] == [VALVE.id]


async def test_where_somebody_keeps_building_no_question_waits_for_a_build(database: Database, tmp_path: Path) -> None:
    """The index of an older catalogue serves, and says that it is older."""
    await put(database, *many(MOST_ENCODED_UNASKED))
    await build(database, tmp_path, HashedEncoder())
    await put(database, VALVE)
    by_meaning = StoredIndex(database, tmp_path, HashedEncoder(), built_elsewhere=True)
    of_another_model = StoredIndex(database, tmp_path, HashedEncoder(dim=64), built_elsewhere=True)

    (found,) = await by_meaning.nearest(["filler 7 of the attic"], 1)
    (by_words,) = await of_another_model.nearest(["filler 7 of the attic"], 1)

    assert found.similarity is not None
    assert "older catalogue" in (by_meaning.behind or "")
    assert by_words.similarity is None
    assert "does not fit" in (of_another_model.behind or "")
    assert indexed_version(tmp_path) != await RecordStore(database).version()


async def test_an_index_of_messages_compares_meaning(database: Database, tmp_path: Path) -> None:
    """The first part of a long build is useful, and what it lacks is said."""
    await put(database, VALVE, *many(MOST_ENCODED_UNASKED))
    await build(database, tmp_path, HashedEncoder(), facets=[Facet.MESSAGE])
    index = StoredIndex(database, tmp_path, HashedEncoder())

    found = await index.nearest(["torque calibration refused"], 1)

    assert index.compared_by == encoder_key(HashedEncoder())
    assert (found[0].record_id, found[0].similarity is not None) == (VALVE.id, True)
    assert "found by their words alone" in (index.behind or "")


async def test_an_empty_catalogue_has_an_index(database: Database, tmp_path: Path) -> None:
    """A bot that knows nothing finds nothing."""
    assert await StoredIndex(database, tmp_path, HashedEncoder()).nearest(["x"], 3) == []


@pytest.mark.parametrize("model", [True, False], ids=["meaning", "words"])
async def test_a_small_scope_finds_its_own_among_many_that_are_nearer(
    database: Database, tmp_path: Path, model: bool
) -> None:
    """A11, G7: 90 records outside share every word with the question; the one of the chosen repository is found."""
    own = invented(1_999, "qui/et", "src/own.go", "the attic is full")
    await put(database, own, *many(90))
    encoder = HashedEncoder() if model else NoModel()
    index = StoredIndex(database, tmp_path, encoder)
    text = "filler 7 of the attic is dusty"

    outside = await index.nearest([text], 10)
    inside = await index.nearest([text], 10, scope_of(["qui/et"]))

    assert own.id not in {one.record_id for one in outside}
    assert [one.record_id for one in inside] == [own.id]
    assert await index.nearest([text], 10, scope_of(["no/body"])) == []
    assert await index.nearest([text], 10, scope_of(["qui/et", "fill/er"])) == outside


async def test_an_index_that_is_whole_is_left_as_it_is(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G2: nothing is read or written again for a catalogue, an encoder and files that are the same."""
    await put(database, VALVE)
    encoder = HashedEncoder()
    first = await build(database, tmp_path, encoder)
    generation = (tmp_path / INDEX_FOLDER / "current").read_text(encoding="utf-8")

    def unwanted(_path: Path) -> AbstractContextManager[EntryReader]:
        raise AssertionError("the records are read")

    with monkeypatch.context() as patch:
        patch.setattr(EntryReader, "open", unwanted)
        again = [await build(database, tmp_path, with_what) for with_what in (encoder, None)]

    assert [report.manifest for report in again] == [first.manifest] * 2
    assert [(report.encoded, report.reused) for report in again] == [(0, first.manifest.vectors)] * 2
    assert (tmp_path / INDEX_FOLDER / "current").read_text(encoding="utf-8") == generation


@pytest.mark.parametrize("lack", ["vectors", "a file", "the encoder", "a record", "keys"])
async def test_an_index_that_lacks_anything_is_built(database: Database, tmp_path: Path, lack: str) -> None:
    """G2: vectors that were left for later, a file cut short, another encoder, another catalogue.

    Keys are what an index lacks that an earlier version made: the next change would cost reading everything.
    """
    await put(database, VALVE)
    await build(database, tmp_path, None if lack == "vectors" else HashedEncoder())
    if lack == "a record":
        await put(database, GRANARY)
    if lack == "a file":
        cut = next((tmp_path / INDEX_FOLDER).glob("generation-*/record_ids.json"))
        cut.write_bytes(cut.read_bytes()[:-1])
    encoder = HashedEncoder(64 if lack == "the encoder" else 256)
    if lack == "keys":
        version = await RecordStore(database).version()
        build_index(tmp_path / INDEX_FOLDER, passages_of(VALVE), encoder, source=version)
    before = (tmp_path / INDEX_FOLDER / "current").read_text(encoding="utf-8")

    report = await build(database, tmp_path, encoder)

    assert (tmp_path / INDEX_FOLDER / "current").read_text(encoding="utf-8") != before
    assert report.manifest.unencoded == 0
    assert report.manifest.source == await RecordStore(database).version()
    assert open_index(tmp_path / INDEX_FOLDER, encoder).manifest == report.manifest


async def test_a_model_that_failed_is_tried_again_after_a_while(database: Database, tmp_path: Path) -> None:
    """E12: it may have been killed for its memory. Words are compared meanwhile, the status says so, nobody waits."""
    await put(database, VALVE, GRANARY)
    encoder, moment = FailingEncoder(), 1_000.0
    await build(database, tmp_path, encoder)
    index = StoredIndex(database, tmp_path, encoder, clock=lambda: moment)

    async def by_meaning() -> bool:
        (near,) = await index.nearest(["actuator refused torque calibration"], 1)
        assert near.record_id == VALVE.id
        return near.similarity is not None

    assert await by_meaning()
    encoder.fails = True
    assert not await by_meaning()
    encoder.asked = 0

    moment += MODEL_RETRY_SECONDS - 1
    assert (await index.refresh(), encoder.asked) == (False, 0)
    moment += 1
    assert (await index.refresh(), encoder.asked) == (False, 1)
    assert not await by_meaning()
    assert "its process ends before it answers" in (index.behind or "")
    encoder.fails = False
    moment += MODEL_RETRY_SECONDS - 1
    assert (await index.refresh(), encoder.asked) == (False, 1)  # counted from the last try
    assert not await by_meaning()
    moment += 1
    assert await index.refresh()
    assert await by_meaning()
    assert index.behind is None
    assert not await index.refresh()


async def test_questions_that_fail_together_are_answered_by_words_together(database: Database, tmp_path: Path) -> None:
    """E12: one model that cannot be loaded, one index of words in its place, an answer for everybody."""
    await put(database, VALVE, GRANARY)
    await build(database, tmp_path, HashedEncoder())
    index = StoredIndex(database, tmp_path, BrokenEncoder())

    found = await asyncio.gather(*(index.nearest(["actuator refused torque calibration"], 1) for _ in range(5)))

    assert [[(near.record_id, near.similarity) for near in one] for one in found] == [[(VALVE.id, None)]] * 5
    assert index.behind is not None
