"""What is fuzzed: each door with its law, where to begin, and how large an input may grow."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.fuzzing import laws, seeds


@dataclass(frozen=True, slots=True)
class Target:
    """One door. `most_bytes`: the longest input; `extra_words`: what a mutation may put in, beside words of the seeds."""

    name: str
    law: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]
    most_bytes: int
    extra_words: tuple[str, ...] = ()


_LOG_WORDS = ("\r\n", "\x1b[31m", "\x1b[0m", "\\n", '\\"', "&lt;", "```", "Caused by: ", "    at ", "\u2028", "\u200b")
_TARGETS = (
    Target("readers", laws.readers, seeds.samples, 6_000, _LOG_WORDS),
    Target("decompression", laws.decompression, seeds.decompression_seeds, 4_000),
    Target(
        "redaction",
        laws.redaction,
        seeds.redaction_seeds,
        3_000,
        (*seeds.DETECTED, *laws.TOKENS),
    ),
    Target("spelling", laws.spelling, seeds.samples, 4_000, _LOG_WORDS),
    Target("signs", laws.signs, seeds.samples, 4_000, _LOG_WORDS),
    Target("decoding", laws.decoding, seeds.decoding_seeds, 5_000, ("\ufeff", "\ufffe", "\x00")),
    Target(
        "pages", laws.pages, seeds.page_seeds, 8_000, ("Error message\n", "Source\n", "Related errors\n", " · ", "• ")
    ),
    Target("documents", laws.documents, seeds.document_seeds, 3_000, ('"', '":', "\\ud83d", "null", "1e9", "[", "{")),
)
TARGETS = {target.name: target for target in _TARGETS}
