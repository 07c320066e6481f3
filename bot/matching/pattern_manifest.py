"""`patterns.json`: which buckets make up the patterns of which catalogue.

It lists two generations, the newest first. The one before stays, so that a process with another catalogue in the same
folder, or one that has just begun to open, finds what it needs; two such processes do not compile in turn.
"""

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bot.matching.pattern_bucket import FORMAT, Mask, checksum, replace_file

MANIFEST = "patterns.json"
GENERATIONS = 2


@dataclass(frozen=True, slots=True)
class Listed:
    """A bucket of a generation. `part` is None for a delta; `stale` is packed, and empty where nothing is stale."""

    name: str
    part: int | None
    stale: str = ""

    def stale_of(self, records: int) -> Mask:
        """Which of its so many records are stale. Raises ValueError where that is not what was packed."""
        if not self.stale:
            return np.zeros(records, dtype=np.bool_)
        try:
            bits = np.frombuffer(zlib.decompress(base64.b64decode(self.stale, validate=True)), dtype=np.uint8)
        except zlib.error as broken:
            raise ValueError(f"the stale records of {self.name} cannot be read") from broken
        if len(bits) != -(-records // 8):
            raise ValueError(f"the stale records of {self.name} are those of another bucket")
        return np.unpackbits(bits, count=records).astype(np.bool_)


@dataclass(frozen=True, slots=True)
class Generation:
    """The patterns of one version of the catalogue, compiled by one engine, over so many parts."""

    catalogue: str
    engine: str
    parts: int
    buckets: tuple[Listed, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a folder holds, newest first; of another format nothing is read but its number."""

    format: int
    generations: tuple[Generation, ...]


def packed_mask(stale: Mask) -> str:
    """One bit a record, compressed: a bucket of 80,000 records takes 13 KB at the very most."""
    return base64.b64encode(zlib.compress(np.packbits(stale).tobytes(), 9)).decode() if stale.any() else ""


def read_manifest(folder: Path) -> Manifest:
    """Raises FileNotFoundError, and ValueError, KeyError or TypeError where it is damaged."""
    document: dict[str, Any] = json.loads((folder / MANIFEST).read_bytes())
    if document["format"] != FORMAT:
        return Manifest(document["format"], ())
    if document["checksum"] != _checksum(document["generations"]):
        raise ValueError(f"{MANIFEST} is not whole")
    return Manifest(FORMAT, tuple(_generation(one) for one in document["generations"]))


def write_manifest(folder: Path, generations: Sequence[Generation]) -> None:
    """The manifest lists these when this returns, or what it listed before, also after a crash."""
    rows = [
        {
            "catalogue": one.catalogue,
            "engine": one.engine,
            "parts": one.parts,
            "buckets": [{"name": bucket.name, "part": bucket.part, "stale": bucket.stale} for bucket in one.buckets],
        }
        for one in generations
    ]
    document = {"format": FORMAT, "checksum": _checksum(rows), "generations": rows}
    replace_file(folder / MANIFEST, json.dumps(document, indent=1).encode())


def _generation(row: dict[str, Any]) -> Generation:
    buckets = tuple(Listed(bucket["name"], bucket["part"], bucket["stale"]) for bucket in row["buckets"])
    return Generation(row["catalogue"], row["engine"], row["parts"], buckets)


def _checksum(rows: object) -> str:
    return checksum(json.dumps(rows, sort_keys=True).encode())
