"""What can go wrong in this package: one class for each thing a caller can do about it."""

from pathlib import Path

REPAIR = "`errata index` builds it anew"


class EmbeddingsError(Exception):
    """Anything this package raises on purpose."""


class EncoderUnavailable(EmbeddingsError):
    """The model cannot be loaded here; words alone (`encoder=None`) still find records."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"the encoder {name} cannot be used: {reason}")
        self.name, self.reason = name, reason


class WeightsDiffer(EncoderUnavailable):
    """The weights on disk are not those that every threshold was measured with."""

    def __init__(self, name: str, path: Path, found: str, expected: str) -> None:
        super().__init__(name, f"{path} has the sha256 {found}, expected {expected}; reinstall its package")
        self.path, self.found, self.expected = path, found, expected


class WrongDimension(EmbeddingsError):
    """Vectors of one encoder met an index, or an encoder, of another dimension."""

    def __init__(self, found: int, expected: int) -> None:
        super().__init__(f"vectors have {found} dimensions where {expected} were expected; another encoder made them")
        self.found, self.expected = found, expected


class IndexMissing(EmbeddingsError):
    """No index was ever completed in this folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"there is no index in {folder}; {REPAIR}")
        self.folder = folder


class IndexDoesNotFit(EmbeddingsError):
    """The index was built by something else than what asks now, or its files are not whole."""

    def __init__(self, folder: Path, differences: tuple[str, ...]) -> None:
        super().__init__(f"the index in {folder} does not fit: {'; '.join(differences)}; {REPAIR}")
        self.folder, self.differences = folder, differences


class IndexBusy(EmbeddingsError):
    """Another process is building in this folder; the index that serves is untouched."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"another process is building the index in {folder}; wait for it, or stop it")
        self.folder = folder


class DuplicatePassage(EmbeddingsError):
    """A record brought two texts for one facet, so that which one counts would depend on their order."""

    def __init__(self, record_id: str, facet: str) -> None:
        super().__init__(f"record {record_id} has two {facet} passages")
        self.record_id, self.facet = record_id, facet
