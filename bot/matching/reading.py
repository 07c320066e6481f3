"""A paste, read once: its lines, the errors in it and their signs, and what it says about itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.matching.evidence import Evidence, class_name, evidence_of, says_what_failed
from bot.pastes.error_signs import ErrorSigns, error_signs
from bot.pastes.normalise import Line, View, normalise_line, split_lines, views
from bot.pastes.paste import Paste
from bot.pastes.readers.found import FoundError, Role
from bot.pastes.readers.reading import read_errors
from bot.pastes.voice import Voice, voice

# An encoder reads a few hundred characters at a time, and a log says its errors again and again.
_MOST_QUERIES = 6
_QUERY_LENGTH = 600
_WHOLE_LENGTH = 1_500
_VOICE_LINES = 40
# A cause says more than what wraps it, and what ended a program more than what it survived.
_TELLING = (Role.ROOT_CAUSE, Role.FINAL, Role.WRAPPER, Role.EARLIER)


@dataclass(frozen=True)
class PartReading:
    """One text of the paste: its original lines, its views and its signs of an error."""

    text: str
    originals: tuple[str, ...]
    views: tuple[tuple[View, list[Line]], ...]
    signs: ErrorSigns

    @cached_property
    def errors(self) -> tuple[FoundError, ...]:
        """What the readers find in it; read when first asked for, which takes longer than all the rest."""
        return read_errors(self.text)


@dataclass(frozen=True)
class Reading:
    """Everything later steps look at, so that none reads the text again."""

    parts: tuple[PartReading, ...]

    @cached_property
    def evidence(self) -> Evidence:
        """What speaks for or against a record; worked out when first asked for, since to most texts none fits."""
        return evidence_of("\n".join([part.text for part in self.parts]))

    @cached_property
    def voice(self) -> Voice:
        """Whether its author asks or tells; worked out when first asked for, since a sure pattern needs none of it."""
        return voice(_own_words(self.parts))

    @property
    def is_error(self) -> bool:
        return any(part.signs.is_error for part in self.parts)

    @property
    def why_error(self) -> str:
        """What made it look like an error, or why it does not."""
        whys = [part.signs.why for part in self.parts if part.signs.is_error] or [part.signs.why for part in self.parts]
        return whys[0] if whys else "there is no text"

    @property
    def mostly_code(self) -> bool:
        """Whether it is source code and nothing else."""
        return all(part.signs.mostly_code for part in self.parts)

    @property
    def whole(self) -> str:
        """The words of all lines, behind their timestamps and levels, as one text."""
        return " ".join(line.cased[line.body :] for part in self.parts for line in part.views[0][1])

    @cached_property
    def errors(self) -> tuple[FoundError, ...]:
        """The errors of all parts, those that tell most first; of equals the last, which the program ended with."""
        last_first = [error for part in reversed(self.parts) for error in reversed(part.errors)]
        return tuple(sorted(last_first, key=lambda error: _TELLING.index(error.role)))

    @cached_property
    def named_classes(self) -> frozenset[str]:
        """The classes of the errors, without their packages, in lower case; those that say nothing are left out."""
        names = (class_name(error.error_class) for error in self.errors if error.error_class)
        return frozenset(name for name in names if says_what_failed(name))

    def queries(self) -> list[str]:
        """What to look for the nearest records with: the messages of its errors, and the whole where it is short."""
        found = dict.fromkeys(_query(error)[:_QUERY_LENGTH] for error in self.errors)
        errors = [text for text in found if len(text) > 3][:_MOST_QUERIES]
        whole = self.whole
        if len(whole) <= _WHOLE_LENGTH or not errors:
            errors.append(whole[:_WHOLE_LENGTH])
        return [text for text in errors if text.strip()]


def _query(error: FoundError) -> str:
    """The message as one line; a code in words says what the message may leave out."""
    message = normalise_line(error.message)
    return f"{error.code}: {message}" if error.code and error.code not in message else message


def read(paste: Paste) -> Reading:
    """Read every part. Time grows with the length of the paste; run it in a thread."""
    parts = []
    # JSON from the network may hold half a surrogate pair, which is no character and which no engine takes.
    texts = [part.text.encode("utf-8", "replace").decode() for part in paste.parts]
    for part, text in zip(paste.parts, texts, strict=True):
        originals = tuple(split_lines(text))
        seen = tuple(views(originals))
        parts.append(PartReading(text, originals, seen, error_signs(seen[0][1], part.numbers)))
    return Reading(tuple(parts))


def _own_words(parts: Sequence[PartReading]) -> str:
    """What the author says, without the lines quoted from somebody else."""
    lines = [(part.originals[line.first], line.cased) for part in parts for line in part.views[0][1][:_VOICE_LINES]]
    return " ".join(cased for original, cased in lines if not original.lstrip().startswith(">"))
