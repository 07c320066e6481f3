"""Every form a paste takes (B1): each turns what a program printed into what somebody posts."""

import json
import textwrap
from collections.abc import Callable

_FILLER = "2026-01-01T12:00:{:02d}.{:03d}Z INFO  worker-{:d} handled request {:d} of session quiet in {:d} ms"


def _log_lines(number: int) -> list[str]:
    return [_FILLER.format(n % 60, n % 1000, n % 7, n, n % 90) for n in range(number)]


# A line takes about 90 bytes.
_LARGE_LOG = _log_lines(5_000_000 // 85)
assert sum(map(len, _LARGE_LOG)) + len(_LARGE_LOG) >= 5_000_000


def _inside(lines: list[str], at: int, printed: str) -> str:
    return "\n".join([*lines[:at], printed, *lines[at:]])


def _traceback(printed: str) -> str:
    frames = [f'  File "/app/step_{n}.py", line {n + 3}, in step_{n}\n    return next_step({n})' for n in range(300)]
    return "\n".join(["Traceback (most recent call last):", *frames, printed])


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


def _hard_wrapped(printed: str) -> str:
    margin = "granary worker north: "  # so that the message itself is broken somewhere
    return "\n".join(textwrap.wrap(margin + printed.replace("\n", " "), 80, break_on_hyphens=False))


DISGUISES: dict[str, Callable[[str], str]] = {
    "bare": lambda printed: printed,
    "300-frame traceback": _traceback,
    "timestamps": _prefixed("2026-01-01 12:00:00,123 ERROR [main] "),
    "logger with dash": _prefixed("2026-01-01 12:00:00,123 - worker - ERROR - "),
    "syslog": _prefixed("Jan  1 12:00:00 host granary[4711]: "),
    "log4j": _prefixed("12:00:00.123 [pool-1-thread-3] ERROR c.a.w.Worker - "),
    "ANSI": _ansi,
    "CRLF": lambda printed: f"first\r\n{printed}\r\nlast\r\n".replace("\r\n", "\n").replace("\n", "\r\n"),
    "wrapped at 80": _hard_wrapped,
    "smart quotes": _smart,
    "NBSP and zero width": _invisible,
    "upper case": str.upper,
    "lower case": str.lower,
    "repr": lambda printed: repr(f"first\n{printed}\nlast's"),
    "JSON log line": lambda printed: json.dumps({"level": "error", "ts": 1767225600, "msg": f"{printed}\n  at x"}),
    "JSON in JSON": lambda printed: json.dumps(
        {"log": json.dumps({"level": "error", "msg": printed}), "stream": "stderr"}
    ),
    "diff added": _prefixed("+"),
    "diff removed": _prefixed("- "),
    "quoted": _prefixed("> "),
    "quoted twice": _prefixed("> > "),
    "compose": _prefixed("granary-worker-1  | "),
    "kubectl": _prefixed("[pod/granary-7d9f/worker] "),
    "GitHub Actions": _prefixed("2026-01-01T12:00:00.1234567Z ##[error]"),
    "buildkit": _prefixed("#12 34.56 "),
    "fenced": lambda printed: f"hi, since today:\n```\n{printed}\n```\nany idea?",
    "fence not closed": lambda printed: f"hi, since today:\n```rust\n{printed}",
}

LARGE_LOGS: dict[str, Callable[[str], str]] = {
    "head of 5 MB": lambda printed: _inside(_LARGE_LOG, 1, printed),
    "middle of 5 MB": lambda printed: _inside(_LARGE_LOG, len(_LARGE_LOG) // 2, printed),
    "tail of 5 MB": lambda printed: _inside(_LARGE_LOG, len(_LARGE_LOG) - 1, printed),
}
