"""Making text shorter without breaking it."""

import re
import unicodedata

MORE = "…"
# How far back from the limit a cut may move to end at a word: further, and a long path would leave nothing.
_WORD_REACH = 24
_LINK = re.compile(r"https?://\S+")
# A full stop ends a sentence before white space and something that begins one. Abbreviations do not end it.
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’)\]]*(?=\s+(?:`|[\"'“‘(\[]*[^\W\d_a-z])|\s*$)")
_ABBREVIATIONS = ("e.g.", "i.e.", "cf.", "vs.", "approx.", "incl.", "z.B.", "bzw.", "d.h.", "No.", "resp.")
_REGIONAL = range(0x1F1E6, 0x1F200)
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_HANGUL_VOWELS_AND_ENDS = range(0x1160, 0x1200)


def length(text: str) -> int:
    """Return how long Discord's clients take a text to be, in UTF-16 units: an emoji counts two."""
    return len(text) + sum(character > "\uffff" for character in text)


def cut(text: str, limit: int) -> str:
    """Return the text itself, or its beginning with "…" so that `length` is at most `limit`.

    What a reader sees as one character stays whole; so do links, which are left out rather than shortened.
    A limit below 1 gives "".
    """
    if length(text) <= limit:
        return text
    return _head(text, limit - 1) + MORE if limit >= 1 else ""


def cut_prose(text: str, limit: int) -> str:
    """Return what `cut` returns, for text with `inline code` in it: a span that is cut is closed again."""
    shorter = cut(text, limit)
    if shorter == text or shorter.count("`") % 2 == 0:
        return shorter
    head = _head(text, limit - 2)
    if head.endswith("`"):
        return head[:-1].rstrip() + MORE
    return head + MORE + ("`" if head.count("`") % 2 else "")


def first_sentences(text: str, limit: int, most: int = 2) -> str:
    """Return the first sentences that fit into `limit`, at most `most`; if not even one does, its beginning and "…"."""
    end = 0
    for count, mark in enumerate(_sentence_ends(text)):
        if count == most or length(text[:mark]) > limit:
            break
        end = mark
    if end:
        return text[:end].rstrip()
    first = next(iter(_sentence_ends(text)), len(text))
    return cut_prose(text[:first].rstrip(), limit)


def _head(text: str, limit: int) -> str:
    end = _index_at(text, limit)
    for link in _LINK.finditer(text):
        if link.start() < end < link.end():
            end = link.start()
            break
    end = _at_word(text, end)
    return text[: _boundary(text, end)].rstrip()


def _sentence_ends(text: str) -> list[int]:
    ends = []
    for mark in _SENTENCE_END.finditer(text):
        before = text[: mark.end()]
        # Within inline code a full stop is a method call.
        if before.count("`") % 2 == 0 and not before.endswith(_ABBREVIATIONS):
            ends.append(mark.end())
            if len(ends) > 8:  # more than any caller asks for; keeps a long text cheap
                break
    return ends


def _index_at(text: str, limit: int) -> int:
    """The largest index whose prefix has at most `limit` UTF-16 units."""
    units = 0
    for index, character in enumerate(text):
        units += 2 if character > "\uffff" else 1
        if units > limit:
            return index
    return len(text)


def _at_word(text: str, end: int) -> int:
    """Move the cut back to the last white space, where one is near."""
    if end >= len(text) or text[end].isspace():
        return end
    for index in range(end, max(0, end - _WORD_REACH), -1):
        if text[index - 1].isspace():
            return index
    return end


def _boundary(text: str, end: int) -> int:
    """Move the cut back to where no character that readers see as one would be divided."""
    while 0 < end < len(text) and _joined(text, end):
        end -= 1
    return end


def _joined(text: str, index: int) -> bool:
    before, after = text[index - 1], text[index]
    code = ord(after)
    if unicodedata.category(after) in {"Mn", "Me", "Mc"} or after == "\u200d" or before == "\u200d":
        return True
    if code in _SKIN_TONES or code in _HANGUL_VOWELS_AND_ENDS:
        return True
    if code in _REGIONAL and ord(before) in _REGIONAL:
        start = index
        while start and ord(text[start - 1]) in _REGIONAL:
            start -= 1
        return (index - start) % 2 == 1
    return False
