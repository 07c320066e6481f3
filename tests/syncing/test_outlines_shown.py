"""What people see of a record that is held in outline alone."""

from bot.answers.compose import compose_lookup
from bot.answers.details import compose_details
from bot.locales.words import Words
from bot.records.outline import Outline
from bot.records.record import Record
from bot.store.dataset import Choice
from tests.syncing_bench import Bench


async def test_an_outline_is_shown_as_what_it_is(bench: Bench) -> None:
    """Message and page are there; that meaning and steps are not is said, on the card and behind "More"."""
    await bench.sync()
    async with bench.records() as records:
        entry = await records.get(f"{1:016x}")
    assert isinstance(entry, Outline)

    for language, said in (("en", "Only the outline of this record is loaded"), ("de", "nur der Umriss geladen")):
        words = Words.for_language(language)
        answer, details = compose_lookup(entry, words), compose_details(entry, words)

        assert answer.title == "Flux capacitor 1 ran dry while the deflector grid was charging"
        assert said in answer.meaning
        assert said in details.sections[0].text
        assert answer.source.url == "https://errors.standardbeagle.com/example/one/flux-capacitor-1/"
        assert answer.ai_note is None


async def test_a_record_is_shown_whole_once_it_is_there(bench: Bench) -> None:
    """The card then says nothing of outlines."""
    await bench.sync()
    await bench.sync(Choice(repositories=frozenset({"example/one"})))
    async with bench.records() as records:
        entry = await records.get(f"{1:016x}")

    assert isinstance(entry, Record)
    assert compose_lookup(entry, Words.for_language("en")).meaning == "Meaning 1."
