"""One paste to one answer on the terminal."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from bot.answers.compose import compose
from bot.answers.details import compose_details
from bot.answers.plain_text import answer_blocks, details_blocks
from bot.answers.silence import no_answer
from bot.cli.exit_codes import ExitCode
from bot.cli.look import show_blocks, show_card
from bot.cli.output import print_json, print_text, say, stdout
from bot.cli.verdict_json import verdict_json
from bot.locales.words import Words
from bot.logs import keep_out
from bot.matching.verdict import Verdict
from bot.pastes.paste import Paste
from bot.records.article import Article
from bot.records.entry import Entry


class Knowledge(Protocol):
    """What the terminal asks of `bot.answering.Answering`, which says what each does."""

    async def explain(self, paste: Paste) -> Verdict: ...

    async def entry(self, record_id: str) -> Entry | None: ...

    async def entries(self, record_ids: Sequence[str]) -> Mapping[str, Entry]: ...

    async def article(self, entry: Entry) -> Article | None: ...

    async def warm(self) -> None: ...


async def answer(paste: Paste, answering: Knowledge, words: Words, *, more: bool = False) -> ExitCode:
    """Show the card for a paste, or say that nothing is known; `more` shows the details below the card."""
    verdict = await explained(paste, answering)
    best = verdict.best
    entry = await answering.entry(best.record_id) if best else None
    if entry is None:
        print_text(no_answer(paste, verdict, words).text + "\n")
        return ExitCode.NOTHING_KNOWN
    composed = compose(verdict, entry, words, paste.skipped)
    console = stdout()
    show_card(console, answer_blocks(composed, words), composed.certainty)
    if verdict.degraded:
        say(verdict.degraded)
    if more:
        print_text("\n")
        details = compose_details(entry, words, article=await answering.article(entry))
        show_blocks(console, details_blocks(details, words))
    return ExitCode.ANSWERED


async def answer_as_json(paste: Paste, answering: Knowledge, catalogue: str) -> ExitCode:
    """Print the verdict as one object, as `verdict_json` makes it. catalogue: the version that is served."""
    verdict = await explained(paste, answering)
    print_json(await verdict_json(verdict, answering, catalogue, paste))
    return ExitCode.ANSWERED if verdict.matches else ExitCode.NOTHING_KNOWN


async def explained(paste: Paste, answering: Knowledge) -> Verdict:
    """The verdict; no log line that comes of it holds a piece of the paste."""
    with keep_out(*(part.text for part in paste.parts)):
        return await answering.explain(paste)
