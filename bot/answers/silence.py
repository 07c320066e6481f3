"""What to say where there is no answer: what was looked at, what was not and why, and what would help."""

from bot.answers.answer import NoAnswer, Outcome
from bot.answers.cleaning import clean_line
from bot.answers.cutting import cut
from bot.locales.words import Words
from bot.matching.verdict import Verdict
from bot.pastes.paste import Part, Paste, Skipped, SkippedPart
from bot.pastes.redaction import redact

NAME_LENGTH = 60
_NAMED = 3  # parts named one by one; further ones are counted
_OUTCOMES = {
    Skipped.UNREACHABLE: Outcome.UNREACHABLE,
    Skipped.TOO_BIG: Outcome.TOO_BIG,
    Skipped.UNSUPPORTED: Outcome.UNSUPPORTED,
    Skipped.BINARY: Outcome.UNSUPPORTED,
    Skipped.EMPTY: Outcome.EMPTY,
    Skipped.DUMP: Outcome.UNSUPPORTED,
    Skipped.ENCRYPTED: Outcome.UNSUPPORTED,
    Skipped.DAMAGED: Outcome.UNSUPPORTED,
    Skipped.NESTED: Outcome.UNSUPPORTED,
    Skipped.UNSAFE_NAME: Outcome.UNSUPPORTED,
    Skipped.NOT_A_LOG: Outcome.UNSUPPORTED,
    Skipped.BOMB: Outcome.TOO_BIG,
    Skipped.TOO_MANY: Outcome.TOO_BIG,
}
# To people, a program is a kind of file like a picture.
_SAID_AS = {Skipped.BINARY: Skipped.UNSUPPORTED}


def no_answer(paste: Paste, verdict: Verdict | None, words: Words) -> NoAnswer:
    """Return why a paste has no answer.

    One sentence says what was read and how to add details; each of the first parts that were not read has one for its
    own reason. What an archive holds beside its logs is named in one. `verdict` is None where nothing could be read.
    """
    read = [part for part in paste.parts if part.text.strip()]
    sentences = left_out(paste, words)
    if not read or verdict is None:
        if not paste.skipped:
            return NoAnswer(Outcome.EMPTY, (words("none-empty", name=words("none-your-message")),))
        failed, beside = _sorted(paste)
        return NoAnswer(_OUTCOMES[(failed or beside)[0].why], tuple(sentences))
    key = "none-no-match" if verdict.is_error else "none-no-match-no-error"
    sentences.insert(0, words(key, parts=_looked_at(read, words)))
    if verdict.degraded:
        sentences.append(words("none-degraded"))
    return NoAnswer(Outcome.NO_MATCH, tuple(sentences))


def left_out(paste: Paste, words: Words) -> list[str]:
    """Sentences that name what was not read, each with its reason; none where all was."""
    failed, beside = _sorted(paste)
    sentences = [_sentence(part, words) for part in failed[:_NAMED]]
    if len(failed) > _NAMED:
        sentences.append(words("none-skipped-rest", count=len(failed) - _NAMED))
    if beside:
        names = [_name(part.name) or words("none-your-message") for part in beside]
        sentences.append(words("none-not-a-log", name=_listed(names, words)))
    return sentences


def busy(words: Words) -> NoAnswer:
    """Return the one notice of a channel where more is asked than can be answered."""
    return NoAnswer(Outcome.BUSY, (words("none-busy"),))


def _sorted(paste: Paste) -> tuple[list[SkippedPart], list[SkippedPart]]:
    """What could not be read, and what lies beside the logs of an archive."""
    failed = [part for part in paste.skipped if part.why is not Skipped.NOT_A_LOG]
    return failed, [part for part in paste.skipped if part.why is Skipped.NOT_A_LOG]


def _sentence(part: SkippedPart, words: Words) -> str:
    key = f"none-{_SAID_AS.get(part.why, part.why).value.replace('_', '-')}"
    return words(key, name=_name(part.name) or words("none-your-message"))


def _looked_at(parts: list[Part], words: Words) -> str:
    return _listed([_part(part, words) for part in parts], words)


def _listed(texts: list[str], words: Words) -> str:
    named = texts[:_NAMED]
    if len(texts) > _NAMED:
        named.append(words("none-part-rest", count=len(texts) - _NAMED))
    if len(named) == 1:
        return named[0]
    return words("none-and", first=", ".join(named[:-1]), last=named[-1])


def _part(part: Part, words: Words) -> str:
    lines = len(part.text.strip().splitlines())
    if part.name is None:
        return words("none-part-message", lines=lines)
    return words("none-part-file", name=_name(part.name), lines=lines)


def _name(name: str) -> str:
    """A file's name is chosen by whoever uploads it."""
    return cut(redact(clean_line(name)).text, NAME_LENGTH)
