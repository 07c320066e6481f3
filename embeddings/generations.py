"""A folder of generations: which one serves, which comes next, what is left over; the names of a generation's files."""

import shutil
from pathlib import Path
from typing import Final

from embeddings.disk import sync_folder, write_text
from embeddings.errors import IndexDoesNotFit, IndexMissing
from embeddings.passage import Facet

RECORD_IDS: Final = "record_ids.json"
FINGERPRINTS: Final = "record_fingerprints.npy"
VECTORS: Final = "text_vectors.npy"
CODES: Final = {"codes": "text_codes.npy", "steps": "text_steps.npy", "errors": "text_errors.npy"}
TEXT_HASHES: Final = "text_hashes.npy"
VECTOR_OF: Final = "vector_of.npy"
# Read by the next build alone, which keeps what is as it was; absent where records came without keys.
RECORD_KEYS: Final = "record_keys.npy"
RECORD_FACETS: Final = "record_facets.npy"

POINTER: Final = "current"
PREFIX: Final = "generation-"


def postings_file(facet: Facet, array: str) -> str:
    """The name of one array of one facet's postings, or of what they are computed from."""
    return f"{facet}.{array}.npy"


def current_generation(folder: Path) -> Path:
    """The folder of the generation that serves. Raises IndexMissing or IndexDoesNotFit."""
    try:
        name = (folder / POINTER).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise IndexMissing(folder) from None
    except (OSError, UnicodeDecodeError) as problem:
        raise IndexDoesNotFit(folder, (f"{POINTER} cannot be read ({problem})",)) from problem
    if not name.removeprefix(PREFIX).isdecimal() or not name.startswith(PREFIX):
        raise IndexDoesNotFit(folder, (f"{POINTER} does not name a generation",))
    return folder / name


def new_generation(folder: Path) -> Path:
    """An empty folder for the next generation."""
    generation = folder / f"{PREFIX}{max(_generations(folder), default=0) + 1}"
    generation.mkdir()
    return generation


def put_in_place(generation: Path) -> None:
    """From now on this generation serves; in one step, which survives a loss of power."""
    folder = generation.parent
    sync_folder(generation)
    new = folder / f"{POINTER}.new"
    write_text(new, generation.name + "\n")
    new.replace(folder / POINTER)
    sync_folder(folder)


def remove_leftovers(folder: Path) -> None:
    """Generations that do not serve are gone. On Windows one that another process reads stays until the next build."""
    pointer = folder / POINTER
    serving = pointer.read_text(encoding="utf-8", errors="replace").strip() if pointer.exists() else None
    for generation in _generations(folder).values():
        if generation.name != serving:
            shutil.rmtree(generation, ignore_errors=True)


def _generations(folder: Path) -> dict[int, Path]:
    found = folder.glob(f"{PREFIX}*")
    return {int(tail): path for path in found if (tail := path.name.removeprefix(PREFIX)).isdecimal()}
