"""Who posts a credential is told so, once and in private."""

import asyncio
from collections.abc import Callable

import pytest

from bot.cogs.given_back import GivenBack
from bot.cogs.leaks import LeakWarnings, Place, text_of, warning
from bot.cogs.replies import CannotPost, Shown
from bot.locales.words import Words, languages
from bot.modes import Mode
from bot.pastes.detectors import DETECTORS
from bot.store.guild_edits import language
from tests.cogs.conftest import Scene
from tests.cogs.fake_answering import PANIC, UNKNOWN
from tests.cogs.test_lookup import told
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.messages import pings
from tests.discord_standin.payloads import Payload, text_file, visible_text

KEY = "ghp_" + "a1B2c3D4" * 5
LEAKY = f"{PANIC}\nusing {KEY}"
CREDENTIAL_KINDS = sorted({one.kind for one in DETECTORS if one.credential} | {"private key"})


async def whispered(scene: Scene, person: Payload) -> str:
    """The one direct message a person got."""
    message = await scene.fake.bot_message(scene.fake.add_dm(person))
    assert len(scene.fake.bot_messages(scene.fake.add_dm(person))) == 1
    return visible_text(message)


async def stays_silent(scene: Scene, person: Payload) -> None:
    """The person gets no direct message."""
    await scene.fake.quiet(scene.fake.add_dm(person))


async def test_the_author_is_told_privately_what_to_revoke(scene: Scene) -> None:
    """F3: a direct message names the kind, where to revoke it and which message; it does not repeat the key."""
    question = scene.fake.say(scene.ann, scene.channel, LEAKY)

    text = await whispered(scene, scene.ann)

    assert "GitHub token" in text
    assert "https://github.com/settings/tokens" in text
    assert f"/{scene.guild['id']}/{scene.channel['id']}/{question['id']}" in text
    assert "a1B2c3D4" not in text
    assert len(scene.fake.bot_messages(scene.channel)) == 1  # the card


async def test_it_is_told_also_where_nothing_is_answered(scene: Scene) -> None:
    """F3: neither an unknown error nor small talk with a key in it gets an answer, and both get a warning."""
    scene.fake.say(scene.ann, scene.channel, f"my key is {KEY}, does that look right?")
    scene.fake.say(scene.ben, scene.channel, f"{UNKNOWN}\n{KEY}")

    assert "GitHub token" in await whispered(scene, scene.ann)
    assert "GitHub token" in await whispered(scene, scene.ben)
    assert scene.fake.bot_messages(scene.channel) == []


async def test_it_is_told_also_where_answering_breaks(scene: Scene) -> None:
    """F3: a fault of ours in answering keeps nobody from being warned."""
    scene.knows.breaks_with = RuntimeError("broken")

    scene.fake.say(scene.ann, scene.channel, LEAKY)

    assert "GitHub token" in await whispered(scene, scene.ann)


async def test_files_are_looked_at(scene: Scene) -> None:
    """F3: a key in an attached log counts like one in the text."""
    scene.fake.say(scene.ann, scene.channel, files=[text_file("run.log", LEAKY)])

    assert "GitHub token" in await whispered(scene, scene.ann)


async def test_personal_data_are_no_credentials(scene: Scene) -> None:
    """F3: nobody can log in with an address or a user's name, so nothing is to be revoked."""
    scene.fake.say(scene.ann, scene.channel, f"{PANIC}\nbob@mail.example 203.0.113.77 /home/bobsmith/x")

    await stays_silent(scene, scene.ann)


async def test_one_message_is_warned_of_once(scene: Scene) -> None:
    """F3: neither an edit nor somebody who asks about the message makes a second warning."""
    question = scene.fake.say(scene.ann, scene.channel, LEAKY)
    await whispered(scene, scene.ann)

    scene.fake.edit(question, f"{LEAKY} AKIA" + "IOSFODNN7EXAMPLE")
    scene.fake.say(scene.ben, scene.channel, scene.mention(), reply_to=question)
    await scene.fake.quiet(scene.fake.add_dm(scene.ann), after=scene.fake.bot_messages(scene.fake.add_dm(scene.ann))[0])

    await whispered(scene, scene.ann)
    await stays_silent(scene, scene.ben)


async def test_a_key_that_an_edit_brings_is_warned_of(scene: Scene) -> None:
    """F3: a message is looked at again when it changes."""
    question = scene.fake.say(scene.ann, scene.channel, PANIC)
    await scene.fake.answer_to(question)
    await stays_silent(scene, scene.ann)

    scene.fake.edit(question, LEAKY)

    assert "GitHub token" in await whispered(scene, scene.ann)


async def test_who_asks_about_a_message_warns_its_author(scene: Scene) -> None:
    """F3: the owner is who posted the key, not who replied to it with a mention."""
    await scene.set_mode(Mode.MENTION)
    leaked = scene.fake.say(scene.ann, scene.channel, LEAKY)
    scene.fake.say(scene.ben, scene.channel, scene.mention("what is this?"), reply_to=leaked)

    assert "GitHub token" in await whispered(scene, scene.ann)
    await stays_silent(scene, scene.ben)


async def test_bots_are_not_warned(scene: Scene) -> None:
    """What a CI posts with a key in it is no person's message, also when somebody asks about it."""
    post = scene.fake.post_by_webhook(scene.channel, LEAKY)
    question = scene.fake.say(scene.ben, scene.channel, scene.mention(), reply_to=post)

    await scene.fake.answer_to(question)
    await stays_silent(scene, scene.ben)
    assert not [call for call in scene.fake.calls if call.path == "/users/@me/channels"]


async def test_closed_direct_messages_get_a_reply_instead(scene: Scene) -> None:
    """F3: who takes no direct messages is told under the message; the key is not repeated, and nobody is pinged."""
    scene.fake.close_dms(scene.ann)
    question = scene.fake.say(scene.ann, scene.channel, f"why does {KEY} not work?")

    answer = await scene.fake.answer_to(question)

    assert "GitHub token" in visible_text(answer)
    assert "a1B2c3D4" not in visible_text(answer)
    assert pings(answer) == []


async def test_a_reply_goes_with_its_message_and_is_not_repeated_at_will(scene: Scene) -> None:
    """D8: a deleted message takes the warning along; made-up keys do not make the bot fill a channel."""
    scene.fake.close_dms(scene.ann)
    question = scene.fake.say(scene.ann, scene.channel, f"why does {KEY} not work?")
    answer = await scene.fake.answer_to(question)

    scene.fake.say(scene.ann, scene.channel, f"and {KEY}?")
    await scene.fake.quiet(scene.channel, after=answer)
    scene.fake.delete(question)

    await scene.fake.until(lambda: not scene.fake.bot_messages(scene.channel))


async def test_a_channel_that_is_off_gets_no_warning(scene: Scene) -> None:
    """C7: off is off, also for who mentions the bot, and for the menu on somebody else's message."""
    await scene.set_mode(Mode.OFF, scene.channel)
    leaked = scene.fake.say(scene.ann, scene.channel, scene.mention(LEAKY))
    await told(scene, await scene.fake.message_menu(scene.ben, scene.channel, "Explain this error", leaked))

    await stays_silent(scene, scene.ann)


async def test_in_mode_mention_what_nobody_asks_about_is_not_looked_at(scene: Scene) -> None:
    """C7: such a message is not read, so nothing can be found in it."""
    await scene.set_mode(Mode.MENTION)
    scene.fake.say(scene.ann, scene.channel, LEAKY)

    await stays_silent(scene, scene.ann)


async def test_the_switch_silences_warnings(scene: Scene) -> None:
    """C10: while the switch is on nothing is said anywhere."""
    scene.settings.silence_file.touch()

    scene.fake.say(scene.ann, scene.channel, LEAKY)

    await stays_silent(scene, scene.ann)


async def test_who_opted_out_is_warned_of_what_they_ask(scene: Scene) -> None:
    """H1: unasked their messages are not read; a warning about what they ask for is theirs, and no answer."""
    await scene.parts.people.opt_out(int(scene.ann["id"]), scene.clock())
    scene.fake.say(scene.ann, scene.channel, LEAKY)
    await stays_silent(scene, scene.ann)

    scene.fake.say(scene.ann, scene.channel, scene.mention(LEAKY))

    assert "GitHub token" in await whispered(scene, scene.ann)


async def test_the_warning_is_in_the_servers_language(scene: Scene) -> None:
    """A German server's people are warned in German."""
    await scene.set(language("de"))
    scene.fake.say(scene.ann, scene.channel, LEAKY)

    assert "Zugangsdaten" in await whispered(scene, scene.ann)


async def test_a_direct_message_is_warned_of_where_it_was_written(scene: Scene) -> None:
    """F3: a person who writes to the bot gets the answer, and the warning beside it."""
    dm = scene.fake.add_dm(scene.ann)
    scene.fake.say(scene.ann, dm, LEAKY)

    await scene.fake.until(lambda: len(scene.fake.bot_messages(dm)) == 2)

    assert any("GitHub token" in visible_text(text) for text in scene.fake.bot_messages(dm))


async def test_commands_warn_where_only_the_person_reads(scene: Scene) -> None:
    """F3: `/error explain` and the menu on one's own message answer with a second message, for the same eyes."""
    typed = await scene.fake.slash(scene.ann, scene.channel, "error explain", text=LEAKY)
    await scene.fake.until(lambda: len(typed.replies) == 2)
    assert all(text["flags"] & 64 for text in typed.replies)
    assert "GitHub token" in visible_text(typed.replies[1])

    await scene.set_mode(Mode.OFF)
    mine = scene.fake.say(scene.ann, scene.channel, LEAKY)
    menu = await scene.fake.message_menu(scene.ann, scene.channel, "Explain this error", mine)
    await scene.fake.until(lambda: len(menu.replies) == 2)
    assert all(text["flags"] & 64 for text in menu.replies)
    assert mine["id"] in visible_text(menu.replies[1])
    await stays_silent(scene, scene.ann)


async def test_the_menu_on_anothers_message_warns_its_author(stage: Callable[..., Scene], discord: FakeDiscord) -> None:
    """F3: in a server the bot belongs to, its author gets the direct message; who used the menu is told nothing."""
    scene = stage()
    with aimed(discord):
        async with scene.connected():
            leaked = scene.fake.say(scene.ann, scene.channel, LEAKY)
            menu = await scene.fake.message_menu(scene.ben, scene.channel, "Explain this error", leaked)
            await told(scene, menu)

            assert "GitHub token" in await whispered(scene, scene.ann)
            assert len(menu.replies) == 1


async def test_nothing_is_sent_anywhere_but_to_discord(scene: Scene) -> None:
    """F3: the key is in no request at all, so nobody is asked whether it works."""
    scene.fake.say(scene.ann, scene.channel, LEAKY)
    await whispered(scene, scene.ann)

    assert not [call for call in scene.fake.calls if "a1B2c3D4" in f"{call.path} {call.query} {call.body}"]


class Closed:
    """A Discord that takes nothing."""

    async def whisper(self, user_id: int, text: str, nonce: str, back: GivenBack | None = None) -> None:
        raise CannotPost("50007")

    async def remark(self, place: Place, message_id: int, text: str, nonce: str) -> int:
        raise CannotPost("50013")

    async def remove(self, channel_id: int, answer_id: int) -> None:
        raise AssertionError(f"nothing stands in {channel_id} that could be removed: {answer_id}")

    async def take_down(self, place: Place, message_id: int) -> bool:
        return False

    async def announce(self, place: Place, user_id: int, text: str, nonce: str) -> None:
        raise CannotPost("50013")


async def test_who_can_be_told_nowhere_is_left_alone(scene: Scene) -> None:
    """E10: refusals on both ways end in a log line, and at once's repetition nothing is tried again."""
    leaks = LeakWarnings(Closed(), scene.parts.guilds, scene.settings, lambda _: False, scene.clock)
    place = Place(int(scene.channel["id"]), int(scene.channel["id"]), int(scene.guild["id"]))

    await leaks.warn(place, [Shown(KEY, 7, 8)])

    assert await leaks.newly_found([Shown(KEY, 7, 8)]) == ()


async def test_the_same_message_at_the_same_time_is_found_once(scene: Scene) -> None:
    """C1: two who work on one message do not both warn of it."""
    leaks = scene.client.leaks

    found = await asyncio.gather(*(leaks.newly_found([Shown(KEY, 7, 8)]) for _ in range(5)))

    assert sorted(found) == [(), (), (), (), ("github token",)]


@pytest.mark.parametrize("tag", languages())
def test_every_kind_of_credential_has_its_advice(tag: str) -> None:
    """F3: each kind a detector names tells what it is and how to revoke it, within the length a notice has."""
    words = Words.for_language(tag)
    url = "https://discord.com/channels/" + "/".join(["1" * 20] * 3)
    longest_first = sorted(CREDENTIAL_KINDS, key=lambda kind: -len(words(text_of(kind))))

    assert all(20 < len(words(text_of(kind))) <= 190 for kind in CREDENTIAL_KINDS)
    for key in ("leak-message", "leak-given", "leak-aloud", "leak-deleted", "leak-deleted-aloud"):
        assert len(warning(longest_first, words, head=words(key, url=url))) <= 1900, key
