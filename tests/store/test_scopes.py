"""What a scope holds of a stored catalogue."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.matching.scope import EVERYTHING, Scope, scope_of
from bot.store.fact_source import StoredFacts
from bot.store.records import RecordStore
from bot.store.scopes import ScopeStore
from bot.store.sqlite import Database
from tests.sample_entries import GRADIENT_SYNC, SERVER_DISCONNECTED

AT = datetime(2026, 11, 30, tzinfo=UTC)
FLASK = replace(GRADIENT_SYNC, id="1" * 16, repo="Pallets/flask", slug="a", background_tag="template-missing")
PLAIN = replace(GRADIENT_SYNC, id="2" * 16, repo="Pallets/flask", slug="b", background_tag=None)
TWIN = replace(GRADIENT_SYNC, id="3" * 16, repo="other/twin", slug="a", background_tag=GRADIENT_SYNC.background_tag)
ALL = (GRADIENT_SYNC, SERVER_DISCONNECTED, FLASK, PLAIN, TWIN)
BURN = "tracel-ai/burn"


@pytest.mark.parametrize(
    ("scope", "held"),
    [
        (EVERYTHING, ALL),
        (scope_of(["pallets/FLASK"]), (FLASK, PLAIN)),
        (scope_of(families=["template-missing"]), (FLASK,)),
        (scope_of([BURN], [str(GRADIENT_SYNC.background_tag)]), (GRADIENT_SYNC, SERVER_DISCONNECTED, TWIN)),
        (EVERYTHING.held_to([BURN]), (GRADIENT_SYNC, SERVER_DISCONNECTED)),
        (scope_of(["other/twin"], [str(GRADIENT_SYNC.background_tag)]).held_to([BURN]), (GRADIENT_SYNC,)),
        (scope_of(["no/body"], ["none"]), ()),
    ],
)
async def test_a_scope_holds_what_it_says(database: Database, scope: Scope, held: Sequence[object]) -> None:
    """The ids, ascending, and their number, are those of the records for which `Scope.holds` is true."""
    await RecordStore(database).put(ALL, "a test", AT)
    store = ScopeStore(database)

    expected = sorted(one.id for one in ALL if one in held)
    assert await store.record_ids(scope) == expected
    assert await store.count(scope) == len(expected)
    facts = [one async for one in StoredFacts(database).all_facts()]
    assert [one.id for one in facts if scope.holds(one.repo, one.family)] == expected


async def test_families_are_counted(database: Database) -> None:
    """By the name records give them; records without one count nowhere. An import that takes one away takes it away."""
    records, store = RecordStore(database), ScopeStore(database)
    await records.put(ALL, "a test", AT)

    assert await store.families() == {GRADIENT_SYNC.background_tag: 2, "template-missing": 1}
    assert await store.families(EVERYTHING.held_to([BURN])) == {GRADIENT_SYNC.background_tag: 1}
    assert (await store.repositories())["Pallets/flask"] == 2

    await records.put([replace(FLASK, background_tag=None)], "a test", AT)
    assert await store.families() == {GRADIENT_SYNC.background_tag: 2}
