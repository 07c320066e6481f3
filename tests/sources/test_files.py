"""Files and folders of entries, told by what they hold."""

import gzip
import io
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.records.decode import encode_entry
from bot.records.page import Page
from bot.records.record import Record
from bot.sources import capped_reading
from bot.sources.capped_reading import MEBIBYTE
from bot.sources.errors import InvalidSource
from bot.sources.files import FileForm, iter_entries, iter_located, read_entries
from bot.sources.seeds import shipped_seeds
from tests.records.samples import FULL_RECORD, record_with
from tests.shared_data import REPOSITORY, shared_file

SEEDS = REPOSITORY / "seeds"
OTHER = record_with(id="1111111111111111", slug="another")


def written(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def problems_of(*paths: Path) -> tuple[str, ...]:
    with pytest.raises(InvalidSource) as caught:
        list(iter_located(paths))
    return caught.value.problems


LINE, OTHER_LINE = json.dumps(FULL_RECORD), json.dumps(OTHER)


@pytest.mark.parametrize(
    ("data", "form", "count"),
    [
        (LINE, FileForm.DOCUMENT, 1),
        (json.dumps(FULL_RECORD, indent=2), FileForm.DOCUMENT, 1),
        (json.dumps({"record": FULL_RECORD, "datasetVersion": "2026-09-12T17:17:11.597Z"}), FileForm.DOCUMENT, 1),
        (json.dumps({"record": FULL_RECORD}, indent=1), FileForm.DOCUMENT, 1),
        (json.dumps([FULL_RECORD, OTHER]), FileForm.DOCUMENT, 2),
        (json.dumps([FULL_RECORD, OTHER], indent=2), FileForm.DOCUMENT, 2),
        ("[]", FileForm.DOCUMENT, 0),
        (f"{LINE}\n{OTHER_LINE}\n", FileForm.LINES, 2),
        (f"\n\n{LINE}\r\n\r\n{OTHER_LINE}", FileForm.LINES, 2),
        (f"{json.dumps({'record': FULL_RECORD})}\n{OTHER_LINE}\n", FileForm.LINES, 2),
        ((SEEDS / "000_a120b3c55ead9138.txt").read_text(encoding="utf-8"), FileForm.PAGE, 1),
    ],
    ids=range(11),
)
@pytest.mark.parametrize("wrapping", ["plain", "bom", "gzip", "utf-16"])
def test_every_form_is_recognised_by_content(
    tmp_path: Path, data: str, form: FileForm, count: int, wrapping: str
) -> None:
    """The name says nothing: packed, with a byte order mark or in UTF-16, a file is what it holds."""
    encoded = {
        "plain": data.encode(),
        "bom": b"\xef\xbb\xbf" + data.encode(),
        "gzip": gzip.compress(data.encode()),
        "utf-16": data.encode("utf-16"),
    }[wrapping]

    loaded = read_entries(written(tmp_path / "misleading.md", encoded))

    assert (loaded.form, len(loaded.entries)) == (form, count)


def test_the_shipped_seeds_are_three() -> None:
    """Two pages and a record; the README beside them is none."""
    entries = list(iter_entries([shipped_seeds()]))

    assert [(type(entry), entry.id) for entry in entries] == [
        (Page, "4df974a0eb9a8beb"),
        (Record, "48d4adaa22bdcf4f"),
        (Page, "c680d5d5ffa880ce"),
    ]
    assert (shipped_seeds() / "README.md").exists()


def test_the_seeds_are_as_they_came() -> None:
    """The shipped documents are the fetched ones, byte for byte."""
    for seed in sorted(SEEDS.glob("*.txt")):
        assert seed.read_bytes() == shared_file(f"seeds/{seed.name}").read_bytes()


def test_an_export_is_read_again(tmp_path: Path) -> None:
    """Pages and records written a line each come back as they were."""
    entries = list(iter_entries([SEEDS]))
    path = written(tmp_path / "export", "\n".join(json.dumps(encode_entry(entry)) for entry in entries))

    assert list(iter_entries([path])) == entries


def test_folders_are_walked_in_order(tmp_path: Path) -> None:
    """Names decide the order; Markdown, hidden files and hidden folders are passed over."""
    (tmp_path / "b").mkdir()
    (tmp_path / ".git").mkdir()
    written(tmp_path / "b" / "1.json", OTHER_LINE)
    written(tmp_path / "a.json", LINE)
    for name in ("README.md", ".hidden", ".git/config"):
        written(tmp_path / name, "no record")

    assert [located.origin for located in iter_located([tmp_path])] == [
        str(tmp_path / "a.json"),
        str(tmp_path / "b" / "1.json"),
    ]


def test_all_problems_of_all_files_come_at_once(tmp_path: Path) -> None:
    """Each problem has its file, its line or place in an array, and its field; good entries are yielded before."""
    lines = written(tmp_path / "a.jsonl", f'{LINE}\n{{"id": \n{json.dumps(record_with(id="x", severity=1))}\n')
    array = written(tmp_path / "b.json", json.dumps([OTHER, 5, record_with(id="2222222222222222", slug="X")]))
    text = written(tmp_path / "c.txt", "just a log line\nERROR\n")
    missing = tmp_path / "d.json"
    seen: list[str] = []

    with pytest.raises(InvalidSource) as caught:
        seen.extend(located.entry.id for located in iter_located([lines, array, text, missing]))

    assert seen == [FULL_RECORD["id"], OTHER["id"]]
    assert str(caught.value).splitlines() == [
        f"{lines}:2: document: is not JSON: Expecting value (line 2, column 1)",
        f'{lines}:3: id: "x" is not 16 lowercase hex digits',
        f"{lines}:3: severity: is a number, not a string",
        f"{array}[1]: document: is a number, not an object",
        f'{array}[2]: slug: "X" is not lowercase words joined by hyphens',
        f"{text}: document: has none of the known forms (an API record, the text of an error page, ErrorEntry JSON)",
        f"{missing}: document: cannot be read: No such file or directory",
    ]


def test_duplicates_are_named_with_both_places(tmp_path: Path) -> None:
    """G1: an id, or a slug within a repository, that stands twice in one import is a problem."""
    first = written(tmp_path / "a.json", LINE)
    twins = [FULL_RECORD, record_with(id="3333333333333333"), record_with(id="4444444444444444", repo="other/burn")]
    second = written(tmp_path / "b.json", json.dumps(twins))

    assert problems_of(first, second) == (
        f"{second}[0]: id: 48d4adaa22bdcf4f stands already in {first}",
        f"{second}[1]: slug: gradient-sync-server-disconnected of tracel-ai/burn stands already in {first}",
    )


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "document: is empty"),
        (b"\n \n", "document: is empty"),
        (b"\x00\x01\x02", "document: has none of the known forms"),
        (b"\x89PNG\r\n\x1a\n", "document: is not UTF-8 text (byte 0)"),
        (gzip.compress(b"x" * 1000)[:-9], "document: is a damaged gzip file"),
        (b"\x1f\x8bnonsense", "document: is a damaged gzip file"),
        (gzip.compress(gzip.compress(LINE.encode())), "document: is not UTF-8 text (byte 1)"),
        (b"\xff\xfe\x00\xd8\x00", "document: is not UTF-16 text"),
        (b'{"schemaVersion": 2, "counts": {}}', "document: is neither a record nor an API answer; its fields: 'counts', 'schemaVersion'"),
        (b'{"record": 5}', "document: is a number, not an object"),
        (b'{"record": {}, "datasetVersion": "soon"}', 'datasetVersion: "soon" is not an ISO 8601 time in UTC'),
        (b"{" * 50_000, "document: is not JSON"),
        (b"[" * 50_000, "document: is nested more than 64 levels deep"),
    ],
    ids=range(13),
)  # fmt: skip
def test_files_that_hold_nothing_usable_say_so(tmp_path: Path, data: bytes, problem: str) -> None:
    """Empty, binary, damaged, foreign and hostile files: one sentence with the file's name."""
    path = written(tmp_path / "f", data)

    assert any(line.startswith(f"{path}: {problem}") for line in problems_of(path))


def test_folders_without_records_and_devices_are_refused(tmp_path: Path) -> None:
    """Nothing to read, or something that never ends, is a problem and no silence."""
    pipe = tmp_path / "folder" / "pipe"
    pipe.parent.mkdir()
    os.mkfifo(pipe)

    assert problems_of(pipe.parent, pipe) == (
        f"{pipe.parent}: document: is a folder without records",
        f"{pipe}: document: is no ordinary file",
    )


def test_bombs_are_stopped(tmp_path: Path) -> None:
    """E2: what unpacks to hundreds of times its size is refused before it fills memory."""
    packed = io.BytesIO()
    with gzip.open(packed, "wb") as bomb:
        for _ in range(80):
            bomb.write(b" " * MEBIBYTE)
    path = written(tmp_path / "bomb.gz", packed.getvalue())

    assert problems_of(path) == (f"{path}: document: unpacks to more than 200 times its size",)


def test_documents_have_a_greatest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line and a document beyond the limit are refused, in a plain file too."""
    monkeypatch.setattr(capped_reading, "LARGEST_DOCUMENT", MEBIBYTE)
    line = written(tmp_path / "line", b'{"a": "' + b"x" * 2 * MEBIBYTE)
    document = written(tmp_path / "document", b"[\n" + b"1,\n" * MEBIBYTE)

    assert problems_of(line, document) == (
        f"{line}: document: has a line of more than 1 MiB",
        f"{document}: document: is one document of more than 1 MiB",
    )


def test_endless_problems_are_counted(tmp_path: Path) -> None:
    """A wholly wrong file gives a thousand problems and the number of the others."""
    path = written(tmp_path / "f.jsonl", "{}\n" * 1_234)

    problems = problems_of(path)

    assert len(problems) == 1_001
    assert problems[-1] == "… and 234 more problems"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.binary(max_size=200) | st.text('{}[]":,\n ·/ab1\\u', max_size=80).map(str.encode))
def test_any_file_is_read_or_refused(tmp_path: Path, data: bytes) -> None:
    """Nothing but InvalidSource comes out of arbitrary bytes."""
    path = written(tmp_path / "fuzz", data)

    problems: tuple[str, ...] = ()
    try:
        assert list(iter_entries([path])) == []
    except InvalidSource as invalid:
        problems = invalid.problems

    assert all(line.startswith(str(path)) for line in problems)


def test_the_catalogue_is_streamed() -> None:
    """G4: 153,000 records, 235 MB unpacked, are all valid and read within 200 MiB of memory."""
    path = shared_file("scale/catalogue.jsonl.gz")
    program = """
        import re, sys
        from pathlib import Path
        from bot.sources.files import iter_entries
        count = sum(1 for _ in iter_entries([Path(sys.argv[1])]))
        # Not getrusage: its peak is inherited from the process that started this one.
        peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
        print(count, int(peak[1]) // 1024)
    """

    printed = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(path)],
        cwd=REPOSITORY, check=True, capture_output=True, text=True, timeout=120,
    ).stdout  # fmt: skip

    count, mebibytes = map(int, printed.split())
    assert count == 153_000
    assert mebibytes < 200
