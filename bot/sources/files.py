"""Entries out of files, whatever form they have: told by what a file holds, not by its name."""

import codecs
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from pathlib import Path

from bot.records.entry import Entry
from bot.sources.capped_reading import CappedReader, opened
from bot.sources.entries_json import decode_document, documents_in
from bot.sources.errors import InvalidSource
from bot.sources.json_text import parse_json
from bot.sources.page_text import is_page, parse_page
from bot.sources.problems import Problems

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BLANK = b"\xef\xbb\xbf \t\r\n"


class FileForm(StrEnum):
    """The forms in which entries reach us."""

    PAGE = "page text"
    DOCUMENT = "JSON document"  # an ErrorEntry, an array of them, an API record
    LINES = "JSON lines"


@dataclass(frozen=True, slots=True)
class Located:
    """An entry and where it stands: a file, `file[3]` in an array (from 0), `file:4` in JSON lines (from 1)."""

    origin: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """All of one file, in its order."""

    path: Path
    form: FileForm
    entries: tuple[Entry, ...]


def read_entries(path: Path) -> LoadedFile:
    """All entries of one file, in memory.

    Raises InvalidSource with all problems of the file.
    """
    problems = Problems()
    form, entries = FileForm.DOCUMENT, list[Entry]()
    with problems.collected(), opened(path) as reader:
        form, located = _located_in(reader, str(path), problems)
        entries = [item.entry for item in located]
    problems.raise_if_any()
    return LoadedFile(path, form, tuple(entries))


def iter_entries(paths: Iterable[Path]) -> Iterator[Entry]:
    """All entries of these files and folders, one after the other.

    Raises InvalidSource at the end, as `iter_located` does.
    """
    return (located.entry for located in iter_located(paths))


def iter_located(paths: Iterable[Path]) -> Iterator[Located]:
    """All entries of these files and folders with their places. A folder is walked in the order of its names.

    In folders, hidden files and Markdown (`README.md`) are passed over; a file that is named itself is always read.
    JSON lines are read line by line: memory holds the longest line and the ids seen so far.

    Raises InvalidSource once everything was read: with all problems of all files, and with every id, or slug within
    a repository, that stands in them twice. Keep what was yielded only when the end is reached.
    """
    problems = Problems()
    for path in _files(paths, problems):
        with problems.collected(), opened(path) as reader:
            yield from _located_in(reader, str(path), problems)[1]
    problems.raise_if_any()


def _files(paths: Iterable[Path], problems: Problems) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(file for file in path.rglob("*") if file.is_file() and _is_data(file.relative_to(path)))
        if not found:
            problems.add(f"{path}: document: is a folder without records")
        yield from found


def _is_data(path: Path) -> bool:
    return path.suffix.lower() != ".md" and not any(part.startswith(".") for part in path.parts)


def _located_in(reader: CappedReader, origin: str, problems: Problems) -> tuple[FileForm, Iterator[Located]]:
    """The form of an open file, and its entries, which are still to be read."""
    lines = enumerate(reader.lines(), start=1)
    begin = next(((number, line) for number, line in lines if line.strip(_BLANK)), None)
    if begin is None:
        raise InvalidSource((f"{origin}: document: is empty",))
    first = begin[1]
    if first.startswith(_UTF16):
        return _located_in(_as_utf8(reader.rest(first), origin), origin, problems)
    head = b"\n" * (begin[0] - 1) + first  # so that a parser counts lines as the reader of the file does
    if first.lstrip(_BLANK).startswith(b"{"):
        behind = next(((number, line) for number, line in lines if line.strip()), None)
        if behind is None:
            return FileForm.DOCUMENT, _from_document(head, origin, problems)
        if _are_json_lines(first, behind[1]):
            return FileForm.LINES, _from_lines(chain((begin, behind), lines), origin, problems)
        whole = reader.rest(head + b"\n" * (behind[0] - begin[0] - 1) + behind[1])
        return FileForm.DOCUMENT, _from_document(whole, origin, problems)
    whole = reader.rest(head)
    if first.lstrip(_BLANK).startswith(b"["):
        return FileForm.DOCUMENT, _from_document(whole, origin, problems)
    return FileForm.PAGE, _from_page(whole, origin, problems)


def _are_json_lines(first: bytes, second: bytes) -> bool:
    if first.rstrip().endswith(b"}") and second.lstrip().startswith(b"{"):
        return True  # even if the first line is broken: the sentence about it is then the right one
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return True


def _as_utf8(data: bytes, origin: str) -> CappedReader:
    try:
        text = data.decode("utf-16")
    except UnicodeDecodeError as error:
        raise InvalidSource((f"{origin}: document: is not UTF-16 text (byte {error.start})",)) from error
    return CappedReader(io.BytesIO(text.encode(errors="replace")), origin)


def _from_lines(numbered: Iterable[tuple[int, bytes]], origin: str, problems: Problems) -> Iterator[Located]:
    for number, line in numbered:
        if line.strip():
            yield from _from_document(line, f"{origin}:{number}", problems)


def _from_document(data: bytes, origin: str, problems: Problems) -> Iterator[Located]:
    with problems.collected():
        for document, place in documents_in(parse_json(data, origin), origin):
            with problems.collected():
                yield from _if_first(Located(place, decode_document(document, place)), problems)


def _from_page(data: bytes, origin: str, problems: Problems) -> Iterator[Located]:
    with problems.collected():
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InvalidSource((f"{origin}: document: is not UTF-8 text (byte {error.start})",)) from error
        if not is_page(text):
            forms = "an API record, the text of an error page, ErrorEntry JSON"
            raise InvalidSource((f"{origin}: document: has none of the known forms ({forms})",))
        yield from _if_first(Located(origin, parse_page(text, origin)), problems)


def _if_first(located: Located, problems: Problems) -> Iterator[Located]:
    if problems.is_first(located.entry, located.origin):
        yield located
