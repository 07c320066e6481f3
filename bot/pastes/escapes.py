"""What escapes stand for, as JSON, `repr` and `ascii` write them."""

import re

_ESCAPE = re.compile(
    r"""(?P<bytes>(?:\\x[89a-fA-F][0-9a-fA-F]){2,}) |
    (?P<pair>\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}) |
    \\(?:u[0-9a-fA-F]{4}|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrt"'\\/])""",
    re.VERBOSE,
)
_ESCAPED = {r"\n": "\n", r"\r": "\n", r"\t": " ", r"\"": '"', r"\'": "'", r"\\": "\\", r"\/": "/"}
_LIKELY_ESCAPED = re.compile(r"\\(?:[nt\"]|u[0-9a-fA-F]{4}|U000[0-9a-fA-F]{5}|x[89a-fA-F][0-9a-fA-F])")


def unescaped(text: str) -> list[str]:
    """The lines that escapes in this one stand for; none where it has no likely one."""
    if not _LIKELY_ESCAPED.search(text):
        return []
    restored = text
    for _ in range(2):  # a JSON line inside a JSON line is common, deeper is not
        before, restored = restored, _ESCAPE.sub(_restore, restored)
        if before == restored:
            break
    return restored.splitlines()


def _restore(found: re.Match[str]) -> str:
    escape = found[0]
    if meant := _ESCAPED.get(escape):
        return meant
    if found["bytes"]:
        return _letters(bytes.fromhex(escape.replace("\\x", "")))
    if found["pair"]:
        return _printable(bytes.fromhex(escape.replace("\\u", "")).decode("utf-16-be"))
    return _printable(chr(int(f"0x{escape[2:]}", 0)))


def _letters(data: bytes) -> str:
    """UTF-8, as the `repr` of bytes shows it, or a letter of Latin-1 a byte, as that of a text does."""
    try:
        return _printable(data.decode())
    except UnicodeDecodeError:
        return _printable(data.decode("latin-1"))


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
