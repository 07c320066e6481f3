"""What to say where there is no answer: what was looked at, what was not and why, and what would help."""

from collections.abc import Sequence

from bot.answers.answer import NoAnswer, Outcome
from bot.answers.cleaning import clean_line
from bot.answers.cutting import cut
from bot.locales.words import Words
from bot.matching.verdict import Verdict
from bot.pastes.lacks import Lack, lack_of
from bot.pastes.paste import Part, Paste, Skipped, SkippedPart
from bot.pastes.redaction import redact

NAME_LENGTH = 60
# Below an answer, which has the room of a card.
NOT_READ_LENGTH = 130
_NOT_READ_NAMED = 2
_NOT_READ_NAME_LENGTH = 24
_NAMED = 3  # parts named one by one; further ones are counted
_OUTCOMES = {
    Skipped.UNREACHABLE: Outcome.UNREACHABLE,
    Skipped.LOGIN: Outcome.UNREACHABLE,
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
    Skipped.PICTURE: Outcome.UNSUPPORTED,
    Skipped.UNSURE: Outcome.UNSUPPORTED,
    Skipped.WAITING: Outcome.BUSY,
}
# To people, a program is a kind of file like a picture.
_SAID_AS = {Skipped.BINARY: Skipped.UNSUPPORTED}


def no_answer(paste: Paste, verdict: Verdict | None, words: Words) -> NoAnswer:
    """Return why a paste has no answer.

    One sentence says what was read and how to add details, or a second one what is missing, where that is known; each
    of the first parts that were not read has one for its own reason. What an archive holds beside its logs is named in
    one. `verdict` is None where nothing could be read.
    """
    read = [part for part in paste.parts if part.text.strip()]
    sentences = left_out(paste, words)
    if not read or verdict is None:
        if not paste.skipped:
            return NoAnswer(Outcome.EMPTY, (words("none-empty", name=words("none-your-message")),))
        failed, beside = _sorted(paste.skipped)
        return NoAnswer(_OUTCOMES[(failed or beside)[0].why], tuple(sentences))
    lack = lack_of(paste)
    key = "none-looked-at" if lack else "none-no-match" if verdict.is_error else "none-no-match-no-error"
    first = [words(key, parts=_looked_at(read, words)), *([_lack(lack, words)] if lack else [])]
    sentences = first + sentences
    if any(part.confidences is not None for part in read):
        sentences.append(words("none-from-picture"))
    if verdict.degraded:
        sentences.append(words("none-degraded"))
    return NoAnswer(Outcome.NO_MATCH, tuple(sentences))


def hint(paste: Paste, words: Words) -> NoAnswer | None:
    """Return the one sentence that says what is missing from a paste, and how to get it; None where that is unknown."""
    lack = lack_of(paste)
    return NoAnswer(Outcome.NO_MATCH, (_lack(lack, words),)) if lack else None


def not_read(skipped: Sequence[SkippedPart], words: Words) -> str:
    """Return one line for below an answer that names what was not read, with reasons; "" where all was.

    At most 130 characters: the first are named, what failed before what lies beside the logs of an archive.
    """
    failed, beside = _sorted(skipped)
    named = [
        words("not-read-one", name=_name(part.name, _NOT_READ_NAME_LENGTH) or words("none-your-message"), why=why)
        for part in [*failed, *beside][:_NOT_READ_NAMED]
        for why in [words(f"not-read-{part.why.value.replace('_', '-')}")]
    ]
    if not named:
        return ""
    rest = len(skipped) - len(named)
    return cut(words("not-read", names=", ".join(named), rest=rest), NOT_READ_LENGTH)


def left_out(paste: Paste, words: Words) -> list[str]:
    """Sentences that name what was not read, each with its reason; none where all was."""
    failed, beside = _sorted(paste.skipped)
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


def _lack(lack: Lack, words: Words) -> str:
    return words(f"none-lacks-{lack.name}", tool=lack.tool)


def _sorted(skipped: Sequence[SkippedPart]) -> tuple[list[SkippedPart], list[SkippedPart]]:
    """What could not be read, and what lies beside the logs of an archive."""
    failed = [part for part in skipped if part.why is not Skipped.NOT_A_LOG]
    return failed, [part for part in skipped if part.why is Skipped.NOT_A_LOG]


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


def _name(name: str, most: int = NAME_LENGTH) -> str:
    """A file's name is chosen by whoever uploads it."""
    return cut(redact(clean_line(name)).text, most)
