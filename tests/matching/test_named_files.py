"""Which files a text names."""

import pytest
import re2
from hypothesis import example, given
from hypothesis import strategies as st

from bot.matching.named_files import _JAVA_FRAME, _files, named_files

PYTHON_FRAME = '  File "/usr/lib/python3/site-packages/hawser/lines.py", line 16, in pull'
JAVA_FRAME = "\tat org.twin.hawser.Lines.pull(Lines.java:17)"


# What a file of source looks like in a sentence, as one expression: right, and slow.
FILE = re2.compile(r"(?:[A-Za-z]:)?[\w@.+\-/\\$~]*[\w@+\-$](\.[A-Za-z]{1,5})\b(?:[:(]\d{1,6})?")
PIECES = [
    "a",
    "Z9",
    "_",
    "x.py",
    ".js",
    ".tar.gz",
    ":3",
    ":1234567",
    "(12",
    "C:",
    "\\",
    "/",
    "..",
    "-",
    "+",
    "\u00e9",
    " ",
    "\n",
    ":",
]


def paths_in(text: str) -> set[tuple[str, int | None]]:
    """Each path that is found, with its line."""
    seen = named_files(text).values()
    return {("/".join(path.parts), path.line_number) for paths in seen for path in paths}


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        (PYTHON_FRAME, "usr/lib/python3/site-packages/hawser/lines.py", 16),
        (JAVA_FRAME, "org/twin/hawser/lines.java", 17),
        (
            "thread 'main' panicked at crates/burn-remote/src/client/service.rs:179:18:",
            "crates/burn-remote/src/client/service.rs",
            179,
        ),
        ("panicked at 'boom: x', src/main.rs:4:5", "src/main.rs", 4),
        (
            "    at pack (/home/ann/app/packages/packer/src/atlas.ts:13:9)",
            "home/ann/app/packages/packer/src/atlas.ts",
            13,
        ),
        (r"   at Acme.Tool.Run() in C:\src\Tool.cs:line 88", "src/tool.cs", 88),
        ("PHP Fatal error: Uncaught x in /var/www/app/Foo.php on line 12", "var/www/app/foo.php", 12),
        ("\t/go/src/internal/berth/assign.go:14 +0x1d", "go/src/internal/berth/assign.go", 14),
        ("./src/App.vue 1:0", "src/app.vue", None),
    ],
)
def test_files_and_lines_are_read_in_every_languages_form(text: str, path: str, line: int | None) -> None:
    """The file a stack frame or a panic names is found with its line (B12)."""
    assert (path, line) in paths_in(text)


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
@example("x.py:3.go")
@example("foo.c:/bar.rs and c:/bar.rs")
@example("a.py+C:x.rs:12b.go")
def test_files_are_what_one_expression_would_find(text: str) -> None:
    """Telling files from their dots finds the same as looking for them from the left."""
    data = text.encode()

    found = [(start, ending.start(), ending.end()) for start, ending in _files(data)]

    assert found == [(match.start(), match.start(1), match.end()) for match in FILE.finditer(data)]


@given(
    st.lists(
        st.sampled_from(["at ", "a.b", "m/", "C.run", "(C.java:3)", "(", ":3", ".", "\u00e9", "_", " "]), max_size=20
    ).map("".join)
)
def test_java_frames_are_what_the_linear_engine_would_find(text: str) -> None:
    """The expression begins with letters that can be looked for fast, and means the same."""
    frame = re2.compile(r"\bat (?:[\w.$-]+/)?([\w$.]{3,300})\(([\w$]+\.\w{2,6}):(\d{1,6})\)")

    assert _JAVA_FRAME.findall(text.encode()) == frame.findall(text.encode())


def test_a_path_is_named_once_however_often_a_log_repeats_it() -> None:
    """A log prints the same stack again and again."""
    (paths,) = named_files(f"{PYTHON_FRAME}\n{PYTHON_FRAME.upper()}\n{PYTHON_FRAME}").values()

    assert [path.line_number for path in paths] == [16, None]
