"""Settings into all parts."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from bot.assembly import assembled, opened_store
from bot.matching.verdict import Tier
from bot.pastes.paste import Paste
from bot.settings import load_settings
from bot.store.records import RecordStore
from tests.acceptance.invented import CATALOGUE, REFUSED
from tests.acceptance.pipeline import NoModel, pipeline, seeds
from tests.fakes import CountingEncoder

PANIC = "thread 'main' panicked at crates/burn-remote/src/client/service.rs:179:18:\nServer disconnected during initialization"


async def test_a_new_data_folder_knows_the_shipped_seeds(tmp_path: Path) -> None:
    """The first start answers: the seeds go into an empty store, and nothing else."""
    folder = tmp_path / "new" / "folder"

    async with assembled(load_settings(data_dir=folder), encoder=NoModel()) as parts:
        status = await parts.answering.status()
        verdict = await parts.answering.explain(Paste.of_text(PANIC))

    assert (status.records, status.repositories, status.refused) == (len(seeds()), 1, 0)
    assert verdict.best is not None
    assert (verdict.best.record_id, verdict.best.tier) == ("4df974a0eb9a8beb", Tier.PATTERN)


async def test_a_store_that_holds_something_is_left_as_it_is(tmp_path: Path) -> None:
    """Who removed the seeds does not get them back."""
    async with pipeline(tmp_path, CATALOGUE) as answering:
        assert (await answering.status()).records == len(CATALOGUE)
    async with opened_store(load_settings(data_dir=tmp_path)) as database:
        assert await RecordStore(database).count() == len(CATALOGUE)


async def test_the_seeds_are_answered_by_id_and_slug(tmp_path: Path) -> None:
    """Each by its id, and by its slug where it has one."""
    async with assembled(load_settings(data_dir=tmp_path), encoder=NoModel()) as parts:
        for entry in seeds():
            assert await parts.answering.find(entry.id) == entry
            if entry.slug:
                assert await parts.answering.find(f"{entry.repo}/{entry.slug}") == entry


async def test_patterns_that_are_refused_are_logged_with_their_record(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The one who runs the bot reads which and why (E3)."""
    with caplog.at_level(logging.WARNING, logger="bot.assembly"):
        async with pipeline(tmp_path, CATALOGUE) as answering:
            status = await answering.status()

    assert status.refused == 1
    assert REFUSED.id in caplog.text


async def test_no_model_is_told_by_the_status_and_keeps_no_pattern_from_answering(tmp_path: Path) -> None:
    """Degraded, not down (E12)."""
    async with assembled(load_settings(data_dir=tmp_path), encoder=NoModel()) as parts:
        await parts.answering.warm()
        status = await parts.answering.status()
        verdict = await parts.answering.explain(Paste.of_text(PANIC, asked=False))

    assert "not installed" in (status.degraded or "")
    assert verdict.shown


async def test_the_model_is_not_touched_before_it_is_needed(tmp_path: Path) -> None:
    """A pattern answers without encoding anything; warming up does encode."""
    encoder = CountingEncoder()

    async with assembled(load_settings(data_dir=tmp_path), encoder=encoder) as parts:
        await parts.answering.explain(Paste.of_text(PANIC))
        untouched = list(encoder.seen)
        await parts.answering.warm()
        status = await parts.answering.status()

    assert untouched == []
    assert encoder.seen
    assert status.indexed == len(seeds())
    assert "counting" in (status.encoder or "")


async def test_progress_of_compiling_is_told(tmp_path: Path) -> None:
    """So that a first start on a large catalogue does not look dead."""
    told: list[str] = []

    async with assembled(
        load_settings(data_dir=tmp_path), progress=lambda what, _done, _total: told.append(what), encoder=NoModel()
    ):
        assert "patterns" in told


async def test_the_second_start_is_the_first(tmp_path: Path) -> None:
    """Version and answer stay what they were."""
    async with pipeline(tmp_path, CATALOGUE) as answering:
        first = await answering.status()
        before = await answering.explain(Paste.of_text("Error: Sprite atlas overflow: 3 frames exceed 2"))
    async with pipeline(tmp_path) as answering:
        second = await answering.status()
        after = await answering.explain(Paste.of_text("Error: Sprite atlas overflow: 3 frames exceed 2"))

    assert (first.version, first.patterns) == (second.version, second.patterns)
    assert before == after


def test_answering_by_a_pattern_does_not_import_torch(tmp_path: Path) -> None:
    """What it must show 5: the cold start of the exact tier takes no model along."""
    program = f"""
import asyncio, sys
from pathlib import Path
from bot.assembly import assembled
from bot.pastes.paste import Paste
from bot.settings import load_settings
async def run():
    async with assembled(load_settings(data_dir=Path({str(tmp_path)!r}))) as parts:
        return await parts.answering.explain(Paste.of_text({PANIC!r}))
verdict = asyncio.run(run())
heavy = {{"torch", "transformers", "sentence_transformers", "discord"}} & set(sys.modules)
print(verdict.best.record_id, sorted(heavy))
"""

    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)

    assert said.stdout.strip() == "4df974a0eb9a8beb []"
