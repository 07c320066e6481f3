"""Where a dataset gathers."""

from pathlib import Path

import pytest

from bot.sources.dataset_folder import SyncBusy, SyncFolder
from bot.sources.downloading import Fetched, Validators
from tests.dataset_standin import sha256

NAME = "repos/example/one.json"
VALIDATORS = Validators('"tag"', None)


@pytest.fixture
def folder(tmp_path: Path) -> SyncFolder:
    folder = SyncFolder(tmp_path / "sync")
    folder.place(NAME).parent.mkdir(parents=True)
    folder.place(NAME).write_bytes(b"[]")
    folder.note(NAME, Fetched(2, sha256(b"[]"), VALIDATORS), "generation 1")
    return folder


def test_a_whole_file_is_known_with_its_generation(folder: SyncFolder) -> None:
    """It is current for the one it came with, and kept, but to be asked about, for another."""
    current, later = folder.kept(NAME, "generation 1"), folder.kept(NAME, "generation 2")

    assert current is not None
    assert (current.validators, current.is_current) == (VALIDATORS, True)
    assert later is not None
    assert (later.validators, later.is_current) == (VALIDATORS, False)

    folder.confirm(NAME, "generation 2")
    confirmed = folder.kept(NAME, "generation 2")
    assert confirmed is not None
    assert confirmed.is_current


@pytest.mark.parametrize("data", [b"[", b"{}", b"[1]"])
def test_a_file_that_is_not_what_was_noted_is_not_kept(folder: SyncFolder, data: bytes) -> None:
    """Shorter, of the same length, longer."""
    folder.place(NAME).write_bytes(data)

    assert folder.kept(NAME, "generation 1") is None


@pytest.mark.parametrize("about", [b"", b"{", b"[]", b'{"generation": 1}'])
def test_a_note_that_cannot_be_read_is_none(folder: SyncFolder, about: bytes) -> None:
    """The file is then fetched again."""
    folder.place(NAME + ".about").write_bytes(about)

    assert folder.kept(NAME, "generation 1") is None


def test_what_was_taken_over_is_removed(folder: SyncFolder) -> None:
    """The compact index stays, for the next sync."""
    folder.place("index.json.gz").write_bytes(b"x")
    folder.place("index.json.gz.part").write_bytes(b"x")

    folder.clear_taken()

    assert [path.name for path in folder.path.iterdir()] == ["index.json.gz"]
    folder.clear_taken()


def test_a_forgotten_file_is_gone(folder: SyncFolder) -> None:
    """With its note."""
    folder.forget(NAME)

    assert folder.kept(NAME, "generation 1") is None
    assert not folder.place(NAME).exists()
    folder.forget(NAME)


def test_one_at_a_time(folder: SyncFolder) -> None:
    """And the next as soon as the first is done, whatever became of it."""
    with folder.held(), pytest.raises(SyncBusy, match="another process is syncing into"), folder.held():
        pass
    with pytest.raises(ZeroDivisionError), folder.held():
        raise ZeroDivisionError
    with folder.held():
        pass
