"""The texts of an entry, and those of all that are stored."""

from dataclasses import replace
from pathlib import Path

from bot.passages import StoredPassages, passages_of
from bot.store.records import RecordStore
from bot.store.sqlite import FILE_NAME, Database
from embeddings.passage import Facet
from tests.acceptance.invented import GRANARY, VALVE, invented
from tests.acceptance.pipeline import AT
from tests.sample_entries import GRADIENT_SYNC, SERVER_DISCONNECTED


def test_an_entry_has_three_passages_without_placeholders() -> None:
    """Message, meaning and triggers; no paste holds the name of a placeholder."""
    message, meaning, triggers = passages_of(VALVE)

    assert (message.facet, message.text) == (Facet.MESSAGE, "Actuator refused torque calibration")
    assert (meaning.facet, meaning.text) == (Facet.MEANING, VALVE.documentation)
    assert (triggers.facet, triggers.text) == (Facet.TRIGGER, "")


def test_triggers_and_situations_are_one_passage() -> None:
    """A page and a record give the same three."""
    for entry in (GRADIENT_SYNC, SERVER_DISCONNECTED):
        triggers = list(passages_of(entry))[2]

        assert entry.trigger_scenarios in triggers.text
        assert entry.common_situations in triggers.text


def test_a_message_of_placeholders_alone_keeps_them() -> None:
    """A passage is never empty because of what was taken out."""
    assert next(passages_of(invented(3, "a/b", "x.go", "{a}"))).text == "{a}"


async def test_the_stored_passages_are_those_of_the_entries(tmp_path: Path) -> None:
    """Of the entries asked for alone; the key of an entry that changed is another, and no other key is."""
    entries = (VALVE, GRANARY, GRADIENT_SYNC)
    async with Database.open(tmp_path / FILE_NAME) as database:
        store = RecordStore(database)
        await store.put(entries, "a test", AT)
        with StoredPassages.open(database.path) as stored:
            before, version = stored.keys(), stored.version
            some = list(stored.passages([VALVE.id, GRADIENT_SYNC.id]))
        after = await store.put([replace(VALVE, trigger_scenarios="Too cold.")], "a test", AT)
        with StoredPassages.open(database.path) as stored:
            now = stored.keys()

    assert set(some) == {*passages_of(VALVE), *passages_of(GRADIENT_SYNC)}
    assert {id_ for id_, key in now.items() if before[id_] != key} == {VALVE.id}
    assert all(0 <= key < 2**64 for key in now.values())
    assert version != after.version
