"""Where data lies that came from elsewhere and is not part of this project."""

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


def shared_folder() -> Path:
    """The folder named by ERRATA_SHARED, by default `../shared` beside the repository."""
    return Path(os.environ.get("ERRATA_SHARED", REPOSITORY.parent / "shared"))


def shared_file(name: str) -> Path:
    """The path of one shared file; the calling test is skipped, saying which file is missing, where it is not there."""
    path = shared_folder() / name
    if not path.exists():
        pytest.skip(f"needs {name}, looked for at {path} (set ERRATA_SHARED to the folder that holds it)")
    return path
