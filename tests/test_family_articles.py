"""Articles on the families that records name."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.family_articles import FamilyArticles
from bot.records.outline import outline_of
from tests.dataset_standin import DatasetServer, article, published, record, serving
from tests.sample_entries import GRADIENT_SYNC, SERVER_DISCONNECTED
from tests.syncing_bench import Bench


@pytest.fixture
def server() -> Iterator[DatasetServer]:
    articles = [article("by-key", clusterKey="a-key"), article("by-slug", clusterKey="another-key")]
    with serving(published([record(1)], articles=articles)) as running:
        yield running


@pytest.mark.parametrize(
    ("tag", "slug"), [("a-key", "by-key"), ("by-slug", "by-slug"), ("no-family", None), (None, None)]
)
async def test_the_article_of_the_family_is_found(
    tmp_path: Path, server: DatasetServer, tag: str | None, slug: str | None
) -> None:
    """By its key, else by its slug; where nobody wrote one there is none."""
    bench = Bench(tmp_path, server)
    await bench.sync()
    async with bench.opened() as database:
        background = FamilyArticles(database)

        found = await background.article(dataclasses.replace(GRADIENT_SYNC, background_tag=tag))

        assert (found and found.slug) == slug
        assert found is None or (found.title, found.fixes) == (f"About {slug}", ("Wait.",))
        assert await background.article(SERVER_DISCONNECTED) is None
        assert await background.article(outline_of(GRADIENT_SYNC)) is None
