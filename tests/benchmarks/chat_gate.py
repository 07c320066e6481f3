"""The chat gate: what the bot would say unasked to ordinary chat.

    python -m tests.benchmarks.chat_gate                       # the shipped seeds, by patterns
    python -m tests.benchmarks.chat_gate --catalogue ../shared/scale/catalogue.jsonl.gz --show 20
    python -m tests.benchmarks.chat_gate --words               # guesses by words alone as well

Each line of the chat is one message, merely seen in a channel. Almost every reply is a false one; `--show` prints some
to be looked at before calling any of them right. A catalogue's store and compiled patterns are kept under `--data-dir`.
"""

import argparse
import asyncio
import gzip
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.indexing import patterns
from bot.matching.calibration import shipped_calibration
from bot.matching.matcher import Matcher, Tiers
from bot.matching.nearest_tier import NearestTier
from bot.matching.pattern_tier import scan
from bot.matching.reading import read
from bot.matching.verdict import Match, Tier
from bot.pastes.paste import Paste
from bot.sources.files import iter_entries
from bot.sources.seeds import shipped_seeds
from bot.store.fact_source import StoredFacts
from bot.store.records import RecordStore
from bot.store.sqlite import FILE_NAME, Database
from bot.stored_index import StoredIndex
from embeddings.encoder import Encoder
from embeddings.sentence_encoder import SentenceEncoder
from tests.shared_data import shared_folder

CHAT = "eval/chat.txt.gz"


@dataclass(frozen=True, slots=True)
class Reply:
    """A line that would be answered, and with what."""

    line: str
    match: Match


@dataclass(frozen=True, slots=True)
class Gate:
    """What came of a chat. `hits`: lines in which any pattern occurs at all."""

    lines: int
    hits: int
    replies: tuple[Reply, ...]
    seconds: float

    @property
    def per_ten_thousand(self) -> float:
        return len(self.replies) * 10_000 / max(1, self.lines)


def chat_lines(path: Path) -> list[str]:
    """The messages of a chat, a line each; empty ones are none."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line for line in file.read().split("\n") if line.strip()]


@asynccontextmanager
async def opened(
    data_dir: Path, catalogue: Sequence[Path], *, words: bool, encoder: Encoder | None = None
) -> AsyncIterator[Matcher]:
    """A matcher over these files; they are imported and compiled where the folder is empty."""
    async with Database.open(data_dir / FILE_NAME) as database:
        records = RecordStore(database)
        if await records.count() == 0:
            await records.put(iter_entries(catalogue), "chat gate", datetime.now(UTC))
        compiled = await patterns(database, data_dir)
        facts, calibration = StoredFacts(database), shipped_calibration()
        nearest = NearestTier(StoredIndex(database, data_dir, encoder), facts, calibration) if words else None
        yield Matcher(Tiers(compiled.scanners, facts, nearest), calibration)


async def gate(matcher: Matcher, lines: Sequence[str], *, words: bool = False) -> Gate:
    """Put every line through the automatic path.

    Without `words` a line in which no pattern occurs is done after the scan: nothing later could make it a reply.
    """
    begun = time.perf_counter()
    hits = 0
    replies: list[Reply] = []
    for line in lines:
        paste = Paste.of_text(line, asked=False)
        hit = bool(scan(read(paste), matcher.tiers.scanners))
        hits += hit
        if not hit and not words:
            continue
        verdict = await matcher.match(paste)
        if verdict.shown and verdict.best is not None and (words or verdict.best.tier is Tier.PATTERN):
            replies.append(Reply(line, verdict.best))
    return Gate(len(lines), hits, tuple(replies), time.perf_counter() - begun)


async def _run(arguments: argparse.Namespace, data_dir: Path) -> Gate:
    lines = chat_lines(arguments.chat)[:: arguments.every]
    guesses = arguments.words or arguments.model
    encoder = SentenceEncoder() if arguments.model else None
    catalogue = arguments.catalogue or [shipped_seeds()]
    async with opened(data_dir, catalogue, words=guesses, encoder=encoder) as matcher:
        return await gate(matcher, lines, words=guesses)


def measure() -> str:
    """The seeds' patterns over the whole chat, where it is there."""
    chat = shared_folder() / CHAT
    if not chat.exists():
        return f"chat gate: not measured, {chat} is missing (set ERRATA_SHARED)"
    arguments = argparse.Namespace(chat=chat, every=1, catalogue=None, words=False, model=False)
    with tempfile.TemporaryDirectory() as thrown_away:
        found = asyncio.run(_run(arguments, Path(thrown_away)))
    return f"chat gate, the shipped seeds: {len(found.replies)} replies to {found.lines:,} lines of chat"


def report(found: Gate, show: int) -> str:
    """The figures as a few lines of text."""
    tiers = Counter(reply.match.tier.value for reply in found.replies)
    records = Counter(reply.match.record_id for reply in found.replies)
    said = [
        f"{found.lines} lines, {found.hits} with a pattern in them, {found.seconds:.1f} s",
        f"{len(found.replies)} replies, {found.per_ten_thousand:.2f} per 10,000 lines, by tier: {dict(tiers)}",
        f"records that spoke most: {records.most_common(10)}",
    ]
    said += [f"{reply.match.probability:.2f} {reply.match.record_id} {reply.line}" for reply in found.replies[:show]]
    return "\n".join(said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--catalogue", type=Path, action="append", help="files with records, by default the seeds")
    parser.add_argument("--chat", type=Path, default=shared_folder() / CHAT, help="gzip, a message a line")
    parser.add_argument("--data-dir", type=Path, help="where the catalogue is kept; by default it is thrown away")
    parser.add_argument("--words", action="store_true", help="let the nearest tier guess by words alone")
    parser.add_argument("--model", action="store_true", help="let it guess by the model and its index")
    parser.add_argument("--every", type=int, default=1, help="take every so many lines only")
    parser.add_argument("--show", type=int, default=0, help="print so many of the replies")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as thrown_away:
        found = asyncio.run(_run(arguments, arguments.data_dir or Path(thrown_away)))
    sys.stdout.write(report(found, arguments.show) + "\n")


if __name__ == "__main__":
    main()
