"""Background articles on families of errors."""

from dataclasses import dataclass

from bot.store.sqlite import Database


@dataclass(frozen=True, slots=True)
class StoredArticle:
    """An article as JSON text, and the digest of its line in the list of articles, which changes when it does."""

    slug: str
    cluster_key: str
    row_digest: str
    body_json: str


class ArticleStore:
    """Articles by the family they explain. They are written by a takeover alone."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_family(self, background_tag: str) -> StoredArticle | None:
        """The article on the family that a record names, None where there is none."""
        row = await self._database.row(
            "SELECT slug, cluster_key, row_digest, body_json FROM articles WHERE cluster_key = ?1 OR slug = ?1"
            " ORDER BY cluster_key = ?1 DESC, slug LIMIT 1",
            (background_tag,),
        )
        return StoredArticle(*row) if row else None

    async def digests(self) -> dict[str, str]:
        """The digest of each article's line in the list, by slug."""
        return {str(row[0]): str(row[1]) for row in await self._database.rows("SELECT slug, row_digest FROM articles")}
