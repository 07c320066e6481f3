"""A reader of the static dataset, written from ErrLookup's description of it alone and from nothing of this program.

It takes no notice of what the description does not mention, and forgives nothing that it does.
"""

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ID = re.compile(r"[0-9a-f]{16}")
SHA = re.compile(r"[0-9a-f]{40}")
REPO = re.compile(r"[^/\s]+/[^/\s]+")
KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
URL = re.compile(r"https://\S+")
TYPES = {"exception", "error_code", "console", "http", "validation", "panic"}
SEVERITIES = {"critical", "error", "warning", "info"}
STRATEGIES = {"try-catch", "type-guard", "validation", "retry", "fallback", None}

Check = Callable[[Any], bool]


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _text_or_null(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _int_or_null(value: Any) -> bool:
    return value is None or (type(value) is int and value >= 1)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _like(pattern: re.Pattern[str]) -> Check:
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


RECORD: dict[str, Check] = {
    "id": _like(ID),
    "repo": _like(REPO),
    "slug": _like(KEBAB),
    "errorCode": _text_or_null,
    "errorMessage": lambda value: isinstance(value, str) and bool(value.strip()),
    "messagePattern": _text,
    "errorType": lambda value: value in TYPES,
    "errorClass": _text_or_null,
    "httpStatus": lambda value: value is None or (type(value) is int and 100 <= value <= 599),
    "severity": lambda value: value in SEVERITIES,
    "filePath": _text_or_null,
    "lineNumber": _int_or_null,
    "sourceCode": lambda value: value is None or (isinstance(value, str) and len(value.splitlines()) <= 40),
    "sourceCodeStart": _int_or_null,
    "sourceCodeEnd": _int_or_null,
    "githubUrl": _like(URL),
    "documentation": _text,
    "triggerScenarios": _text,
    "commonSituations": _text,
    "solutions": _texts,
    "exampleFix": _text_or_null,
    "handlingStrategy": lambda value: value in STRATEGIES,
    "validationCode": _text_or_null,
    "typeGuard": _text_or_null,
    "tryCatchPattern": _text_or_null,
    "preventionTips": _texts,
    "tags": lambda value: _texts(value) and all(KEBAB.fullmatch(tag) for tag in value),
    "analyzedSha": _like(SHA),
    "analyzedAt": _like(MOMENT),
    "schemaVersion": lambda value: value == 2,
}
# "Absent in older records"; where they stand they keep their rule.
NEWER: dict[str, Check] = {"backgroundTag": _text_or_null, "contentChangedAt": _like(MOMENT)}
COMPACT = {
    "id": "id",
    "repo": "repo",
    "slug": "slug",
    "code": "errorCode",
    "msg": "errorMessage",
    "pattern": "messagePattern",
    "type": "errorType",
    "cls": "errorClass",
    "tags": "tags",
    "sev": "severity",
}
ROW = ("repo", "description", "language", "stars", "sourceFiles", "defaultBranch")


def problems_of(data: Path) -> list[str]:
    """Everything in the folder served as `{base}/data` that breaks a rule."""
    return list(_problems(data))


def records_of(data: Path) -> dict[str, dict[str, Any]]:
    """All whole records of a dataset, by id, as parsed JSON."""
    rows = json.loads((data / "repos.json").read_bytes())
    return {
        record["id"]: record
        for row in rows
        for record in json.loads((data / "repos" / f"{row['repo']}.json").read_bytes())
    }


def _problems(data: Path) -> Iterator[str]:
    manifest = json.loads((data / "manifest.json").read_bytes())
    if manifest["schemaVersion"] != 2:
        yield "manifest: schemaVersion"
    if not MOMENT.fullmatch(manifest["datasetVersion"]):
        yield "manifest: datasetVersion"
    for name, path in (("index", "/data/index.json.gz"), ("repos", "/data/repos.json")):
        promised = manifest["files"][name]
        found = (data / path.removeprefix("/data/")).read_bytes()
        if (promised["path"], promised["bytes"]) != (path, len(found)):
            yield f"manifest: {name}: path or bytes"
        if promised["sha256"] != hashlib.sha256(found).hexdigest():
            yield f"manifest: {name}: sha256"
    yield from _problems_of_contents(data, manifest)


def _problems_of_contents(data: Path, manifest: dict[str, Any]) -> Iterator[str]:
    promised = manifest["files"]["index"]
    raw = gzip.decompress((data / "index.json.gz").read_bytes())
    if promised["encoding"] != "gzip" or promised["rawBytes"] != len(raw):
        yield "manifest: index: encoding or rawBytes"
    if promised["rawSha256"] != hashlib.sha256(raw).hexdigest():
        yield "manifest: index: rawSha256"
    index = json.loads(raw)
    if (index["schemaVersion"], index["datasetVersion"]) != (2, manifest["datasetVersion"]):
        yield "index: schemaVersion or datasetVersion"
    rows = json.loads((data / "repos.json").read_bytes())
    counts = {"repos": len(rows), "errors": len(index["errors"]), "infoPages": len(_articles(data))}
    if manifest["counts"] != counts:
        yield f"manifest: counts {manifest['counts']} are not {counts}"

    whole: dict[str, dict[str, Any]] = {}
    for row in rows:
        records = json.loads((data / "repos" / f"{row['repo']}.json").read_bytes())
        yield from _problems_of_row(row, len(records))
        slugs = [record.get("slug") for record in records]
        if len(set(slugs)) != len(slugs):
            yield f"{row['repo']}: a slug stands twice"
        for record in records:
            yield from _problems_of_record(record, row["repo"])
            if record["id"] in whole:
                yield f"{record['id']} stands twice"
            whole[record["id"]] = record
    compact = {one["id"]: one for one in index["errors"]}
    if len(compact) != len(index["errors"]) or compact.keys() != whole.keys():
        yield "index: holds other records than the repositories, or one twice"
    for record_id, one in compact.items():
        expected = {short: whole[record_id][long] for short, long in COMPACT.items()}
        if one != expected:
            yield f"index: {record_id} says something else than its record"


def _problems_of_row(row: dict[str, Any], records: int) -> Iterator[str]:
    for name in ROW:
        if name not in row:
            yield f"{row['repo']}: {name} is missing"
    if not SHA.fullmatch(row["analyzedSha"]) or not MOMENT.fullmatch(row["analyzedAt"]):
        yield f"{row['repo']}: analyzedSha or analyzedAt"
    if row["errorCount"] != records or not records:
        yield f"{row['repo']}: errorCount"


def _problems_of_record(record: dict[str, Any], repo: str) -> Iterator[str]:
    for name, check in RECORD.items():
        if name not in record:
            yield f"{record.get('id')}: {name} is missing"
        elif not check(record[name]):
            yield f"{record.get('id')}: {name}: {record[name]!r}"
    for name, check in NEWER.items():
        if name in record and not check(record[name]):
            yield f"{record.get('id')}: {name}: {record[name]!r}"
    if record["repo"] != repo:
        yield f"{record['id']}: is of {record['repo']}, not {repo}"
    try:
        re.compile(record["messagePattern"])
    except re.error:
        yield f"{record['id']}: messagePattern is no regex"


def _articles(data: Path) -> list[dict[str, Any]]:
    if not (data / "info").exists():
        return []
    listed: list[dict[str, Any]] = json.loads((data / "info" / "index.json").read_bytes())
    found = []
    for line in listed:
        article = json.loads((data / "info" / f"{line['slug']}.json").read_bytes())
        names = ("slug", "clusterKey", "title", "summary", "background", "commonCauses", "fixes", "guideSlugs")
        assert all(name in article for name in (*names, "errorIds", "errorCount", "repoCount", "schemaVersion"))
        assert article["schemaVersion"] == 1
        found.append(article)
    return found
