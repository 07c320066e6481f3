"""Why a dataset is not taken over: a class for each fault, with the sentence about it.

Whichever of them is raised, nothing was stored, and the catalogue that was there keeps serving.
"""

from pathlib import Path

from bot.errors import BotError

_SHOWN_PROBLEMS = 5


class DatasetRefused(BotError):
    """The dataset is not what it should be."""


class WrongChecksum(DatasetRefused):
    """A file is not the one the manifest promises."""

    def __init__(self, origin: str, promised: str, found: str) -> None:
        super().__init__(
            f"{origin} has the sha256 {found[:12]}…, the manifest promises {promised[:12]}…: it was tampered"
        )
        self.origin, self.promised, self.found = origin, promised, found


class Truncated(DatasetRefused):
    """A file ends before it should."""

    def __init__(self, origin: str, promised: int, found: int) -> None:
        super().__init__(f"{origin} is truncated: {found:,} bytes of {promised:,} came")
        self.origin, self.promised, self.found = origin, promised, found


class LyingSize(DatasetRefused):
    """A file is longer than was promised."""

    def __init__(self, origin: str, promised: int) -> None:
        super().__init__(f"{origin} is longer than the {promised:,} bytes that were promised")
        self.origin, self.promised = origin, promised


class TooLarge(DatasetRefused):
    """A file claims to be, or turns out to be, larger than anything that could be meant."""

    def __init__(self, origin: str, claimed: int, most: int) -> None:
        super().__init__(f"{origin} claims {claimed:,} bytes, more than {most:,} are never fetched")
        self.origin, self.claimed, self.most = origin, claimed, most


class NotADataset(DatasetRefused):
    """Something else answers at this address: a web page, another kind of file, a redirect."""

    def __init__(self, origin: str, what: str) -> None:
        super().__init__(f"{origin} answers with {what} instead of a file of the dataset; is the base address right?")
        self.origin, self.what = origin, what


class InvalidDataset(DatasetRefused):
    """A file of the dataset breaks the rules; each problem reads "file: field: what was wrong"."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        more = len(problems) - _SHOWN_PROBLEMS
        shown = [*problems[:_SHOWN_PROBLEMS], *([f"… and {more} more problems"] if more > 0 else [])]
        super().__init__("the dataset is invalid: " + "; ".join(shown))
        self.problems = problems


class UnknownSchema(DatasetRefused):
    """The dataset is of a schema that this version does not know."""

    def __init__(self, origin: str, found: object, known: int) -> None:
        super().__init__(f"{origin} is of schema version {found!s:.20}, this Errata knows version {known} alone")
        self.origin, self.found, self.known = origin, found, known


class MisVersioned(DatasetRefused):
    """The dataset's version contradicts what is known of it."""


class OlderVersion(MisVersioned):
    """Versions only grow, and this one is older than the one that is served."""

    def __init__(self, found: str, known: str) -> None:
        super().__init__(f"the dataset is of {found}, older than that of {known} which is served; versions only grow")
        self.found, self.known = found, known


class VersionReused(MisVersioned):
    """Another index under the version that is served."""

    def __init__(self, version: str) -> None:
        super().__init__(
            f"the dataset claims the version {version} again, with another index than the one that is served"
        )
        self.version = version


class MixedVersions(MisVersioned):
    """The compact index is of another version than the manifest."""

    def __init__(self, origin: str, found: object, manifest: str) -> None:
        super().__init__(f"{origin} is of {found!s:.40}, the manifest of {manifest}")
        self.origin, self.found, self.manifest = origin, found, manifest


class WrongCount(DatasetRefused):
    """The compact index does not hold as many records as the manifest says."""

    def __init__(self, origin: str, found: int, promised: int) -> None:
        super().__init__(f"{origin} holds {found:,} records, the manifest counts {promised:,}")
        self.origin, self.found, self.promised = origin, found, promised


class DuplicateId(DatasetRefused):
    """Two records have one id."""

    def __init__(self, origin: str, record_id: str) -> None:
        super().__init__(f"{origin}: the id {record_id} is there twice")
        self.origin, self.record_id = origin, record_id


class InvalidPattern(DatasetRefused):
    """A pattern that is no regex to any engine."""

    def __init__(self, origin: str, record_id: str, why: str) -> None:
        super().__init__(f"{origin}: the pattern of record {record_id} is no regex: {why}")
        self.origin, self.record_id, self.why = origin, record_id, why


class WrongRepository(DatasetRefused):
    """A repository's file holds a record of another one."""

    def __init__(self, origin: str, record_id: str, found: str, asked: str) -> None:
        super().__init__(f"{origin}: record {record_id} is of {found}, and {asked} was asked for")
        self.origin, self.record_id, self.found, self.asked = origin, record_id, found, asked


class WrongRecord(DatasetRefused):
    """Another record came than was asked for."""

    def __init__(self, origin: str, found: str, asked: str) -> None:
        super().__init__(f"{origin} is record {found}, and {asked} was asked for")
        self.origin, self.found, self.asked = origin, found, asked


class DatasetUnreachable(BotError):
    """A file could not be fetched, however often it was tried; what was fetched before is kept for the next time."""

    def __init__(self, origin: str, why: str) -> None:
        super().__init__(f"{origin} cannot be fetched: {why}")
        self.origin, self.why = origin, why


class NotThere(DatasetUnreachable):
    """The server answers, and has no such file."""


class CannotBeKept(BotError):
    """What was fetched cannot be written where it belongs."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} cannot be written: {why}")
        self.path, self.why = path, why
