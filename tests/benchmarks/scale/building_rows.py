"""What building costs: everything anew, and one record in a hundred changed."""

import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from bot.indexing import INDEX_FOLDER, PATTERNS_FOLDER
from bot.store.sqlite import FILE_NAME
from embeddings.flat_index import NO_VECTOR
from embeddings.generations import VECTOR_OF, current_generation
from embeddings.passage import FACETS, Facet
from embeddings.sentence_encoder import SentenceEncoder
from tests.benchmarks import index_build
from tests.benchmarks.scale.aims import BUILD, BUILD_OVER, BUILD_USEFUL, REFRESH
from tests.benchmarks.scale.catalogues import CATALOGUE, NOT_SHARED, Place, errata, lines_of
from tests.benchmarks.scale.measured import Measured
from tests.benchmarks.scale.pastes import drawn
from tests.shared_data import shared_folder

SAMPLE = 300
CHANGED_SHARE = 0.01
_MINUTE = 60
# A build that encoded so much of what its index holds was a full one: its clock then says more than a sample does.
_FULL = 0.95


def build_rows(place: Place) -> list[Measured]:
    """The full build and a refresh of 1 %, both by `errata index` in a copy of the data folder.

    Encoding 153,000 records takes half an hour: where the folder was not made here from nothing, patterns and words
    are built whole, and the vectors of a sample are multiplied up to all different texts.
    """
    encoder = SentenceEncoder()
    encoder.encode(["the model is loaded now"])
    passages = index_build._passages(shared_folder() / CATALOGUE, min(SAMPLE, place.records))
    alone, texts = index_build._alone(encoder, passages)
    with tempfile.TemporaryDirectory(prefix="errata-scale-") as name:
        whole, _ = index_build._build(Path(name) / "whole", passages, encoder)
        messages = [one for one in passages if one.facet is Facet.MESSAGE]
        first, _ = index_build._build(Path(name) / "messages", messages, encoder)
    first_texts = len({one.text for one in messages})
    total, total_messages = _different_texts(place.folder)
    without_vectors = _rest_of_build(place)
    useful = without_vectors + first * total_messages / first_texts
    built = without_vectors + whole * total / texts
    made = place.made()
    said = (
        f"patterns and words {without_vectors:.0f} s, measured; vectors of {total:,} different texts from {texts} texts "
        f"at {texts / whole:.0f} texts/s"
    )
    if made["encoded"] >= _FULL * total:
        built = made["seconds"]
        said = f"measured when the folder was made, {made['encoded']:,.0f} texts encoded"
    refresh, encoded = _refresh(place)
    return [
        Measured(BUILD_USEFUL, {"time": useful / _MINUTE}, unit="min"),
        Measured(BUILD, {"time": built / _MINUTE}, unit="min", remarks=(said,)),
        Measured("the encoder alone", {"time": alone * total / texts / _MINUTE}, unit="min", beside=BUILD),
        Measured(BUILD_OVER, {"factor": whole / alone}, unit="", remarks=(f"{texts} texts, both in this run",)),
        Measured(
            REFRESH,
            {"share": 100 * refresh / built},
            unit="%",
            remarks=(f"`errata index` took {refresh:.1f} s and encoded {encoded:,} texts",),
        ),
    ]


def _different_texts(folder: Path) -> tuple[int, int]:
    """How many different texts the index holds, and how many of them are messages."""
    vector_of = np.load(current_generation(folder / INDEX_FOLDER) / VECTOR_OF, mmap_mode="r")
    messages = vector_of[:, FACETS.index(Facet.MESSAGE)]
    return len(np.setdiff1d(vector_of, [NO_VECTOR])), len(np.setdiff1d(messages, [NO_VECTOR]))


def _rest_of_build(place: Place) -> float:
    """Seconds of a build of everything but vectors, from nothing but the database."""
    with tempfile.TemporaryDirectory(prefix="errata-scale-") as name:
        shutil.copy2(place.folder / FILE_NAME, Path(name) / FILE_NAME)
        began = time.perf_counter()
        errata(Path(name), "index", "--words-only")
        return time.perf_counter() - began


def _refresh(place: Place) -> tuple[float, int]:
    """Seconds until patterns and index fit again after 1 % of the records got another message, meaning and trigger."""
    with _copied(place.folder) as folder:
        errata(folder, "index")  # an index of an earlier version does not say what it was made from
        rows = list(lines_of(place.records))
        changed = folder / "changed.jsonl"
        places = drawn(len(rows), max(1, round(CHANGED_SHARE * len(rows))))
        changed.write_text(
            "".join(json.dumps(reworded(json.loads(rows[at]))) + "\n" for at in places), encoding="utf-8"
        )
        errata(folder, "import", str(changed))
        began = time.perf_counter()
        done = json.loads(errata(folder, "index", "--json"))
        return time.perf_counter() - began, done["encoded"]


def reworded(row: Mapping[str, object]) -> dict[str, object]:
    """A record whose every text reads differently."""
    return {
        **row,
        "errorMessage": f"{row['errorMessage']} (reworded)",
        "messagePattern": f"{row['messagePattern']} \\(reworded\\)",
        "documentation": f"{row['documentation']} Reworded.",
        "triggerScenarios": f"{row['triggerScenarios']} Reworded.",
    }


@contextmanager
def _copied(folder: Path) -> Iterator[Path]:
    """A data folder beside this one, on the same disk, which may be changed: files that are only replaced are shared."""
    with tempfile.TemporaryDirectory(prefix="copy-", dir=folder.parent) as name:
        shutil.copy2(folder / FILE_NAME, Path(name) / FILE_NAME)
        for part in (INDEX_FOLDER, PATTERNS_FOLDER):
            shutil.copytree(folder / part, Path(name) / part, copy_function=os.link, ignore=NOT_SHARED)
        yield Path(name)
