"""The folder in which a dataset gathers, so that a sync that was killed goes on where it was.

    index.json.gz, repos.json     kept after a sync: they are not fetched again while the manifest names the same
    repos/owner/name.json         until their records are taken over
    info/slug.json                the same
    *.about                       beside a file without a checksum in the manifest: what it is and of which generation
    *.part                        a file that is being fetched, worth nothing

A file is moved to its name when it is whole.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.errors import BotError
from bot.sources.downloading import Fetched, Validators
from embeddings.build_lock import BuildLock
from embeddings.errors import IndexBusy


class SyncBusy(BotError):
    """Another process is syncing into the same folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"another process is syncing into {folder}; wait for it, or stop it")
        self.folder = folder


@dataclass(frozen=True, slots=True)
class _About:
    generation: str
    bytes: int
    sha256: str
    etag: str | None
    last_modified: str | None


@dataclass(frozen=True, slots=True)
class Kept:
    """A whole file from an earlier attempt. is_current: it is of the generation that was asked about."""

    validators: Validators
    is_current: bool


class SyncFolder:
    """Files by their name below `data/`, with `/` between folders. Reads and writes: call it in a worker thread."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nobody else syncs here inside the block. Raises SyncBusy at once where somebody does."""
        self.path.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            try:
                stack.enter_context(BuildLock(self.path))
            except IndexBusy as busy:
                raise SyncBusy(self.path) from busy
            yield

    def place(self, name: str) -> Path:
        """Where a file of this name lies. Names are checked by whoever reads them from a dataset."""
        return self.path.joinpath(*name.split("/"))

    def is_right(self, name: str, size: int, sha256: str) -> bool:
        """Whether the file is there and the one with this checksum."""
        path = self.place(name)
        return path.is_file() and path.stat().st_size == size and _sha256(path) == sha256

    def kept(self, name: str, generation: str) -> Kept | None:
        """What `note` was told of a file, if that is still true."""
        try:
            about = _About(**json.loads(self._about(name).read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None
        if not self.is_right(name, about.bytes, about.sha256):
            return None
        return Kept(Validators(about.etag, about.last_modified), about.generation == generation)

    def note(self, name: str, fetched: Fetched, generation: str) -> None:
        """Remember that the file, which is whole, is that of this generation."""
        validators = fetched.validators
        about = _About(generation, fetched.bytes, fetched.sha256, validators.etag, validators.last_modified)
        self._write_about(name, about)

    def confirm(self, name: str, generation: str) -> None:
        """Remember that a kept file is that of this generation too."""
        about = _About(**json.loads(self._about(name).read_text(encoding="utf-8")))
        self._write_about(name, _About(generation, about.bytes, about.sha256, about.etag, about.last_modified))

    def forget(self, name: str) -> None:
        """Remove a file, so that it is fetched again."""
        self._about(name).unlink(missing_ok=True)
        self.place(name).unlink(missing_ok=True)

    def clear_taken(self) -> None:
        """Remove what was taken over, and what broke off."""
        for folder in ("repos", "info"):
            with suppress(FileNotFoundError):
                shutil.rmtree(self.path / folder)
        for part in self.path.glob("*.part"):
            part.unlink()

    def _about(self, name: str) -> Path:
        path = self.place(name)
        return path.with_name(path.name + ".about")

    def _write_about(self, name: str, about: _About) -> None:
        path = self._about(name)
        part = path.with_name(path.name + ".part")
        part.write_text(json.dumps(asdict(about)), encoding="utf-8")
        part.replace(path)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
