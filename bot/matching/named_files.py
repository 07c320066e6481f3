"""The files of source code a text names: in stack frames, panics and sentences."""

import functools
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import re2

from bot.matching import ecosystems

# These are looked for by their first letters, in a tenth of the time that re2 and its calls take. None of them can be
# made slow: from each place where one may begin it goes over one word or 400 characters, and back over them once.
_PYTHON_FRAME = re.compile(r'File "(?P<path>[^"\n]{1,400})", line (?P<line>\d{1,7})', re.ASCII)
_JAVA_FRAME = re.compile(
    rb"at (?<=\bat )(?:[\w.$-]+/)?(?P<name>[\w$.]{3,300})\((?P<file>[\w$]+\.\w{2,6}):(?P<line>\d{1,6})\)"
)
_ENDING = re.compile(rb"\.(?P<ending>[A-Za-z]{1,5})\b(?:[:(](?P<line>\d{1,6}))?")
_LINE_WORD = re2.compile(r"(?P<path>[\w@.+\-/\\$~]*[\w$]\.(?:php|cs|vb|fs))(?::| on )line (?P<line>\d{1,6})")
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_ENDS_NAME = _LETTERS | frozenset(b"0123456789_@+-$")
_IN_PATH = _ENDS_NAME | frozenset(b"./\\~")
_WORDS = bytes(ord("a") if byte in _IN_PATH else ord(" ") for byte in range(256))
_MOST_PATHS = 3_001
_NO_FOLDERS = frozenset({"", ".", ".."})


class SeenPath(NamedTuple):
    """A file the text names: its parts in lower case, last one the file, and the line where one is given."""

    parts: tuple[str, ...]
    line_number: int | None


def named_files(text: str) -> dict[str, tuple[SeenPath, ...]]:
    """The files that a text names, by file name, each path and line once. Time is linear in the text."""
    found: dict[str, dict[SeenPath, None]] = {}
    for path, line in dict.fromkeys(_paths(text)):
        parts = path.lower().replace("\\", "/").split("/")
        if not _NO_FOLDERS.isdisjoint(parts):
            parts = [part for part in parts if part not in _NO_FOLDERS]
        if parts:
            found.setdefault(parts[-1], {})[SeenPath(tuple(parts), line)] = None
    return {name: tuple(paths) for name, paths in found.items()}


def _paths(text: str) -> Iterator[tuple[str, int | None]]:
    data = text.encode()
    for path, line in _PYTHON_FRAME.findall(text):
        yield path, int(line)
    for name, file, line in _JAVA_FRAME.findall(data):
        package = name.rsplit(b".", 2)[0].replace(b".", b"/") if name.count(b".") > 1 else b""
        yield f"{package.decode()}/{file.decode()}", int(line)
    if b"line " in data:
        for named in _LINE_WORD.finditer(data):
            path, line = named.groups()
            yield path.decode(), int(line)
    for start, ending in islice(_files(data), _MOST_PATHS):
        if _is_source(ending["ending"]):
            yield data[start : ending.end("ending")].decode(), int(ending["line"]) if ending["line"] else None


def _files(data: bytes) -> Iterator[tuple[int, re.Match[bytes]]]:
    r"""Where words begin that end like files, each with its last ending: `src/a.py.js:3` with `.js:3`.

    It finds what `(?:[A-Za-z]:)?[\w@.+\-/\\$~]*[\w@+\-$]\.[A-Za-z]{1,5}\b(?:[:(]\d{1,6})?` finds. That takes five
    times as long: most words of a text have no ending, and it tries each of them.
    """
    words = data.translate(_WORDS) + b" "
    last: re.Match[bytes] | None = None
    start = stop = 0  # of the word that `last` is in
    taken = 0  # what lies before is of earlier files
    for ending in _ENDING.finditer(data):
        dot = ending.start()
        if last is not None:
            if dot < stop:
                last = ending if data[dot - 1] in _ENDS_NAME else last
                continue
            yield start, last
            taken = last.end()
            last = None
        if dot > taken and data[dot - 1] in _ENDS_NAME:
            last = ending
            start = max(words.rfind(b" ", taken, dot) + 1, taken)
            stop = words.find(b" ", dot)
            if start - 2 >= taken and data[start - 1 : start] == b":" and data[start - 2] in _LETTERS:
                start -= 2  # the letter of a drive
    if last is not None:
        yield start, last


@functools.lru_cache(maxsize=1024)
def _is_source(ending: bytes) -> bool:
    return bool(ecosystems.of_path(f"x.{ending.decode()}"))
