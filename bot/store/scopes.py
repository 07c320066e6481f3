"""Which records a scope holds, and how many: what people choose from, and what they chose, counted."""

import json
from collections import Counter
from collections.abc import Mapping

from bot.matching.scope import EVERYTHING, Scope
from bot.store.sqlite import Database

# An index answers both ways of choosing; a record of a chosen repository and a chosen family counts once.
_CHOSEN = (
    "SELECT id FROM record_facts WHERE repo IN (SELECT value FROM json_each(?1))"
    " UNION SELECT id FROM record_facts WHERE family IN (SELECT value FROM json_each(?2)) AND family IS NOT NULL"
    " AND (?3 OR repo IN (SELECT value FROM json_each(?4)))"
)


class ScopeStore:
    """Reads the catalogue as it is at this moment."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record_ids(self, scope: Scope) -> list[str]:
        """The ids of the scope's records, ascending."""
        values = await self._values(scope)
        return [str(row[0]) for row in await self._database.rows(f"{_CHOSEN} ORDER BY id", values)]

    async def count(self, scope: Scope) -> int:
        """How many records the scope holds; counting a choice of repositories alone takes 20 ms."""
        if not scope.families:
            counts = await self.repositories()
            return sum(records for repo, records in counts.items() if scope.holds(repo, None))
        row = await self._database.row(f"SELECT count(*) FROM ({_CHOSEN})", await self._values(scope))  # noqa: S608 - own words
        return int(row[0]) if row else 0

    async def repositories(self) -> Mapping[str, int]:
        """How many records each repository has, by name."""
        rows = await self._database.rows("SELECT repo, count(*) FROM record_facts GROUP BY repo ORDER BY repo")
        return {str(repo): int(records) for repo, records in rows}

    async def families(self, scope: Scope = EVERYTHING) -> Mapping[str, int]:
        """How many records of the scope each family of errors has, by the name records give it (`background_tag`)."""
        rows = await self._database.rows(
            "SELECT family, repo, count(*) FROM record_facts WHERE family IS NOT NULL GROUP BY family, repo"
        )
        counts: Counter[str] = Counter()
        for family, repo, records in rows:
            if scope.holds(repo, family):
                counts[family] += records
        return dict(sorted(counts.items()))

    async def _values(self, scope: Scope) -> tuple[str | int, ...]:
        """What `_CHOSEN` is asked with: names as the catalogue spells them."""
        names = list(await self.repositories())
        within = [name for name in names if not scope.within or name.lower() in scope.within]
        chosen = [name for name in within if name.lower() in scope.repositories] if scope.is_chosen else within
        return json.dumps(chosen), json.dumps(sorted(scope.families)), int(not scope.within), json.dumps(within)
