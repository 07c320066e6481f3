"""`errata run` as a process of its own against the local Discord, with the shipped seeds."""

import contextlib
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import Intent, Payload, visible_text
from tests.discord_standin.process import BotProcess, running_process, start_process
from tests.process_family import family, has_mapped

pytestmark = pytest.mark.blackbox

PANIC = (
    "thread 'main' panicked at crates/burn-remote/src/client/service.rs:179:18:\n"
    "Server disconnected during initialization"
)
OTHER_PANIC = (
    "thread '<unnamed>' panicked at crates/burn-backend/src/backend/distributed/client.rs:34:27:\n"
    "Gradient sync server disconnected.: RecvError"
)
# What no pattern takes; by meaning it is near to the record of PANIC.
IN_WORDS = "the remote burn server disconnects during initialization of the client session, what is wrong?"
QUICK = {"ERRATA_BURST_WAIT_SECONDS": "0.05"}
UNASKED = QUICK | {"ERRATA_DEFAULT_MODE": "exact"}


class Place:
    """A server with one channel and two people."""

    def __init__(self, discord: FakeDiscord) -> None:
        self.discord = discord
        self.guild = discord.add_guild()
        self.channel = discord.add_channel(self.guild)
        self.ann, self.ben = discord.add_user("ann", self.guild), discord.add_user("ben", self.guild)

    async def answered(self, text: str = PANIC, person: Payload | None = None) -> tuple[Payload, Payload]:
        """A question, and the bot's answer to it."""
        question = self.discord.say(person or self.ann, self.channel, f"<@{self.discord.bot['id']}> {text}")
        return question, await self.discord.answer_to(question, timeout_seconds=15)


@pytest.fixture
def place(discord: FakeDiscord) -> Place:
    return Place(discord)


@contextlib.asynccontextmanager
async def bot(place: Place, data_dir: Path, **env: str) -> AsyncIterator[BotProcess]:
    """The bot, ready; a failing test is told what it wrote."""
    async with running_process(place.discord, data_dir, env=QUICK | env) as process:
        try:
            yield process
        except AssertionError as error:
            raise AssertionError(f"{error}\n{process.output}") from error


async def test_a_day_in_the_life(place: Place, tmp_path: Path) -> None:
    """D8, E9, E15: start, answer, edit, button, delete, SIGTERM; after it the old button works, and nothing is doubled."""
    discord = place.discord
    async with bot(place, tmp_path) as process:
        question, answer = await place.answered()
        assert "Server disconnected during initialization" in visible_text(answer)
        discord.edit(question, f"<@{discord.bot['id']}> {OTHER_PANIC}")
        await discord.until(lambda: "Gradient sync" in visible_text(answer), what="the edited answer")
        more = await discord.click(place.ben, answer, label="More")
        await discord.until(lambda: more.replies, what="the details")
        gone, _ = await place.answered(person=place.ben)
        discord.delete(gone)
        await discord.until(lambda: len(discord.bot_messages(place.channel)) == 1, what="the deletion")
        assert await process.stop() == 0
        assert "Stopped as asked." in process.stderr
        assert "Traceback" not in process.stderr
        assert discord.token not in process.output
        assert "panicked" not in process.output

    async with bot(place, tmp_path) as process:
        await discord.click(place.ann, answer, label="Dismiss")
        await discord.until(lambda: not discord.bot_messages(place.channel), what="the dismissal after a restart")
        assert await process.stop() == 0
    registrations = [call for call in discord.calls if call.path.endswith("/commands") and call.method == "PUT"]
    assert len(registrations) == 1


@pytest.mark.parametrize("landed", [True, False])
async def test_killed_in_the_middle_of_an_answer(place: Place, tmp_path: Path, landed: bool) -> None:
    """E9, E15: SIGKILL before or after Discord took the message; the next process leaves exactly one, with its buttons."""
    discord = place.discord
    fault = discord.faults.inject("POST", "/channels/*/messages", after=landed, drop=not landed, hold=True)
    async with bot(place, tmp_path) as process:
        question = discord.say(place.ann, place.channel, f"<@{discord.bot['id']}> {PANIC}")
        await discord.until(fault.struck.is_set, what="the message on its way", timeout_seconds=15)
        process.kill()
        assert await process.wait() == -9
    fault.released.set()
    assert len(discord.answers_to(question)) == int(landed)

    async with bot(place, tmp_path) as process:
        answer = await discord.answer_to(question, timeout_seconds=15)
        await discord.quiet(place.channel, 0.5, after=answer)
        assert len(discord.answers_to(question)) == 1
        process.kill()
        await process.wait()
    async with bot(place, tmp_path):
        helpful = await discord.click(place.ann, answer, label="Helpful")
        await discord.until(lambda: helpful.replies, what="thanks after SIGKILL")


async def test_lost_connections(place: Place, tmp_path: Path) -> None:
    """E14, E15: op 7, a cut connection and op 9 are survived; what was written meanwhile is answered once, without ping."""
    discord = place.discord
    async with bot(place, tmp_path, **UNASKED):
        await place.answered()
        discord.gateway.ask_to_reconnect()
        await discord.until(lambda: discord.gateway.resumes == 1, what="RESUME after op 7")

        discord.gateway.drop(None)
        question = discord.say(place.ben, discord.add_channel(place.guild, "b"), PANIC)
        await discord.answer_to(question, timeout_seconds=15)
        assert discord.gateway.resumes == 2
        assert len(discord.gateway.identifies) == 1

        discord.gateway.invalidate(resumable=False)
        await discord.until(
            lambda: len(discord.gateway.identifies) == 2 and discord.gateway.connected,
            what="IDENTIFY after op 9",
            timeout_seconds=15,
        )
        first, second = discord.gateway.identifies
        assert second - first >= 4.9
        question = discord.say(place.ann, discord.add_channel(place.guild, "c"), PANIC)
        # The same person has had this card already, in another channel.
        await discord.quiet(discord.world.channels[question["channel_id"]])
        await place.answered(OTHER_PANIC)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="where a load has begun is read from /proc")
async def test_a_stop_does_not_wait_for_the_model(place: Place, tmp_path: Path) -> None:
    """E14: SIGTERM while the model is being loaded ends the bot and the model's process, long before it would be there."""
    async with bot(place, tmp_path) as process:
        loading: list[int] = []

        def begun() -> bool:
            loading.extend(one for one in family(process.pid) if has_mapped(one, "libtorch"))
            return bool(loading)

        await place.discord.until(begun, what="the beginning of the load", timeout_seconds=30)
        process.terminate()

        assert await process.wait(timeout_seconds=6) == 0
        assert process.pid not in loading
        assert "Stopped as asked." in process.stderr
        assert "Traceback" not in process.stderr
        assert not any(has_mapped(one, "libtorch") for one in loading)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="the model's process is found in /proc")
async def test_a_model_that_is_killed(place: Place, tmp_path: Path) -> None:
    """E12, E14: the system ends the model for its memory; the bot answers on, and the next guess has a model again."""
    async with bot(place, tmp_path) as process:
        await place.answered(IN_WORDS, place.ben)
        (model,) = (one for one in family(process.pid) if has_mapped(one, "libtorch"))
        os.kill(model, signal.SIGKILL)

        _, answer = await place.answered(IN_WORDS)

        assert "disconnected during initialization" in visible_text(answer)
        (anew,) = (one for one in family(process.pid) if has_mapped(one, "libtorch"))
        assert anew != model
        assert "the encoder's process ended without an answer (exit code -9)" in process.stderr


async def test_an_event_nobody_can_parse(place: Place, tmp_path: Path) -> None:
    """E14: an event that breaks discord.py's parser ends the connection, and the bot comes back by itself."""
    discord = place.discord
    async with bot(place, tmp_path) as process:
        await place.answered()
        discord.gateway.emit("GUILD_ROLE_CREATE", {"guild_id": None, "role": None}, None)
        await discord.until(lambda: len(discord.gateway.identifies) == 2, what="a new session", timeout_seconds=15)
        await place.answered(OTHER_PANIC)
        assert "the connection ended unexpectedly" in process.stderr
        assert "incident=" in process.stderr


async def test_rate_limits_and_server_errors(place: Place, tmp_path: Path) -> None:
    """E14, E15: 429, 502 and 503 delay an answer; none is lost, none doubled."""
    discord = place.discord
    discord.faults.limit("POST", "/channels/{channel_id}/messages", 2, 1.0)
    async with bot(place, tmp_path):
        for status in (502, 503):
            discord.faults.inject("POST", "/channels/*/messages", status=status, after=True)
        people = [discord.add_user(f"p{number}", place.guild) for number in range(5)]
        texts = [PANIC if number % 2 else OTHER_PANIC for number in range(5)]
        said = [
            discord.say(person, place.channel, f"<@{discord.bot['id']}> {text}")
            for person, text in zip(people, texts, strict=True)
        ]
        for question in said:
            await discord.answer_to(question, timeout_seconds=25)
        await discord.quiet(place.channel, 1.0, after=discord.bot_messages(place.channel)[-1])
    assert [len(discord.answers_to(question)) for question in said] == [1] * 5
    # discord.py meets a limit once or twice before it knows it; it does not run against it.
    assert len(discord.refused_requests) <= 4


async def test_the_first_connection_fails(place: Place, tmp_path: Path) -> None:
    """E14: a gateway that refuses at first is tried again, by the bot itself, within the IDENTIFY budget."""
    place.discord.gateway.refuse_next = 1
    async with bot(place, tmp_path) as process:
        await place.answered()
        assert "the connection was lost" in process.stderr
    assert len(place.discord.gateway.identifies) == 1


async def test_discord_is_down_at_the_start(place: Place, tmp_path: Path) -> None:
    """E14: REST answers 503 at login; the bot waits and logs in when it can."""
    place.discord.faults.inject("GET", "/users/@me", status=503, times=2)
    async with bot(place, tmp_path) as process:
        await place.answered()
        assert process.stderr.count("the connection was lost") == 2


async def test_a_wrong_token_ends_it(place: Place, tmp_path: Path) -> None:
    """E14: exit code 3, and a sentence that says what to do."""
    process = await start_process(place.discord, tmp_path, env=QUICK | {"ERRATA_TOKEN": "not.the.token"})

    assert await process.wait() == 3
    assert "set ERRATA_TOKEN" in process.stderr
    assert "not.the.token" not in process.output
    assert "Traceback" not in process.output


async def test_a_missing_intent_ends_it(place: Place, tmp_path: Path) -> None:
    """E14: exit code 4, and a sentence that names the switch."""
    place.discord.gateway.privileged = Intent(0)
    process = await start_process(place.discord, tmp_path, env=QUICK)

    assert await process.wait() == 4
    assert "Message Content Intent" in process.stderr
    assert "Traceback" not in process.output
    assert len(place.discord.gateway.identifies) == 1
