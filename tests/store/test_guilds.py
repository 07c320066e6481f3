"""Settings of a guild: effective at once, logged, undone."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bot.matching.scope import scope_of
from bot.modes import Mode
from bot.store import guild_edits
from bot.store.answers import AnswerStore, Claim
from bot.store.feedback import FeedbackStore, Vote
from bot.store.guilds import GuildStore
from bot.store.questions import QuestionStore
from bot.store.retention import purge
from bot.store.sqlite import Database

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
GUILD, OTHER, ADMIN = 100, 200, 7


@pytest.fixture
def store(database: Database) -> GuildStore:
    return GuildStore(database)


async def test_a_new_guild_has_set_nothing(store: GuildStore) -> None:
    """Everything is at its default, so that nothing happens unasked."""
    settings = await store.settings(GUILD)

    assert settings.mode_of(1, Mode.MENTION) is Mode.MENTION
    assert (settings.helper_role_ids, settings.cooldown_seconds, settings.language) == (frozenset(), None, None)
    assert (settings.muted_record_ids, settings.keeps_texts) == (frozenset(), False)
    assert (settings.reads_links, settings.reads_pictures, settings.deletes_secrets) == (False, False, False)


async def test_what_was_read_before_does_not_outlive_a_change(store: GuildStore, database: Database) -> None:
    """Settings that are remembered are forgotten by a change, by its undoing and by the guild's removal."""
    seen = [await store.settings(GUILD)]
    await store.change(GUILD, [guild_edits.cooldown(1)], ADMIN, NOW)
    seen.append(await store.settings(GUILD))
    await store.undo(GUILD, ADMIN, NOW)
    seen.append(await store.settings(GUILD))
    await store.change(GUILD, [guild_edits.cooldown(2)], ADMIN, NOW)
    seen.append(await store.settings(GUILD))
    await store.forget(GUILD)
    seen.append(await store.settings(GUILD))

    assert [one.cooldown_seconds for one in seen] == [None, 1, None, 2, None]
    assert await store.settings(GUILD) == await GuildStore(database).settings(GUILD)


async def test_settings_read_while_they_are_changed_are_not_remembered(store: GuildStore) -> None:
    """Whoever asks beside a change may get what held before; who asks after it gets what holds now."""
    for seconds in range(1, 30):
        await asyncio.gather(
            *(store.settings(GUILD) for _ in range(3)),
            store.change(GUILD, [guild_edits.cooldown(seconds)], ADMIN, NOW),
            *(store.settings(GUILD) for _ in range(3)),
        )

        assert (await store.settings(GUILD)).cooldown_seconds == seconds


async def test_settings_that_are_known_cost_no_query(
    store: GuildStore, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every message asks for its server's settings several times; the database is asked once."""
    await store.change(GUILD, [guild_edits.cooldown(5)], ADMIN, NOW)
    await store.settings(GUILD)
    monkeypatch.setattr(database, "rows", None)

    assert (await store.settings(GUILD)).cooldown_seconds == 5


async def test_every_setting_can_be_set_and_taken_back(store: GuildStore) -> None:
    """What a form sends is what is read afterwards; None goes back to the default."""
    await store.change(
        GUILD,
        [
            guild_edits.default_mode(Mode.EXACT),
            guild_edits.channel_mode(1, Mode.OFF),
            guild_edits.helper_roles(frozenset({5, 6})),
            guild_edits.cooldown(90),
            guild_edits.language("de"),
            guild_edits.muted("a" * 16, is_muted=True),
            guild_edits.keeps_texts(keeps=True),
            guild_edits.reads_links(reads=True),
            guild_edits.link_hosts(("paste.example.org", "b.dev")),
            guild_edits.reads_pictures(reads=True),
            guild_edits.deletes_secrets(deletes=True),
        ],
        ADMIN,
        NOW,
    )

    settings = await store.settings(GUILD)
    assert (settings.mode_of(1, Mode.MENTION), settings.mode_of(2, Mode.MENTION)) == (Mode.OFF, Mode.EXACT)
    assert (settings.helper_role_ids, settings.cooldown_seconds, settings.language) == (frozenset({5, 6}), 90, "de")
    assert (settings.muted_record_ids, settings.keeps_texts) == (frozenset({"a" * 16}), True)
    assert (settings.reads_links, settings.reads_pictures, settings.deletes_secrets) == (True, True, True)
    assert settings.link_hosts == ("paste.example.org", "b.dev")
    assert (await store.settings(OTHER)).channel_modes == {}

    await store.change(
        GUILD,
        [
            guild_edits.channel_mode(1, None),
            guild_edits.cooldown(None),
            guild_edits.muted("a" * 16, is_muted=False),
            guild_edits.reads_links(reads=False),
            guild_edits.link_hosts(()),
            guild_edits.reads_pictures(reads=False),
            guild_edits.deletes_secrets(deletes=False),
        ],
        ADMIN,
        NOW,
    )

    settings = await store.settings(GUILD)
    assert (settings.channel_modes, settings.cooldown_seconds, settings.muted_record_ids) == ({}, None, frozenset())
    assert (settings.reads_links, settings.reads_pictures, settings.deletes_secrets) == (False, False, False)
    assert settings.link_hosts == ()
    assert [change.name for change in await store.log(GUILD) if change.after == ["paste.example.org", "b.dev"]] == [
        "link_hosts"
    ]


def test_a_negative_cooldown_is_refused() -> None:
    """A value nobody can mean is a mistake of the caller."""
    with pytest.raises(ValueError, match="negative"):
        guild_edits.cooldown(-1)


async def test_changes_are_logged_with_who_before_and_after(store: GuildStore) -> None:
    """G7: the log says who changed what from what to what and when, newest first; what stays the same is not logged."""
    await store.change(GUILD, [guild_edits.cooldown(10)], ADMIN, NOW)
    later = NOW + timedelta(minutes=1)

    changes = await store.change(GUILD, [guild_edits.cooldown(20), guild_edits.language(None)], 8, later)

    newest, oldest = await store.log(GUILD)
    assert (newest,) == changes
    assert (newest.name, newest.before, newest.after, newest.user_id, newest.at) == (
        "cooldown_seconds",
        10,
        20,
        8,
        later,
    )
    assert (oldest.before, oldest.after, oldest.user_id, oldest.at) == (None, 10, ADMIN, NOW)
    assert await store.change(GUILD, [guild_edits.cooldown(20)], 8, later) == ()


async def test_undo_takes_back_the_last_form_as_a_whole_then_the_one_before(store: GuildStore) -> None:
    """G7: each undo takes back one set of changes, newest first; undoing is logged, and nothing left is nothing done."""
    await store.change(GUILD, [guild_edits.cooldown(10)], ADMIN, NOW)
    await store.change(GUILD, [guild_edits.cooldown(20), guild_edits.channel_mode(1, Mode.EXACT)], ADMIN, NOW)

    undone = await store.undo(GUILD, 8, NOW)
    assert {change.name: change.after for change in undone} == {"cooldown_seconds": 10, "channel_mode:1": None}
    settings = await store.settings(GUILD)
    assert (settings.cooldown_seconds, settings.channel_modes) == (10, {})

    await store.undo(GUILD, 8, NOW)
    assert (await store.settings(GUILD)).cooldown_seconds is None

    assert await store.undo(GUILD, 8, NOW) == ()
    assert [(change.undoes is not None, change.undone) for change in await store.log(GUILD)] == [
        (True, False),
        (True, False),
        (True, False),
        (False, True),
        (False, True),
        (False, True),
    ]


async def test_undo_keeps_to_its_guild(store: GuildStore) -> None:
    """A change elsewhere is not the last one here."""
    await store.change(GUILD, [guild_edits.cooldown(10)], ADMIN, NOW)
    await store.change(OTHER, [guild_edits.cooldown(20)], ADMIN, NOW)

    await store.undo(GUILD, ADMIN, NOW)

    assert (await store.settings(GUILD)).cooldown_seconds is None
    assert (await store.settings(OTHER)).cooldown_seconds == 20


async def fill(database: Database, guild_id: int, first_id: int) -> None:
    """One of everything a guild can have, old votes included."""
    answers, feedback = AnswerStore(database), FeedbackStore(database)
    for question_id, at in ((first_id, NOW - timedelta(days=90)), (first_id + 1, NOW)):
        claim = Claim(
            question_id=question_id, channel_id=1, guild_id=guild_id, author_id=2, digest="d", record_ids=("r",)
        )
        await answers.claim(claim, at)
        await feedback.vote(question_id, 3, "r", Vote.HELPFUL, at)
    await purge(database, NOW, answer_days=30, question_days=30)
    await GuildStore(database).change(guild_id, [guild_edits.cooldown(1)], ADMIN, NOW)
    await QuestionStore(database).keep_question(
        message_id=first_id + 2,
        guild_id=guild_id,
        channel_id=1,
        author_id=2,
        fingerprint="f",
        jump_url=f"https://discord.com/channels/{guild_id}/1/{first_id}",
        redacted_text="text",
        at=NOW,
    )


async def test_leaving_a_guild_purges_everything_of_it(database: Database, store: GuildStore) -> None:
    """F4: no table holds a row of a guild the bot has left, and other guilds keep theirs."""
    await fill(database, GUILD, 1000)
    await fill(database, OTHER, 2000)
    assert await store.known() == (GUILD, OTHER)

    await store.forget(GUILD)
    await store.forget(GUILD)

    assert await store.known() == (OTHER,)
    for (table,) in await database.rows("SELECT name FROM sqlite_schema WHERE type = 'table'"):
        columns = {row[0] for row in await database.rows("SELECT name FROM pragma_table_info(?)", (table,))}
        if "guild_id" in columns:
            assert await database.rows(f"SELECT DISTINCT guild_id FROM {table}") == [(OTHER,)], table
    assert await database.rows("SELECT DISTINCT question_id FROM votes") == [(2001,)]


async def test_texts_go_when_the_guild_takes_its_word_back(database: Database, store: GuildStore) -> None:
    """F4: texts kept by permission are removed with the permission; the question itself stays."""
    await store.change(GUILD, [guild_edits.keeps_texts(keeps=True)], ADMIN, NOW)
    await fill(database, GUILD, 1000)

    await store.change(GUILD, [guild_edits.keeps_texts(keeps=False)], ADMIN, NOW)

    assert await database.rows("SELECT message_id, redacted_text FROM questions") == [(1002, None)]


async def test_a_guild_chooses_what_it_sees(store: GuildStore) -> None:
    """G7: one choice after another, each logged by its name and undone by itself; nothing chosen is everything."""
    assert (await store.settings(GUILD)).scope.is_everything

    await store.change(GUILD, [guild_edits.repository("tracel-ai/burn", is_chosen=True)], ADMIN, NOW)
    await store.change(GUILD, [guild_edits.family("connection-lost", is_chosen=True)], ADMIN, NOW)

    settings = await store.settings(GUILD)
    assert settings.scope == scope_of(["tracel-ai/burn"], ["connection-lost"])
    assert [change.name for change in await store.log(GUILD)] == ["family:connection-lost", "repository:tracel-ai/burn"]
    assert (await store.settings(OTHER)).scope.is_everything
    await store.undo(GUILD, ADMIN, NOW)
    assert (await store.settings(GUILD)).scope == scope_of(["tracel-ai/burn"])
    await store.change(GUILD, [guild_edits.repository("tracel-ai/burn", is_chosen=False)], ADMIN, NOW)
    assert (await store.settings(GUILD)).scope.is_everything
