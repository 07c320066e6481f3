"""A paste, read once: its lines, the signs of an error in it, and what it says about itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.matching.evidence import Evidence, evidence_of
from bot.pastes.error_signs import ErrorSigns, Sign, error_signs
from bot.pastes.normalise import Line, View, split_lines, views
from bot.pastes.paste import Paste
from bot.pastes.voice import Voice, voice

# An encoder reads a few hundred characters at a time, and a log says its errors again and again.
_MOST_QUERIES = 6
_QUERY_LENGTH = 600
_WHOLE_LENGTH = 1_500
_VOICE_LINES = 40


@dataclass(frozen=True, slots=True)
class PartReading:
    """One text of the paste: its original lines, its views and its signs of an error."""

    originals: tuple[str, ...]
    views: tuple[tuple[View, list[Line]], ...]
    signs: ErrorSigns


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything later steps look at, so that none reads the text again."""

    parts: tuple[PartReading, ...]
    evidence: Evidence
    voice: Voice

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

    def queries(self) -> list[str]:
        """What to look for the nearest records with: the lines that name an error, and the whole where it is short.

        The last errors of a log come first: what a program says when it dies matters more than what it survived.
        """
        found: dict[str, None] = {}
        for part in self.parts:
            lines = {line.first: line for line in part.views[0][1]}
            telling = [number for number, sign in part.signs.signs.items() if sign is not Sign.FRAME]
            for number in reversed(telling):
                if number in lines:
                    line = lines[number]
                    found[line.cased[line.body :][:_QUERY_LENGTH]] = None
                    following = lines.get(number + 1)
                    if part.signs.signs[number] is Sign.HEADER and following and number + 1 not in part.signs.signs:
                        found[following.cased[following.body :][:_QUERY_LENGTH]] = None
        errors = [text for text in found if len(text) > 3][:_MOST_QUERIES]
        whole = self.whole
        if len(whole) <= _WHOLE_LENGTH or not errors:
            errors.append(whole[:_WHOLE_LENGTH])
        return [text for text in errors if text.strip()]


def read(paste: Paste) -> Reading:
    """Read every part. Time grows with the length of the paste; run it in a thread."""
    parts = []
    # JSON from the network may hold half a surrogate pair, which is no character and which no engine takes.
    texts = [part.text.encode("utf-8", "replace").decode() for part in paste.parts]
    for text in texts:
        originals = tuple(split_lines(text))
        seen = tuple(views(originals))
        parts.append(PartReading(originals, seen, error_signs(seen[0][1])))
    evidence = evidence_of("\n".join(texts))
    return Reading(tuple(parts), evidence, voice(_own_words(parts)))


def _own_words(parts: Sequence[PartReading]) -> str:
    """What the author says, without the lines quoted from somebody else."""
    lines = [(part.originals[line.first], line.cased) for part in parts for line in part.views[0][1][:_VOICE_LINES]]
    return " ".join(cased for original, cased in lines if not original.lstrip().startswith(">"))
