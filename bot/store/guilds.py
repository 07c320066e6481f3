"""What a guild has set, who changed it, and the way back."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import aiosqlite

from bot.matching.scope import Scope, scope_of
from bot.modes import Mode
from bot.store.guild_edits import (
    CHANNEL_MODE,
    DELETES_SECRETS,
    FAMILY,
    KEEPS_TEXTS,
    LINK_HOSTS,
    MUTED,
    READS_LINKS,
    READS_PICTURES,
    REPOSITORY,
    Edit,
)
from bot.store.moments import from_text, to_text
from bot.store.sqlite import Database, Row

# Servers, more than one process has to do with; a kilobyte or two each.
_MOST_KNOWN = 5_000


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """What a guild has set; None where it has not and the bot's own default holds.

    A thread is not listed in `channel_modes`: who asks for its mode asks for its parent.
    `keeps_texts` is the guild's word that redacted texts of unanswered questions may be kept, `reads_links` that paste
    links may be fetched, `reads_pictures` that screenshots may be read, `deletes_secrets` that a message which shows
    credentials is to be deleted. `link_hosts` are the guild's own paste hosts beside the known ones. `repositories` and
    `families` are the guild's choice from the catalogue; where it has made none, all of it is seen.
    """

    guild_id: int
    default_mode: Mode | None
    channel_modes: Mapping[int, Mode]
    helper_role_ids: frozenset[int]
    cooldown_seconds: int | None
    language: str | None
    muted_record_ids: frozenset[str]
    keeps_texts: bool
    reads_links: bool = False
    link_hosts: tuple[str, ...] = ()
    reads_pictures: bool = False
    deletes_secrets: bool = False
    repositories: frozenset[str] = frozenset()
    families: frozenset[str] = frozenset()

    @property
    def scope(self) -> Scope:
        """What of the catalogue is looked at for this guild."""
        return scope_of(self.repositories, self.families)

    def mode_of(self, channel_id: int, otherwise: Mode) -> Mode:
        """The mode of a channel: its own, the guild's, or `otherwise`."""
        return self.channel_modes.get(channel_id, self.default_mode or otherwise)


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the log. `undoes` is the set that this change took back, `undone` tells that it was itself."""

    change_set: int
    name: str
    before: Any
    after: Any
    user_id: int
    at: datetime
    undoes: int | None
    undone: bool


class GuildStore:
    """Settings by guild. Every change is logged with who made it, and the last ones can be undone, newest first.

    Settings that were read are remembered until they are changed here, so a database has one GuildStore that writes.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[int, GuildSettings] = {}
        self._changes = 0

    async def settings(self, guild_id: int) -> GuildSettings:
        """What the guild has set up to this moment."""
        known = self._known.get(guild_id)
        if known is None:
            changes = self._changes
            known = await self._read(guild_id)
            if changes == self._changes:  # else what was read may be older than a change that is through already
                if len(self._known) >= _MOST_KNOWN:
                    self._known.clear()
                self._known[guild_id] = known
        return known

    async def _read(self, guild_id: int) -> GuildSettings:
        values = {
            str(name): json.loads(value)
            for name, value in await self._database.rows(
                "SELECT name, value_json FROM guild_settings WHERE guild_id = ?", (guild_id,)
            )
        }
        mode = values.get("default_mode")
        return GuildSettings(
            guild_id=guild_id,
            default_mode=Mode(mode) if mode else None,
            channel_modes={
                int(name.removeprefix(CHANNEL_MODE)): Mode(value)
                for name, value in values.items()
                if name.startswith(CHANNEL_MODE)
            },
            helper_role_ids=frozenset(values.get("helper_roles", ())),
            cooldown_seconds=values.get("cooldown_seconds"),
            language=values.get("language"),
            muted_record_ids=_named(values, MUTED),
            keeps_texts=bool(values.get(KEEPS_TEXTS, False)),
            reads_links=bool(values.get(READS_LINKS, False)),
            link_hosts=tuple(values.get(LINK_HOSTS, ())),
            reads_pictures=bool(values.get(READS_PICTURES, False)),
            deletes_secrets=bool(values.get(DELETES_SECRETS, False)),
            repositories=_named(values, REPOSITORY),
            families=_named(values, FAMILY),
        )

    async def change(self, guild_id: int, edits: Sequence[Edit], user_id: int, at: datetime) -> tuple[Change, ...]:
        """Make all `edits`, as one set that is undone together; return those that changed something. at: UTC."""
        async with self._changing(guild_id) as connection:
            wanted = {edit.name: None if edit.value is None else json.dumps(edit.value) for edit in edits}
            return await _apply(connection, guild_id, wanted, user_id, at, undoes=None)

    async def undo(self, guild_id: int, user_id: int, at: datetime) -> tuple[Change, ...]:
        """Take back the last set of changes that was not taken back yet; return what that changed, () for nothing left.

        The undoing is logged too and cannot itself be undone. at: UTC.
        """
        async with self._changing(guild_id) as connection:
            cursor = await connection.execute(
                "SELECT max(change_set) FROM guild_changes WHERE guild_id = ? AND undoes IS NULL AND NOT undone",
                (guild_id,),
            )
            last = await cursor.fetchone()
            if last is None or last[0] is None:
                return ()
            before = await connection.execute_fetchall(
                "SELECT name, before_json FROM guild_changes WHERE guild_id = ? AND change_set = ?", (guild_id, last[0])
            )
            await connection.execute(
                "UPDATE guild_changes SET undone = 1 WHERE guild_id = ? AND change_set = ?", (guild_id, last[0])
            )
            return await _apply(connection, guild_id, {row[0]: row[1] for row in before}, user_id, at, undoes=last[0])

    async def log(self, guild_id: int, most: int = 50) -> tuple[Change, ...]:
        """The last changes, newest first."""
        rows = await self._database.rows(
            "SELECT change_set, name, before_json, after_json, user_id, changed_at, undoes, undone FROM guild_changes"
            " WHERE guild_id = ? ORDER BY id DESC LIMIT ?",
            (guild_id, most),
        )
        return tuple(_change(row) for row in rows)

    async def forget(self, guild_id: int) -> None:
        """Remove everything that is kept of this guild: settings, log, answers, votes, questions. Twice is as once."""
        async with self._changing(guild_id) as connection:
            for statement in (
                "DELETE FROM guild_settings WHERE guild_id = ?",
                "DELETE FROM guild_changes WHERE guild_id = ?",
                "DELETE FROM answers WHERE guild_id = ?",  # their records and votes go with them
                "DELETE FROM vote_totals WHERE guild_id = ?",
                "DELETE FROM questions WHERE guild_id = ?",
            ):
                await connection.execute(statement, (guild_id,))

    async def known(self) -> tuple[int, ...]:
        """The guilds of which anything is kept; those the bot is in no longer are to be forgotten."""
        rows = await self._database.rows(
            "SELECT guild_id FROM guild_settings UNION SELECT guild_id FROM guild_changes"
            " UNION SELECT guild_id FROM answers WHERE guild_id IS NOT NULL"
            " UNION SELECT guild_id FROM vote_totals WHERE guild_id <> 0"
            " UNION SELECT guild_id FROM questions WHERE guild_id IS NOT NULL"
        )
        return tuple(int(row[0]) for row in rows)

    @asynccontextmanager
    async def _changing(self, guild_id: int) -> AsyncIterator[aiosqlite.Connection]:
        """A transaction, after which the guild's settings are read anew."""
        try:
            async with self._database.transaction() as connection:
                yield connection
        finally:
            self._changes += 1
            self._known.pop(guild_id, None)


def _named(values: Mapping[str, Any], prefix: str) -> frozenset[str]:
    return frozenset(name.removeprefix(prefix) for name in values if name.startswith(prefix))


async def _apply(
    connection: aiosqlite.Connection,
    guild_id: int,
    wanted: Mapping[str, str | None],
    user_id: int,
    at: datetime,
    *,
    undoes: int | None,
) -> tuple[Change, ...]:
    rows = await connection.execute_fetchall(
        "SELECT name, value_json FROM guild_settings WHERE guild_id = ?", (guild_id,)
    )
    present: dict[str, str | None] = {row[0]: row[1] for row in rows}
    cursor = await connection.execute("SELECT coalesce(max(change_set), 0) + 1 FROM guild_changes")
    following = await cursor.fetchone()
    assert following is not None  # an aggregate always has a row
    changes = []
    for name, after in wanted.items():
        before = present.get(name)
        if before == after:
            continue
        if name == KEEPS_TEXTS and after is None:
            # Permission taken back is taken back for what was kept under it, too.
            await connection.execute("UPDATE questions SET redacted_text = NULL WHERE guild_id = ?", (guild_id,))
        if after is None:
            await connection.execute("DELETE FROM guild_settings WHERE guild_id = ? AND name = ?", (guild_id, name))
        else:
            await connection.execute("INSERT OR REPLACE INTO guild_settings VALUES (?, ?, ?)", (guild_id, name, after))
        line = (following[0], name, before, after, user_id, to_text(at), undoes)
        await connection.execute(
            "INSERT INTO guild_changes"
            " (guild_id, change_set, name, before_json, after_json, user_id, changed_at, undoes)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (guild_id, *line),
        )
        changes.append(_change((*line, False)))
    return tuple(changes)


def _change(row: Row) -> Change:
    change_set, name, before, after, user_id, changed_at, undoes, undone = row
    return Change(
        change_set=change_set,
        name=name,
        before=None if before is None else json.loads(before),
        after=None if after is None else json.loads(after),
        user_id=user_id,
        at=from_text(changed_at),
        undoes=undoes,
        undone=bool(undone),
    )
