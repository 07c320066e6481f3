"""Which index answers, and how."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
import pytest_asyncio

from bot.indexing import INDEX_FOLDER, build, indexed_version
from bot.matching.scope import scope_of
from bot.store.records import RecordStore
from bot.store.sqlite import FILE_NAME, Database
from bot.stored_index import MODEL_RETRY_SECONDS, MOST_ENCODED_UNASKED, StoredIndex, encoder_key
from embeddings.encoder import FloatMatrix
from embeddings.errors import EncoderUnavailable
from embeddings.hashed_encoder import HashedEncoder
from embeddings.passage import Facet
from tests.acceptance.invented import GRANARY, VALVE, invented
from tests.acceptance.pipeline import NoModel
from tests.fakes import CountingEncoder
from tests.stored_records import many, put


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
