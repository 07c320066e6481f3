"""What of a verdict rests on text read from a picture: marked, and said unasked only where nothing is in doubt."""

from dataclasses import replace

from bot.matching.reading import Reading
from bot.matching.verdict import Match, Quote, ReadFrom, Tier, Verdict
from bot.pastes.normalise import normalise_line
from bot.pastes.paste import Part, Paste
from bot.pastes.pictures import SURE
from bot.pastes.redaction import redact

_QUOTE_LENGTH = 300


def with_pictures(verdict: Verdict, paste: Paste, reading: Reading) -> Verdict:
    """Return the verdict with its quotes marked as read from pictures, and a guess with the line it may rest on.

    `shown` is left only to a record whose own message stands in lines that were surely read: a guess, and an error that
    a page lists as related, may come from misread letters.
    """
    if all(part.confidences is None for part in paste.parts):
        return verdict
    matches = tuple(_marked(match, paste, reading) for match in verdict.matches)
    others = tuple(_marked(match, paste, reading) for match in verdict.others)
    return replace(verdict, matches=matches, others=others, shown=verdict.shown and _may_be_shown(matches[0]))


def _may_be_shown(match: Match) -> bool:
    if match.quote is None or match.quote.read_from is ReadFrom.PICTURE_UNSURELY:
        return False
    return match.quote.read_from is ReadFrom.TEXT or (match.tier is Tier.PATTERN and not match.related)


def _marked(match: Match, paste: Paste, reading: Reading) -> Match:
    quote = match.quote or _telling(paste, reading)
    return replace(match, quote=replace(quote, read_from=_read_from(quote, paste.parts[quote.part])))


def _read_from(quote: Quote, part: Part) -> ReadFrom:
    if part.confidences is None:
        return ReadFrom.TEXT
    first = quote.line_number - 1
    read = part.confidences[first : first + quote.line_count]
    return ReadFrom.PICTURE if min(read, default=0.0) >= SURE else ReadFrom.PICTURE_UNSURELY


def _telling(paste: Paste, reading: Reading) -> Quote:
    """The line of the first picture that tells of an error, else its first: what a guess is shown with."""
    number = next(number for number, part in enumerate(paste.parts) if part.confidences is not None)
    read = reading.parts[number]
    first = min(read.signs.signs, default=0)
    line = normalise_line(read.originals[first]) if first < len(read.originals) else ""
    return Quote(redact(line).text[:_QUOTE_LENGTH], number, first + 1)
