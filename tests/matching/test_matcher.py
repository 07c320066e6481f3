"""All tiers in order."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bot.matching.facts import Facts
from bot.matching.matcher import MOST_MATCHES, MOST_OTHERS, Matcher, Tiers
from bot.matching.nearest_tier import NearestTier
from bot.matching.scope import EVERYTHING, Scope, scope_of
from bot.matching.verdict import Tier, Verdict
from bot.pastes.paste import Part, Paste
from embeddings.errors import EmbeddingsError, EncoderUnavailable, IndexMissing
from embeddings.nearest import NearRecord
from embeddings.passage import Facet
from tests.fakes import ListedFacts, ListedNearest, invented_facts
from tests.matching.by_hand import hand_calibration, scanner_of

HOPPER = invented_facts("1" * 16, "hopper {id} starved while draining silo {silo}", error_class="HopperError")
SLUICE = invented_facts(
    "2" * 16, "the sluice gate is jammed by driftwood", related=("The weir {n} overflowed its banks",)
)
CATALOGUE = (HOPPER, SLUICE)
PANIC = "thread 'main' panicked at src/hopper.rs:1:1:\nhopper 7 starved while draining silo 3"


class BrokenNearest:
    """An index that cannot be asked."""

    compared_by = "model 1"

    def __init__(self, why: Exception) -> None:
        self.why = why

    async def nearest(self, texts: Sequence[str], k: int, scope: Scope = EVERYTHING) -> list[NearRecord]:
        raise self.why


def near(record_id: str, similarity: float = 0.9) -> NearRecord:
    return NearRecord(
        record_id=record_id,
        similarity=similarity,
        lexical=9.0,
        coverage=0.9,
        query_coverage=0.9,
        fused=2.0,
        facet=Facet.MESSAGE,
    )


def matcher(facts: Iterable[Facts] = CATALOGUE, index: object | None = None, degraded: str | None = None) -> Matcher:
    listed, calibration = ListedFacts(facts), hand_calibration("model 1")
    nearest = NearestTier(index, listed, calibration) if index is not None else None  # type: ignore[arg-type]
    return Matcher(Tiers((scanner_of(listed.by_id.values()),), listed, nearest, degraded), calibration)


async def verdict(text: str, *facts: Facts, index: object | None = None) -> Verdict:
    return await matcher(facts or CATALOGUE, index).match(Paste.of_text(text))


async def test_a_pattern_speaks_before_any_guess() -> None:
    """Where a pattern is sure enough the index is not even asked."""
    index = ListedNearest([near(SLUICE.id)], "model 1")

    found = await verdict(PANIC, index=index)

    assert [(match.record_id, match.tier) for match in found.matches] == [(HOPPER.id, Tier.PATTERN)]
    assert found.shown
    assert index.asked == []


async def test_a_guess_is_made_where_no_pattern_speaks() -> None:
    """Likely enough it may be posted, and says that it is a guess."""
    index = ListedNearest([near(SLUICE.id)], "model 1")

    found = await verdict("my sluice does not open any more since the driftwood came, what can I do?", index=index)

    assert found.best is not None
    assert (found.best.record_id, found.best.tier, found.best.quote) == (SLUICE.id, Tier.NEAREST, None)
    assert found.shown


async def test_a_pattern_that_is_not_sure_leaves_room_for_a_guess_that_is() -> None:
    """What only a listed error of a record matches does not speak; the likelier record is first, both are named."""
    index = ListedNearest([near(HOPPER.id)], "model 1")

    found = await verdict("SluiceError: The weir 3 overflowed its banks", index=index)

    assert [(match.record_id, match.tier) for match in found.matches] == [
        (HOPPER.id, Tier.NEAREST),
        (SLUICE.id, Tier.PATTERN),
    ]
    assert found.shown


async def test_an_unsure_pattern_stays_before_a_guess_that_is_less_likely() -> None:
    """A guess at the same record does not double it, and none is posted where an unsure pattern comes first."""
    weak = [NearRecord(one.id, 0.5, 4.0, 0.4, 0.4, 0.9, Facet.MEANING) for one in (HOPPER, SLUICE)]

    found = await verdict("SluiceError: The weir 3 overflowed its banks", index=ListedNearest(weak, "model 1"))

    assert (found.matches[0].record_id, found.matches[0].tier) == (SLUICE.id, Tier.PATTERN)
    assert len({match.record_id for match in found.matches}) == len(found.matches)
    assert not found.shown


async def test_an_unlikely_guess_is_not_shown() -> None:
    """Below the show threshold nothing is shown at all (A8)."""
    weak = NearRecord(SLUICE.id, 0.1, 0.1, 0.0, 0.0, 0.1, Facet.MEANING)

    found = await verdict("good morning everybody, how are you today?", index=ListedNearest([weak], "model 1"))

    assert (found.matches, found.shown) == ((), False)


async def test_source_code_is_not_answered_unasked_by_a_guess() -> None:
    """Code that contains words of an error may be near many records (A4)."""
    code = 'def pull():\n    raise SluiceError("the gate is jammed")\n\nimport os\nreturn os.path.join(a, b);'

    found = await verdict(code, index=ListedNearest([near(SLUICE.id)], "model 1"))

    assert not found.shown


@pytest.mark.parametrize("why", [IndexMissing(Path("here")), EncoderUnavailable("m", "gone")])
async def test_a_tier_that_cannot_be_asked_is_named_and_hides_nothing(why: EmbeddingsError) -> None:
    """The exact tier still answers, and the verdict of a guess says degraded (E12)."""
    exact = await verdict(PANIC, index=BrokenNearest(why))
    nothing = await verdict("good morning", index=BrokenNearest(why))

    assert exact.shown
    assert nothing.degraded == str(why)
    assert (nothing.matches, nothing.shown) == ((), False)


async def test_an_index_of_an_unmeasured_model_shows_nothing_and_says_why() -> None:
    """Its similarities mean nothing (A8)."""
    found = await verdict("my sluice is jammed", index=ListedNearest([near(SLUICE.id)], "model 2"))

    assert (found.matches, found.shown) == ((), False)
    assert "model 2" in (found.degraded or "")


async def test_without_an_index_what_is_missing_is_passed_on() -> None:
    """The sentence of the assembly reaches the person who asked."""
    found = await matcher(degraded="there is no index").match(Paste.of_text("good morning"))

    assert found.degraded == "there is no index"


async def test_the_quote_is_the_redacted_line_with_its_place() -> None:
    """The line a person would point at, without its secrets (D4, F1)."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    text = f"quiet\n\nError: Hopper 7 starved while draining silo {secret}"

    found = await verdict(text)

    assert found.best is not None
    assert found.best.quote is not None
    assert secret not in found.best.quote.line
    assert found.best.quote.line.startswith("Error: Hopper 7 starved")
    assert (found.best.quote.part, found.best.quote.line_number) == (0, 3)


async def test_a_long_line_is_quoted_around_the_match() -> None:
    """Neither the head nor the tail of a 10 KB line is of interest."""
    found = await verdict(f"{'grain ' * 900}HopperError: hopper 7 starved while draining silo 3{' grain' * 900}")

    assert found.best is not None
    assert found.best.quote is not None
    assert "hopper 7 starved" in found.best.quote.line
    assert len(found.best.quote.line) < 400


async def test_further_errors_of_a_paste_are_told_apart_from_further_names_for_one() -> None:
    """`others` are other places; records that match the same place are only in `matches` (C1)."""
    twin = replace(HOPPER, id="3" * 16)

    found = await verdict(f"{PANIC}\n\n\nError: the sluice gate is jammed by driftwood", HOPPER, SLUICE, twin)

    assert {match.record_id for match in found.matches} == {HOPPER.id, twin.id, SLUICE.id}
    assert len(found.others) == 1


async def test_lists_are_short() -> None:
    """However many records match."""
    many = [replace(HOPPER, id=f"{number:016x}") for number in range(60)]

    found = await verdict("\n\n\n".join([PANIC] * 30), *many)

    assert len(found.matches) <= MOST_MATCHES
    assert len(found.others) <= MOST_OTHERS


async def test_a_related_error_is_marked_and_not_posted() -> None:
    """It is the page of something else."""
    found = await verdict("Error: the weir 3 overflowed its banks")

    assert found.best is not None
    assert (found.best.record_id, found.best.related, found.shown) == (SLUICE.id, True, False)


async def test_what_may_be_posted_goes_before_what_may_not() -> None:
    """A message that was pasted is what the person asks about, not one that is talked about."""
    text = f"somebody said that the sluice gate is jammed by driftwood when it rains at night\n\n{PANIC}"

    found = await verdict(text)

    assert found.best is not None
    assert found.best.record_id == HOPPER.id
    assert found.shown


async def test_every_part_is_searched_and_the_place_names_its_part() -> None:
    """A message and what is attached to it."""
    found = await matcher().match(Paste((Part("what is that?"), Part("quiet\n" + PANIC, "server.log"))))

    assert found.best is not None
    assert found.best.quote is not None
    assert (found.best.quote.part, found.best.quote.line_number) == (1, 3)


@pytest.mark.parametrize("paste", [Paste(()), Paste.of_text(""), Paste.of_text("\n \n\t")])
async def test_nothing_is_found_in_nothing(paste: Paste) -> None:
    """An empty paste is no error and no exception."""
    found = await matcher(index=ListedNearest([near(SLUICE.id)], "model 1")).match(paste)

    assert (found.matches, found.others, found.is_error, found.shown) == ((), (), False, False)


async def test_concurrent_pastes_do_not_mix() -> None:
    """Each question gets its own answer (E4)."""
    one = matcher()
    texts = [f"Error: hopper {number} starved while draining silo x" for number in range(30)]

    found = await asyncio.gather(*(one.match(Paste.of_text(text)) for text in texts))

    assert [verdict.best.captures[0].value for verdict in found if verdict.best] == [
        str(number) for number in range(30)
    ]


async def test_a_paste_keeps_the_generation_it_began_with() -> None:
    """Tiers are replaced as a whole, between pastes (G1)."""
    one = matcher()

    before = await one.match(Paste.of_text(PANIC))
    one.tiers = Tiers((scanner_of([SLUICE]),), ListedFacts([SLUICE]))
    after = await one.match(Paste.of_text(PANIC))

    assert before.best is not None
    assert after.best is None


async def test_a_guess_at_what_everybody_says_is_not_posted() -> None:
    """A record with a weak message may be shown on request, however near a text is to it (A3)."""
    weak = invented_facts("9" * 16, "{field} is required")

    found = await verdict("the name of the field is required", weak, index=ListedNearest([near(weak.id)], "model 1"))

    assert found.best is not None
    assert not found.shown


async def test_half_a_surrogate_pair_is_no_exception() -> None:
    """JSON from the network may hold what no engine takes (E1)."""
    found = await verdict("\ud800 quiet\nError: hopper \udfff starved while draining silo 3\ud800")

    assert found.best is not None
    assert found.best.quote is not None
    assert found.best.quote.line.encode()


async def test_patterns_outside_the_scope_are_as_if_they_were_not_there() -> None:
    """A7, A11: of two records with one message the chosen one answers, without a word of the other."""
    twin = replace(HOPPER, id="3" * 16, repo="other/project", family="hoppers")
    both = matcher([HOPPER, twin])

    verdicts = {
        name: await both.match(Paste.of_text(PANIC), scope)
        for name, scope in {
            "all": EVERYTHING,
            "one": scope_of(["Example/Project"]),
            "family": scope_of(families=["hoppers"]),
            "none": scope_of(["no/body"]),
            "held": scope_of(["example/project"]).held_to(["other/project"]),
        }.items()
    }

    assert {match.record_id for match in verdicts["all"].matches} == {HOPPER.id, twin.id}
    assert verdicts["one"] == await matcher([HOPPER]).match(Paste.of_text(PANIC))
    assert verdicts["family"] == await matcher([twin]).match(Paste.of_text(PANIC))
    assert verdicts["none"].matches == verdicts["held"].matches == ()
    assert not verdicts["none"].shown


async def test_a_sure_pattern_outside_the_scope_keeps_guesses_to_themselves() -> None:
    """A10: an error that is known word for word to be another project's is no occasion to guess at one of the chosen."""
    rival = replace(SLUICE, repo="other/project")
    both = matcher([HOPPER, rival], ListedNearest([near(rival.id)], "model 1"))

    known = await both.match(Paste.of_text(PANIC), scope_of(["other/project"]))
    unknown = await both.match(Paste.of_text(PANIC.replace("hopper 7", "the sluice")), scope_of(["other/project"]))

    assert [match.record_id for match in known.matches] == [match.record_id for match in unknown.matches] == [rival.id]
    assert (known.shown, unknown.shown) == (False, True)


async def test_an_excerpt_is_quoted_with_the_lines_of_the_whole() -> None:
    """Of a log of megabytes only a part is read; where the error stands is said as an editor counts."""
    part = Part(PANIC, "server.log", numbers=(40_000, 40_001))

    found = await matcher(CATALOGUE).match(Paste((part,)))

    assert found.best is not None
    assert found.best.quote is not None
    assert found.best.quote.line_number == 40_002
    assert found.why_error.startswith("line 40001 is ")


async def test_an_exact_answer_leaves_the_event_loop_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the facts are asked for and after: each change of threads waits for everything else the loop does (E1)."""
    left: list[object] = []

    async def noting(function: Callable[..., object], *given: object) -> object:
        left.append(function)
        return await to_thread(function, *given)

    to_thread = asyncio.to_thread
    monkeypatch.setattr(asyncio, "to_thread", noting)
    found = await verdict(PANIC)

    assert found.shown
    assert len(left) == 2
