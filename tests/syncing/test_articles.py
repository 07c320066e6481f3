"""Articles come with the records, and go with the dataset."""

import json

from bot.store.articles import ArticleStore
from tests.dataset_standin import V2, article, published
from tests.syncing_bench import ONE, Bench


async def test_articles_are_read_and_read_again_when_they_change(bench: Bench) -> None:
    """By the family of a record; an unchanged one is not fetched again, one that is gone is removed."""
    files = published(ONE, articles=[article("broken-channel"), article("lost-lock", clusterKey="locks")])
    report = await bench.publish(files)
    assert report.articles == 2

    changed = article("broken-channel", title="Another title", summary="New.")
    await bench.publish(published(ONE, V2, articles=[changed, article("other")]))

    assert bench.asked == [
        "index.json.gz",
        "info/broken-channel.json",
        "info/index.json",
        "info/other.json",
        "manifest.json",
    ]
    async with bench.opened() as database:
        articles = ArticleStore(database)
        found = await articles.of_family("broken-channel")
        assert found is not None
        assert json.loads(found.body_json)["summary"] == "New."
        assert await articles.of_family("locks") is None


async def test_a_bad_article_is_left_out_and_said(bench: Bench) -> None:
    """No answer depends on it, so the records are taken over."""
    report = await bench.publish(published(ONE, articles=[article("good"), article("bad", summary=7)]))

    assert (report.articles, report.bad_articles) == (1, ("bad",))
    assert len(await bench.held()) == 2
