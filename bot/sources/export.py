"""The static dataset form, written: what `errlookup` serves below `/data/`, in a folder that appears as a whole.

The same records give the same bytes. Everything that is written is hashed, apart from the version itself, so that an
export that says nothing new keeps the version of the one before it.
"""

import glob
import gzip
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any, Final

from bot.errors import BotError
from bot.records import rules
from bot.records.decode import SCHEMA_VERSION, encode_outline, encode_record
from bot.records.outline import outline_of
from bot.records.record import Record

MANIFEST: Final = "manifest.json"
INDEX: Final = "index.json.gz"
REPOSITORIES: Final = "repos.json"
# A field of our own: what the files hold, without their version.
CONTENT_FIELD: Final = "errataContent"
# What a folder may hold that an export replaces; anything else is somebody's.
_OF_A_DATASET: Final = frozenset({MANIFEST, INDEX, "index.json", REPOSITORIES, "repos", "info", "search-summary.json"})
_LINES: Final = "index.lines"  # the compact index while it grows; gone when the export is done
_COPIED_AT_ONCE: Final = 1 << 20
_REPOSITORY_FIELDS: Final = ("description", "language", "stars", "sourceFiles", "defaultBranch")


class CannotExport(BotError):
    """A folder cannot be written, or is not one that an export may replace."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"{folder}: {why}; nothing was exported")
        self.folder, self.why = folder, why


@dataclass(frozen=True, slots=True)
class Before:
    """The version of the export that is replaced, and what it held; an upstream mirror does not say that."""

    version: datetime
    content: str | None


@dataclass(frozen=True, slots=True)
class Written:
    """What a dataset consists of. is_new: it says something else than the one before it."""

    version: str
    repositories: int
    records: int
    articles: int
    is_new: bool


class DatasetWriter:
    """Writes one dataset into an empty folder, repository by repository. Blocking: call it in a worker thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rows: list[dict[str, object]] = []
        self._articles: list[dict[str, object]] = []
        self._records = 0
        self._latest = datetime.min.replace(tzinfo=UTC)
        self._content = hashlib.sha256()
        (folder / _LINES).touch()

    def add(self, repo: str, records: Sequence[Record], about: Mapping[str, Any]) -> None:
        """Write the records of a repository, in their order, after those that were added before; none is no repository.

        about: what is known of it under upstream's names; what is not is null.
        """
        if not records:
            return
        self._write(f"repos/{repo}.json", [encode_record(record) for record in records])
        with (self._folder / _LINES).open("ab") as lines:
            for record in records:
                lines.write((b"," if self._records else b"") + dumped(encode_outline(outline_of(record))))
                self._records += 1
        last = max(records, key=lambda record: (record.analyzed_at, record.id))
        changed = max(record.content_changed_at or record.analyzed_at for record in records)
        self._latest = max(self._latest, last.analyzed_at, changed)
        self._rows.append(
            {
                "repo": repo,
                **{name: about.get(name) for name in _REPOSITORY_FIELDS},
                "analyzedSha": about.get("analyzedSha") or last.analyzed_sha,
                "analyzedAt": about.get("analyzedAt") or rules.written(last.analyzed_at),
                "errorCount": len(records),
            }
        )

    def add_article(self, article: Mapping[str, object], *, errors: int, repositories: int) -> None:
        """Write a background article. errors, repositories: how many of those exported are of its family."""
        document = {
            "guideSlugs": [],
            **{name: value for name, value in article.items() if value is not None},
            "errorCount": errors,
            "repoCount": repositories,
            "schemaVersion": 1,
        }
        self._write(f"info/{article['slug']}.json", document)
        line = ("slug", "clusterKey", "title", "summary", "errorCount", "repoCount", "generatedAt")
        self._articles.append({name: document[name] for name in line if name in document})

    def finish(self, before: Before | None) -> Written:
        """Write the lists and the manifest, with the version that follows from what was written and from `before`."""
        if self._articles:
            self._write("info/index.json", self._articles)
        repositories = self._write(REPOSITORIES, self._rows)
        content = self._content.hexdigest()
        same = before if before is not None and before.content == content else None
        # Always with milliseconds, for whoever compares versions as texts.
        moment = same.version if same else _version(self._latest, before)
        version = moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
        self._dump(
            MANIFEST,
            {
                "schemaVersion": SCHEMA_VERSION,
                "datasetVersion": version,
                "counts": {"repos": len(self._rows), "errors": self._records, "infoPages": len(self._articles)},
                "files": {"index": self._write_index(version), "repos": repositories},
                CONTENT_FIELD: content,
            },
        )
        return Written(version, len(self._rows), self._records, len(self._articles), same is None)

    def _write(self, name: str, document: object) -> dict[str, object]:
        data = self._dump(name, document)
        digest = hashlib.sha256(data).hexdigest()
        self._content.update(f"{name} {digest}\n".encode())
        return {"path": f"/data/{name}", "bytes": len(data), "sha256": digest}

    def _dump(self, name: str, document: object) -> bytes:
        data = dumped(document)
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return data

    def _write_index(self, version: str) -> dict[str, object]:
        head = dumped({"schemaVersion": SCHEMA_VERSION, "datasetVersion": version})[:-1] + b',"errors":['
        raw_bytes, raw_digest = 0, hashlib.sha256()
        # Neither a name nor a time in the header, so that the same index is the same file.
        with (self._folder / INDEX).open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as target:
            for piece in chain((head,), _pieces(self._folder / _LINES), (b"]}",)):
                target.write(piece)
                raw_digest.update(piece)
                raw_bytes += len(piece)
        (self._folder / _LINES).unlink()
        with (self._folder / INDEX).open("rb") as packed:
            digest = hashlib.file_digest(packed, "sha256").hexdigest()
        return {
            "path": f"/data/{INDEX}",
            "bytes": (self._folder / INDEX).stat().st_size,
            "sha256": digest,
            "encoding": "gzip",
            "rawBytes": raw_bytes,
            "rawSha256": raw_digest.hexdigest(),
        }


def dumped(document: object) -> bytes:
    """The document as upstream writes it: UTF-8 without blanks; half a surrogate pair, which has no UTF-8, escaped."""
    try:
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(document, separators=(",", ":")).encode()


def before(folder: Path) -> Before | None:
    """The dataset in a folder; None where there is none yet.

    Raises CannotExport for a folder that holds anything else than a dataset, for it would be replaced.
    """
    with _reaching(folder):
        if not folder.exists():
            return None
        if not folder.is_dir():
            raise CannotExport(folder, "is not a folder")
        names = {path.name for path in folder.iterdir()}
        if not names:
            return None
        if MANIFEST not in names or not names <= _OF_A_DATASET:
            foreign = ", ".join(sorted(names - _OF_A_DATASET)[:3]) or f"no {MANIFEST}"
            raise CannotExport(folder, f"holds something else than a dataset ({foreign})")
        try:
            manifest = json.loads((folder / MANIFEST).read_bytes())
            content = manifest.get(CONTENT_FIELD)
            return Before(rules.moment(manifest["datasetVersion"]), content if isinstance(content, str) else None)
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            raise CannotExport(folder, f"its {MANIFEST} names no datasetVersion to go on from") from error


@contextmanager
def replaced(folder: Path) -> Iterator[Path]:
    """An empty folder beside the given one, which takes its place at the end of the block; on an exception it is gone.

    A process that dies between the two renames of the end leaves the old export under a hidden name; `restored` puts it
    back. Raises CannotExport where the disk refuses.
    """
    new, old = _beside(folder, f"new-{os.getpid()}"), _beside(folder, "old")
    with _reaching(folder):
        new.mkdir(parents=True)
        try:
            yield new
            if folder.exists():
                folder.rename(old)
            new.rename(folder)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
        if old.exists():
            shutil.rmtree(old)


def restored(folder: Path) -> Path:
    """The folder as an absolute path, put back where an export died while it replaced it; halves of others are gone.

    Raises CannotExport.
    """
    with _reaching(folder):
        folder = folder.expanduser().resolve()
        if not folder.name:
            raise CannotExport(folder, "is no folder that can be replaced")
        for left in folder.parent.glob(f".{glob.escape(folder.name)}.new-*"):
            if not _runs(left.name.rpartition("-")[2]):
                shutil.rmtree(left)
        old = _beside(folder, "old")
        if old.exists() and not folder.exists():
            old.rename(folder)
        elif old.exists():
            shutil.rmtree(old)
        return folder


def _runs(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except PermissionError:  # somebody else's
        return True
    return True


def _beside(folder: Path, what: str) -> Path:
    return folder.with_name(f".{folder.name}.{what}")


@contextmanager
def _reaching(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CannotExport(folder, error.strerror or type(error).__name__) from error


def _version(latest: datetime, before: Before | None) -> datetime:
    """When the newest record was written, or where that is no later than the export before, just after that."""
    return latest if before is None else max(latest, before.version + timedelta(milliseconds=1))


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_COPIED_AT_ONCE):
            yield piece
