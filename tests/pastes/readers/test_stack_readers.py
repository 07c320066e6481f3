"""Readers of JavaScript, Java and .NET: what they leave alone, and how they bear hostile text."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pastes.readers.cleaning import clean_lines
from bot.pastes.readers.dotnet import DotnetReader
from bot.pastes.readers.found import Reader, Role
from bot.pastes.readers.gradle_maven import GradleMavenReader
from bot.pastes.readers.java import JavaReader
from bot.pastes.readers.javascript import JavaScriptReader
from bot.pastes.readers.javascript_frames import frame_of
from bot.pastes.readers.npm import NpmReader
from bot.pastes.readers.spring import SpringReader
from bot.pastes.readers.typescript import TypeScriptReader

READERS: tuple[Reader, ...] = (
    TypeScriptReader(),
    NpmReader(),
    SpringReader(),
    GradleMavenReader(),
    JavaReader(),
    DotnetReader(),
    JavaScriptReader(),
)
# Lines these readers act upon, to be put together in every wrong order.
_PIECES = (
    *(
        "Error: x",
        "TypeError [ERR_X]: y {",
        "    at f (/a/b.js:1:2) {",
        "  [cause]: Error: z",
        "  code: 'E1'",
        "}",
        "  [errors]: [",
    ),
    *(
        "Uncaught (in promise) Error",
        "java.io.IOException: x",
        "\tat a.b.C.d(C.java:3)",
        "Caused by: java.lang.Error: y",
        "\t... 3 more",
    ),
    *(
        "\tSuppressed: java.io.IOException",
        "System.A.BException: x",
        " ---> System.C.DException: y",
        "   at A.B() in /x.cs:line 4",
    ),
    *(
        "   --- End of inner exception stack trace ---",
        " ---> (Inner Exception #0) System.C.DException: y<---",
        "npm ERR! code E404",
    ),
    *(
        "npm ERR! 404 x",
        "npm ERR! gyp ERR! stack Error: z",
        " ERR_PNPM_X  y",
        "error Command failed",
        "➤ YN0001: │ Error: q",
        "",
    ),
    *(
        "ERROR in ./a.js 1:2",
        "Module build failed (from b):",
        "a.ts(1,2): error TS1: x",
        "  more",
        "[plugin:vite:css] bad",
        "/a.css:1:2",
    ),
    *(
        "APPLICATION FAILED TO START",
        "Description:",
        "Action:",
        "* What went wrong:",
        "> deeper",
        "FAILURE: x",
        "* Try:",
        "\ud800",
        "A.java:1: error: x",
    ),
    *(
        "[ERROR] Failed to execute goal a on project b: c -> [Help 1]",
        "-- [E1] A Error: a.scala:1:2",
        "1 | x",
        "  | ^",
        "A.cs(1): error CS1000: x",
    ),
)


@given(st.lists(st.sampled_from(_PIECES) | st.text(max_size=20), max_size=25))
def test_whatever_the_order_spans_lie_in_the_text(pieces: list[str]) -> None:
    """No reader fails, and every error has words and a span within the lines it was given."""
    lines = clean_lines("\n".join(pieces))

    for reader in READERS:
        for error in reader.read(lines):
            assert error.message
            assert 0 <= error.span.first <= error.span.last <= lines[-1].number
            assert error.reader == reader.name


@pytest.mark.parametrize(
    "text",
    [
        "I get an error: the build failed again, is express required?",
        "you should `throw new TypeError('x')` when the argument is missing",
        "class OrderException extends RuntimeException {\n    OrderException(String message) {\n        super(message);\n    }\n}",
        "try {\n  await load();\n} catch (error) {\n  throw new Error('could not load', { cause: error });\n}",
        'catch (InvalidOperationException ex)\n{\n    throw new MenuException("no menu", ex);\n}',
        "added 212 packages, and audited 213 packages in 4s\nfound 0 vulnerabilities",
        "➤ YN0000: ┌ Resolution step\n➤ YN0000: └ Completed in 0s 340ms",
        "yarn run v1.22.19\n$ node index.js\nDone in 0.31s.",
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nTypeError: 'int' object is not iterable",
    ],
)
def test_talk_source_code_and_success_are_no_errors(text: str) -> None:
    """A4: sentences about errors, source code that holds error strings, another language's traceback and good news."""
    found = [error for reader in READERS for error in reader.read(clean_lines(text))]

    assert found == []


@pytest.mark.parametrize("piece", _PIECES)
def test_time_grows_with_the_text(piece: str) -> None:
    """Four thousand times the same line, which opens and never ends, takes every reader less than a second."""
    lines = clean_lines(f"{piece}\n" * 4_000)

    for reader in READERS:
        start = time.process_time()
        for _ in reader.read(lines):
            pass
        assert time.process_time() - start < 1, reader.name


def test_a_chain_deeper_than_any_real_one_is_read_without_recursion_errors() -> None:
    """Causes below the deepest that is read are properties, and the readers go on behind them."""
    text = "Error: x\n    at a (/b.js:1:2) {\n" + "  [cause]: Error: y\n      at a (/b.js:1:2) {\n" * 5_000

    found = list(JavaScriptReader().read(clean_lines(text)))

    assert found[0].role is Role.WRAPPER


@pytest.mark.parametrize(
    ("line", "file", "package", "version"),
    [
        ("at f (/a/node_modules/@x/y/z.js:1:2)", "/a/node_modules/@x/y/z.js", "@x/y", None),
        (
            "at f (/a/node_modules/.pnpm/q@1.2.3/node_modules/q/z.js:1:2)",
            "/a/node_modules/.pnpm/q@1.2.3/node_modules/q/z.js",
            "q",
            "1.2.3",
        ),
        ("at async Foo.bar [as baz] (C:\\a\\b.js:9:1)", "C:\\a\\b.js", None, None),
        ("at file:///a/b.mjs:4:5", "file:///a/b.mjs", None, None),
        ("go@https://a.example/b.js:4:5", "https://a.example/b.js", None, None),
    ],
)
def test_a_frame_tells_its_package(line: str, file: str, package: str | None, version: str | None) -> None:
    """The package is the innermost folder below node_modules; pnpm's folders tell the version."""
    frame = frame_of(line)

    assert frame is not None
    assert (frame.file, frame.package, frame.version) == (file, package, version)


def test_a_java_frame_tells_its_jar() -> None:
    """Logback prints the archive and its version behind a frame."""
    text = (
        "java.io.IOException: x\n\tat a.B.c(B.java:3) ~[spring-orm-6.1.3.jar!/:6.1.3]\n\tat java.base/d.E.f(E.java:4)"
    )

    error = next(iter(JavaReader().read(clean_lines(text))))

    assert [(frame.package, frame.version) for frame in error.frames] == [("java.base", None), ("spring-orm", "6.1.3")]
