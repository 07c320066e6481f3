"""The items of a long JSON list one by one, so that memory holds one of them and not the list."""

import codecs
import json
from collections.abc import Iterable, Iterator

from bot.sources.errors import InvalidSource
from bot.sources.json_text import parse_value

# The largest records upstream has are some 30 kB.
LARGEST_ITEM = 4 * 2**20
# A number that ends so near the end of a piece may go on in the next one: `1`, `1.`, `1e+`.
_LONGEST_JOINT = 3
_BLANK = " \t\r\n"


def items_of_list(pieces: Iterable[bytes], origin: str) -> Iterator[object]:
    """The items of the list that these bytes are, in their order.

    Raises InvalidSource where the bytes are no JSON list in UTF-8, when that place is reached; also for everything that
    `parse_json` refuses, and for an item of more than 4 MiB.
    """
    text = _Text(pieces, origin)
    text.expect("[")
    yield from _items(text)
    text.expect_end()


def fields_of_object(pieces: Iterable[bytes], origin: str, *, long: str) -> Iterator[tuple[str, object]]:
    """Name and value of each field of the object that these bytes are, in their order.

    long: the field that holds the long list; it comes once for each item, with the item as its value.
    Raises InvalidSource as `items_of_list` does, where a field comes twice, and where `long` is missing.
    """
    text = _Text(pieces, origin)
    text.expect("{")
    seen = set[str]()
    for number in _positions(text, "}"):
        name = text.value()
        if not isinstance(name, str):
            raise text.invalid(f"has a field (number {number}) whose name is not a string")
        if name in seen:
            raise text.invalid(f"holds the field {json.dumps(name[:60])} twice")
        seen.add(name)
        text.expect(":")
        if name == long and text.next() == "[":
            text.expect("[")
            yield from ((name, item) for item in _items(text))
        else:
            yield name, text.value()
    if long not in seen:
        raise text.invalid(f"has no field {json.dumps(long)}")
    text.expect_end()


def _items(text: "_Text") -> Iterator[object]:
    for _ in _positions(text, "]"):
        yield text.value()


def _positions(text: "_Text", closing: str) -> Iterator[int]:
    """Counts the things between commas up to the closing bracket, standing before each."""
    if text.next() == closing:
        text.expect(closing)
        return
    number = 0
    while True:
        yield number
        number += 1
        if text.next() == closing:
            text.expect(closing)
            return
        text.expect(",")


class _Text:
    """The part of the text that was read and not yet used."""

    def __init__(self, pieces: Iterable[bytes], origin: str) -> None:
        self._pieces, self._origin = iter(pieces), origin
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._buffer, self._position, self._ended = "", 0, False

    def invalid(self, problem: str) -> InvalidSource:
        return InvalidSource((f"{self._origin}: document: {problem}",))

    def next(self) -> str:
        """The next character that is no blank, without taking it; "" at the end."""
        while True:
            while self._position < len(self._buffer):
                if self._buffer[self._position] not in _BLANK:
                    return self._buffer[self._position]
                self._position += 1
            if not self._more():
                return ""

    def expect(self, wanted: str) -> None:
        found = self.next()
        if found != wanted:
            place = f"has {json.dumps(found)}" if found else "ends"
            raise self.invalid(f"is not JSON of the form it should have: it {place} where {wanted} should stand")
        self._position += 1

    def expect_end(self) -> None:
        if self.next():
            raise self.invalid("goes on behind its end")

    def value(self) -> object:
        """Take the next value."""
        self.next()
        while True:
            try:
                value, end = parse_value(self._buffer, self._position, self._origin)
            except json.JSONDecodeError as error:
                # Perhaps it is only cut by the end of the piece.
                if len(self._buffer) - self._position > LARGEST_ITEM:
                    raise self.invalid(f"holds an item of more than {LARGEST_ITEM // 2**20} MiB") from error
                if not self._more():
                    raise self.invalid(f"is not JSON: {error.msg}") from error
                continue
            length, left = end - self._position, len(self._buffer) - end
            if left < _LONGEST_JOINT and isinstance(value, int | float) and self._more():
                continue
            self._position += length
            return value

    def _more(self) -> bool:
        """Whether there was another piece."""
        if self._ended:
            return False
        piece = next(self._pieces, None)
        try:
            text = self._decoder.decode(piece or b"", final=piece is None)
        except UnicodeDecodeError as error:
            raise self.invalid("is not UTF-8 text") from error
        self._ended = piece is None
        self._buffer = self._buffer[self._position :] + text
        self._position = 0
        return not self._ended
