"""Every form a paste takes (B1): each turns what a program printed into what somebody posts."""

import gzip
import json
import textwrap
from collections.abc import Callable

_FILLER = "2026-01-01T12:00:{:02d}.{:03d}Z INFO  worker-{:d} handled request {:d} of session quiet in {:d} ms"


def _log_lines(number: int) -> list[str]:
    return [_FILLER.format(n % 60, n % 1000, n % 7, n, n % 90) for n in range(number)]


# A line takes about 90 bytes.
_LARGE_LOG = _log_lines(5_000_000 // 85)
# Without a mark UTF-16 is known by its zeros, so by the Latin letters that a log begins with.
_ASCII_HEAD = "\r\n".join(_LARGE_LOG[:20]) + "\r\n"
assert sum(map(len, _LARGE_LOG)) + len(_LARGE_LOG) >= 5_000_000


def _inside(lines: list[str], at: int, printed: str) -> str:
    return "\n".join([*lines[:at], printed, *lines[at:]])


def _prefixed(prefix: str) -> Callable[[str], str]:
    return lambda printed: "\n".join(prefix + line for line in printed.split("\n"))


def _ansi(printed: str) -> str:
    return "\n".join(
        f"\x1b[1;31m{line[: len(line) // 2]}\x1b[0m\x1b[31m{line[len(line) // 2 :]}\x1b[0m"
        for line in printed.split("\n")
    )


def _smart(printed: str) -> str:
    return printed.replace("'", "’").replace('"', "”").replace("...", "…").replace("-", "–")


def _invisible(printed: str) -> str:
    return "\n".join("\u200b".join(line.replace(" ", "\u00a0")) for line in printed.split("\n"))


WIDTH = 80
# What stands in front when a message is wrapped: as long as it takes to have the width end inside the message.
_MARGIN = "granary worker north, third of four, on its second attempt since midnight, has this to say about it all: "


def _begun(printed: str) -> str:
    line = printed.replace("\n", " ")
    return _MARGIN[-max(10, WIDTH - len(line) // 2) :] + line


def _wrapped_between_words(printed: str) -> str:
    lines = textwrap.wrap(_begun(printed), WIDTH, break_on_hyphens=False)
    assert len(lines) > 1
    return "\n".join(lines)


def _cut_at_width(printed: str) -> str:
    line = _begun(printed)
    assert len(line) > WIDTH
    return "\n".join(line[at : at + WIDTH] for at in range(0, len(line), WIDTH))


def _quoted_in_mail(printed: str) -> str:
    return "\n".join(f"> {line}" for line in _wrapped_between_words(printed).split("\n"))


DISGUISES: dict[str, Callable[[str], str]] = {
    "bare": lambda printed: printed,
    "timestamps": _prefixed("2026-01-01 12:00:00,123 ERROR [main] "),
    "logger with dash": _prefixed("2026-01-01 12:00:00,123 - worker - ERROR - "),
    "syslog": _prefixed("Jan  1 12:00:00 host granary[4711]: "),
    "syslog, RFC 5424": _prefixed("<11>1 2026-01-01T12:00:00.123Z host granary 4711 ID47 - "),
    "log4j": _prefixed("12:00:00.123 [pool-1-thread-3] ERROR c.a.w.Worker - "),
    "Spring Boot": _prefixed("2026-01-01T12:00:00.123Z ERROR 4711 --- [app] [nio-8080-exec-1] c.acme.web.Worker : "),
    "tracing": _prefixed("2026-01-01T12:00:00.123456Z ERROR granary::worker: "),
    "glog": _prefixed("E0101 12:00:00.123456    4711 worker.cc:17] "),
    "logcat": _prefixed("01-01 12:00:00.123  4711  4712 E granary : "),
    "logfmt": lambda printed: f"time=2026-01-01T12:00:00Z level=error msg={json.dumps(printed, ensure_ascii=False)}",
    "ANSI": _ansi,
    "CRLF": lambda printed: f"first\r\n{printed}\r\nlast\r\n".replace("\r\n", "\n").replace("\n", "\r\n"),
    "wrapped between words": _wrapped_between_words,
    "cut at 80 columns": _cut_at_width,
    "smart quotes": _smart,
    "NBSP and zero width": _invisible,
    "upper case": str.upper,
    "lower case": str.lower,
    "repr": lambda printed: repr(f"first\n{printed}\nlast's"),
    "ascii": ascii,
    "repr of bytes": lambda printed: repr(f"first\n{printed}\nlast's".encode()),
    "JSON log line": lambda printed: json.dumps({"level": "error", "ts": 1767225600, "msg": f"{printed}\n  at x"}),
    "JSON, one line": lambda printed: json.dumps({"level": "error", "msg": printed}),
    "JSON in JSON": lambda printed: json.dumps(
        {"log": json.dumps({"level": "error", "msg": printed}), "stream": "stderr"}
    ),
    "diff added": _prefixed("+"),
    "diff removed": _prefixed("- "),
    "quoted": _prefixed("> "),
    "quoted twice": _prefixed("> > "),
    "quoted and wrapped": _quoted_in_mail,
    "compose": _prefixed("granary-worker-1  | "),
    "kubectl": _prefixed("[pod/granary-7d9f/worker] "),
    "containerd": _prefixed("2026-01-01T12:00:00.123456789Z stderr F "),
    "GitHub Actions": _prefixed("2026-01-01T12:00:00.1234567Z ##[error]"),
    "GitHub, downloaded": _prefixed("build\tRun tests\t2026-01-01T12:00:00.1234567Z "),
    "GitLab CI": _prefixed("2026-01-01T12:00:00.123456Z 01E "),
    "Jenkins": _prefixed("[2026-01-01T12:00:00.123Z] "),
    "buildkit": _prefixed("#12 34.56 "),
    "fenced": lambda printed: f"hi, since today:\n```\n{printed}\n```\nany idea?",
    "fence not closed": lambda printed: f"hi, since today:\n```rust\n{printed}",
}

# As bytes: what an attached file holds.
FILES: dict[str, Callable[[str], bytes]] = {
    "UTF-16 file": lambda printed: f"first\r\n{printed}\r\nlast\r\n".encode("utf-16"),
    "UTF-16 without mark": lambda printed: f"{_ASCII_HEAD}{printed}\r\nlast\r\n".encode("utf-16-le"),
    "gz file": lambda printed: gzip.compress(f"first\n{printed}\nlast\n".encode()),
    "gz of UTF-16": lambda printed: gzip.compress(f"first\r\n{printed}\r\nlast\r\n".encode("utf-16")),
}

LARGE_LOGS: dict[str, Callable[[str], str]] = {
    "head of 5 MB": lambda printed: _inside(_LARGE_LOG, 1, printed),
    "middle of 5 MB": lambda printed: _inside(_LARGE_LOG, len(_LARGE_LOG) // 2, printed),
    "tail of 5 MB": lambda printed: _inside(_LARGE_LOG, len(_LARGE_LOG) - 1, printed),
}
