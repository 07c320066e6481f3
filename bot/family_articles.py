"""Background articles: what the errors of one family have in common."""

from bot.records.article import Article
from bot.records.entry import Entry
from bot.sources.dataset_articles import decode_article
from bot.store.articles import ArticleStore
from bot.store.sqlite import Database


class FamilyArticles:
    """Finds the article for an entry."""

    def __init__(self, database: Database) -> None:
        self._articles = ArticleStore(database)

    async def article(self, entry: Entry) -> Article | None:
        """The article on the family that the entry names; None for one that names none, and where none was written."""
        if entry.background_tag is None:
            return None
        stored = await self._articles.of_family(entry.background_tag)
        return decode_article(stored.body_json.encode(), stored.slug, "the store") if stored else None
