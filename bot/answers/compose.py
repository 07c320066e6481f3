"""From what was found to what is said: an answer for a channel, short and whole in itself."""

from collections.abc import Sequence

from bot.answers.answer import Answer, Candidate, Certainty
from bot.answers.cleaning import clean_line
from bot.answers.cutting import cut, cut_prose, first_sentences, length
from bot.answers.provenance import ai_note, not_loaded, source
from bot.answers.reasons import in_words
from bot.answers.silence import not_read
from bot.locales.words import Words
from bot.matching.verdict import Capture, Match, ReadFrom, Tier, Verdict
from bot.pastes.paste import SkippedPart
from bot.pastes.redaction import redact
from bot.records.entry import Entry

# Acceptance D3: what a channel can bear. Everything a reader sees but the buttons counts.
VISIBLE_LENGTH = 900
TITLE_LENGTH = 100
REPO_LENGTH = 50
QUOTE_LENGTH = 120
REASON_LENGTH = 100
CAPTURE_NAME_LENGTH = 20
CAPTURE_VALUE_LENGTH = 40
_CAPTURES_LENGTH = 90
_CAPTURES = 3
_STEPS = 3
# Step numbers, separators and line ends, of a card that has all there can be.
_FURNITURE_LENGTH = 18
# With less than this left for meaning and steps, the matcher's own sentence has to go: the quoted line says it too.
_BODY_LENGTH = 320
_MEANING_LENGTH = 300
_STEP_LENGTH = 60  # a shorter beginning of a step helps nobody


def compose(verdict: Verdict, entry: Entry, words: Words, skipped: Sequence[SkippedPart] = ()) -> Answer:
    """Return what to say about `entry`, which is one of the verdict's records.

    Other matches become its candidates, the verdict's further errors are counted. skipped: what was not read of the
    paste, named in one line; for who asked.

    Raises ValueError when the verdict does not name the entry.
    """
    found = [*verdict.matches, *verdict.others]
    match = next((match for match in found if match.record_id == entry.id), None)
    if match is None:
        raise ValueError(f"the verdict does not name record {entry.id}")
    matches = [candidate_of(other) for other in verdict.matches if other.record_id != entry.id]
    others = [candidate_of(other) for other in verdict.others if other.record_id != entry.id]
    return _compose(
        entry,
        words,
        candidate_of(match),
        match=match,
        candidates=tuple(matches),
        others=tuple(others),
        unread=not_read(skipped, words),
    )


def compose_candidate(candidate: Candidate, entry: Entry, words: Words) -> Answer:
    """Return what to say about the next candidate, known only from a button: there is no line to quote any more."""
    return _compose(entry, words, candidate)


def compose_lookup(entry: Entry, words: Words) -> Answer:
    """Return what to say about a record somebody asked for by name."""
    return _compose(entry, words, None)


def candidate_of(match: Match) -> Candidate:
    """Return what a button keeps of a match. A likelihood is never put as 0 or 100 %: it is an estimate."""
    return Candidate(match.record_id, match.tier, min(99, max(1, round(match.probability * 100))), match.related)


def title(entry: Entry) -> str:
    """Return what a record is called: its code, if it has one, and its message, on one clean line, at most 100 long."""
    message = clean_line(entry.error_message)
    code = clean_line(entry.error_code or "")
    named = message if code in message else ": ".join(filter(None, (code, message)))
    return cut(named, TITLE_LENGTH) or entry.id


def solutions(entry: Entry) -> tuple[str, ...]:
    """Return the record's solutions, each on one clean line, most likely first."""
    return tuple(step for step in map(clean_line, entry.solutions) if step)


def _compose(
    entry: Entry,
    words: Words,
    candidate: Candidate | None,
    *,
    match: Match | None = None,
    candidates: tuple[Candidate, ...] = (),
    others: tuple[Candidate, ...] = (),
    unread: str = "",
) -> Answer:
    certainty = _certainty(candidate)
    heading = title(entry)
    repo = cut(clean_line(entry.repo), REPO_LENGTH)
    quote = _quote(match)
    read_from = _read_from(match, words)
    captures = _captures(match)
    where = source(entry, words)
    note = ai_note(entry, words)
    reason = cut(redact(clean_line(in_words(match.reasons, words, REASON_LENGTH))).text, REASON_LENGTH) if match else ""
    # "Exact match" and the reason for it need no third sentence.
    how = "" if certainty is Certainty.EXACT and reason else words(f"card-how-{_key(certainty)}")
    fixed = (heading, repo, how, quote or "", read_from, unread, where.label, note or "")
    all_steps = solutions(entry)
    room = VISIBLE_LENGTH - _furniture(entry, certainty, len(all_steps), words)
    room -= sum(map(length, fixed)) + sum(length(one.name) + length(one.value) + 5 for one in captures)
    if how and room - length(reason) < _BODY_LENGTH:
        reason = ""
    room -= length(reason)
    explanation = clean_line(entry.documentation) or clean_line(entry.trigger_scenarios) or not_loaded(entry, words)
    meaning, steps = _body(explanation, all_steps, room)
    return Answer(
        record_id=entry.id,
        title=heading,
        repo=repo,
        severity=entry.severity,
        certainty=certainty,
        percent=candidate.percent if candidate and certainty is not Certainty.EXACT else None,
        how=how,
        reason=reason,
        quote=quote,
        captures=captures,
        meaning=meaning,
        steps=steps,
        hidden_steps=len(all_steps) - len(steps),
        shortened=not explanation.startswith(meaning) or steps != all_steps[: len(steps)],
        source=where,
        ai_note=note,
        candidates=candidates,
        others=others,
        more_count=len(others),
        not_read=unread,
        read_from=read_from,
    )


def _furniture(entry: Entry, certainty: Certainty, steps: int, words: Words) -> int:
    """How long at most is what stands around the texts: headings, marks, the line about what is left out."""
    kind = words("card-guess", percent=99) if certainty is Certainty.GUESS else words(f"card-{_key(certainty)}")
    left_out = max(length(words("card-shortened")), length(words("card-hidden-steps", count=steps)))
    fixed = (kind, words(f"severity-{entry.severity.value}"), words("card-what-to-do"))
    return _FURNITURE_LENGTH + left_out + sum(map(length, fixed))


def _key(certainty: Certainty) -> str:
    return certainty.value.replace("_", "-")


def _certainty(candidate: Candidate | None) -> Certainty:
    if candidate is None:
        return Certainty.LOOKED_UP
    if candidate.related:
        return Certainty.RELATED
    return Certainty.EXACT if candidate.tier is Tier.PATTERN else Certainty.GUESS


def _quote(match: Match | None) -> str | None:
    if match is None or match.quote is None:
        return None
    return cut(redact(clean_line(match.quote.line)).text, QUOTE_LENGTH) or None


def _read_from(match: Match | None, words: Words) -> str:
    """What people should know of a line that was not posted as text."""
    if match is None or match.quote is None or match.quote.read_from is ReadFrom.TEXT:
        return ""
    return words("card-read" if match.quote.read_from is ReadFrom.PICTURE else "card-read-unsure")


def _captures(match: Match | None) -> tuple[Capture, ...]:
    """The first values that are short enough to be read in passing; empty ones say nothing."""
    kept: list[Capture] = []
    room = _CAPTURES_LENGTH
    for capture in match.captures[:_CAPTURES] if match else ():
        name = cut(clean_line(capture.name), CAPTURE_NAME_LENGTH)
        value = cut(redact(clean_line(capture.value)).text, CAPTURE_VALUE_LENGTH)
        room -= length(name) + length(value)
        if room < 0:
            break
        if name and value:
            kept.append(Capture(name, value))
    return tuple(kept)


def _body(explanation: str, all_steps: tuple[str, ...], room: int) -> tuple[str, tuple[str, ...]]:
    """Two sentences of meaning, or one where that leaves room for another step: people came for what to do."""
    # The first step is promised a place before the meaning takes what is left.
    promised = min(length(all_steps[0]), room // 2) if all_steps else 0
    limit = min(_MEANING_LENGTH, room - promised)
    meanings = (first_sentences(explanation, limit, most) for most in (2, 1))
    bodies = [(meaning, _steps(all_steps, room - length(meaning))) for meaning in meanings]
    return max(bodies, key=lambda body: len(body[1]))


def _steps(steps: tuple[str, ...], room: int) -> tuple[str, ...]:
    """The first whole steps that fit; one that does not is cut only where nothing at all would be left."""
    kept: list[str] = []
    for step in steps[:_STEPS]:
        if length(step) <= room:
            kept.append(step)
            room -= length(step)
        elif not kept and room >= _STEP_LENGTH:
            kept.append(cut_prose(step, room))
            break
        else:
            break
    return tuple(kept)
