"""What a generation says of itself: what built it, from what, and what it holds."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from embeddings.encoder import Encoder
from embeddings.tokens import TOKENISER_NAME, TOKENISER_VERSION

FORMAT_VERSION: Final = 2
# Vectors and their hashes are the same files since format 1: nothing is encoded again because of a new format.
FORMATS_WITH_THESE_VECTORS: Final = frozenset({1, FORMAT_VERSION})
MANIFEST: Final = "manifest.json"
TOKENISER: Final = f"{TOKENISER_NAME}-{TOKENISER_VERSION}"


@dataclass(frozen=True, slots=True)
class EncoderIdentity:
    """Which encoder made the vectors."""

    name: str
    revision: str
    dim: int

    @classmethod
    def of(cls, encoder: Encoder) -> "EncoderIdentity":
        """The identity of this encoder; loads nothing."""
        return cls(encoder.name, encoder.revision, encoder.dim)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What built a generation and what it holds."""

    format_version: int
    created_at: str  # ISO 8601, UTC
    source: str  # what the passages were taken from, as the caller of the build named it; "" where it did not
    tokeniser: str
    encoder: EncoderIdentity | None  # None: words only, no vectors
    records: int
    passages: int
    vectors: int  # one for each different text that was encoded
    unencoded: int  # passages that have no vector yet
    messages_unencoded: int  # those of them that are messages
    fingerprint: str  # of all records' fingerprints
    files: Mapping[str, int]  # name to bytes

    def to_json(self) -> str:
        """One object, indented, for people as well."""
        return json.dumps(asdict(self), indent=2, sort_keys=True) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Manifest":
        """Read `to_json` again. Raises ValueError, TypeError or KeyError when it is something else."""
        raw: dict[str, Any] = json.loads(text)
        if raw["format_version"] != FORMAT_VERSION:
            raise ValueError(f"its format is {raw['format_version']}, this version reads {FORMAT_VERSION}")
        unknown = raw.keys() ^ {field.name for field in fields(cls)}
        if unknown:
            raise ValueError(f"fields missing or unknown: {', '.join(sorted(unknown))}")
        encoder = raw["encoder"]
        return cls(
            **{
                **raw,
                "encoder": None if encoder is None else EncoderIdentity(**encoder),
            }
        )


def encoder_in(text: str) -> EncoderIdentity | None:
    """Which encoder made the vectors beside a manifest of any format that has the same files for them; else None.

    Raises ValueError, TypeError or KeyError when the text is no manifest.
    """
    raw: dict[str, Any] = json.loads(text)
    if raw["format_version"] not in FORMATS_WITH_THESE_VECTORS or raw["encoder"] is None:
        return None
    return EncoderIdentity(**raw["encoder"])
