"""How long a message waits for its card: from the gateway's event to the message Discord has stored.

`python -m tests.benchmarks.message_to_card`. The bot runs in this process with the shipped seeds and the shipped model,
against the local Discord, where a request costs about a millisecond. Burst wait and cooldowns are off: they are chosen,
not measured.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.assembly import Parts, assembled
from bot.cogs.client import ErrataClient
from bot.cogs.supervisor import IdentifyBudget
from bot.cogs.workbench import Workbench
from bot.settings import load_settings
from embeddings.encoder import FloatMatrix
from embeddings.sentence_encoder import SentenceEncoder
from tests.discord_standin.aiming import aimed, connected
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.spec import Spec
from tests.shared_data import shared_folder

MESSAGES = 60
EXACT = (
    "thread 'main' panicked at crates/burn-remote/src/client/service.rs:179:18:\n"
    "Server disconnected during initialization"
)
IN_WORDS = (
    "my burn client dies right at start because the server hangs up before the handshake is answered, run {number}"
)


class TimedEncoder(SentenceEncoder):
    """The shipped encoder, which counts the seconds it encodes."""

    seconds = 0.0

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        began = time.perf_counter()
        rows = super().encode(texts)
        self.seconds += time.perf_counter() - began
        return rows


@dataclass(frozen=True, slots=True)
class MessageToCard:
    """Milliseconds for one kind of message; `encoder_share` is the part of all the time spent encoding, 0 to 1."""

    kind: str
    median_ms: float
    p95_ms: float
    encoder_share: float

    def __str__(self) -> str:
        return (
            f"message to card, {self.kind}: median {self.median_ms:.1f} ms, p95 {self.p95_ms:.1f} ms,"
            f" encoder {self.encoder_share:.0%} ({MESSAGES} messages)"
        )


def measure() -> list[MessageToCard]:
    """Ask with an exact message, and in words, one message after the other; the first ones, which warm up, do not count."""
    return asyncio.run(_measure())


async def _measure() -> list[MessageToCard]:
    fake = await FakeDiscord(Spec(shared_folder() / "discord/openapi.json")).start()
    encoder = TimedEncoder()
    with tempfile.TemporaryDirectory(prefix="errata-message-to-card-") as folder:
        settings = load_settings(
            data_dir=Path(folder), cdn_base=fake.cdn_base, burst_wait_seconds=0.0, outage_window_seconds=0
        )
        async with assembled(settings, encoder=encoder) as parts:
            await parts.answering.warm()
            results = await _ask(fake, parts, encoder)
    await fake.stop()
    return results


async def _ask(fake: FakeDiscord, parts: Parts, encoder: TimedEncoder) -> list[MessageToCard]:
    guild = fake.add_guild()
    channel, ann = fake.add_channel(guild), fake.add_user("ann", guild)
    client = ErrataClient(Workbench(parts), IdentifyBudget(parts.meta, pause_seconds=0), guild_ready_timeout=0.02)
    results = []
    with aimed(fake):
        async with connected(client, fake):
            for kind, text in (("exact", EXACT), ("in words", IN_WORDS)):
                taken: list[float] = []
                encoder.seconds = encoded = 0.0
                for number in range(-5, MESSAGES):
                    encoded = encoder.seconds if number == 0 else encoded
                    began = time.perf_counter()
                    question = fake.say(ann, channel, f"<@{fake.bot['id']}> {text.format(number=number)}")
                    await fake.answer_to(question, timeout_seconds=60)
                    taken += [1000 * (time.perf_counter() - began)] if number >= 0 else []
                share = 1000 * (encoder.seconds - encoded) / sum(taken)
                p95 = statistics.quantiles(taken, n=20)[-1]
                results.append(MessageToCard(kind, statistics.median(taken), p95, share))
            await client.finish()
    return results


if __name__ == "__main__":
    for result in measure():
        print(result)
