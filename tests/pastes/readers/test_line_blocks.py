"""What the readers of compiled languages share: chains of causes, numbers, and time linear in hostile text."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.pastes.readers.c_compilers import CCompilerReader
from bot.pastes.readers.c_runtime import CRuntimeReader
from bot.pastes.readers.cargo import CargoReader
from bot.pastes.readers.cmake import CMakeReader
from bot.pastes.readers.dart import DartReader
from bot.pastes.readers.elixir import ElixirReader
from bot.pastes.readers.found import CleanLine, Reader
from bot.pastes.readers.go import GoReader
from bot.pastes.readers.go_compiler import GoCompilerReader
from bot.pastes.readers.go_errors import GoErrorReader
from bot.pastes.readers.line_blocks import caused_by, number
from bot.pastes.readers.lua import LuaReader
from bot.pastes.readers.php import PhpReader
from bot.pastes.readers.ruby import RubyReader
from bot.pastes.readers.rust import RustReader
from bot.pastes.readers.starts import stripped
from bot.pastes.readers.swift import SwiftReader

_READERS: tuple[Reader, ...] = (
    *(RustReader(), CargoReader(), GoReader(), GoErrorReader(), GoCompilerReader(), SwiftReader(), CMakeReader()),
    *(CCompilerReader(), CRuntimeReader(), PhpReader(), RubyReader(), ElixirReader(), DartReader(), LuaReader()),
)
# Beginnings of what the readers look for: built from these, nearly every text is nearly an error.
_PIECES = (
    "thread 'main' panicked at src/a.rs:1:2:", "thread 'main' panicked at 'x", "Error:", "Error: x", "Caused by:", "0: a", "1: b", "error: x",
    "error[E0001]: x", "--> a.rs:1:2", "stack backtrace:", "Location:", "panic: x", "goroutine 1 [running]:", "main.f()", "/a.go:3 +0x1",
    "exit status 2", "--- FAIL: T (0.1s)", "a_test.go:1: x", "PHP Fatal error:  Uncaught A: b in /a.php:3", "Uncaught A: b", "a.php", "#0 {main}",
    "Next B: c in /a.php:3", 'x.ERROR: a {"exception":"[object] (A(code: 0): b', "[stacktrace]", "FooException", "at a.php:3",
    "a.rb:1:in `f': x (Foo)", "a.rb:1:in `f': x", "from a.rb:1:in `f'", "rake aborted!", "Foo::Bar (x):", "Failure/Error: x", "# ./a.rb:1:in `f'",
    "a.c:1:2: error: x", "1 | x", "/usr/bin/ld: x", "collect2: error: x", "Undefined symbols for architecture arm64:", "CMake Error at a:1 (b):",
    "==1==ERROR: AddressSanitizer: x", "#0 0x1 in f a.c:1:2", "Aborted", "terminate called after throwing an instance of 'a'", "what():  x",
    "a.swift:1: Fatal error: x", "0 f() + 1 in a at /a.swift:1:2", "** (Foo) x", "(a 1.0) lib/a.ex:1: A.f/1", "└─ a.ex:1:2", "Unhandled exception:",
    "══╡ EXCEPTION CAUGHT BY X ╞══", "The following assertion was thrown:", "Because a b", "lua: a.lua:1: attempt to x", "stack traceback:",
    "a.lua:1: in main chunk", "E5108: Error executing lua a.lua:1: x", "", "x", "\ud800",
)  # fmt: skip


def _lines(*texts: str) -> list[CleanLine]:
    return [CleanLine(text.strip(), at, len(text) - len(text.lstrip())) for at, text in enumerate(texts)]


@given(st.lists(st.tuples(st.sampled_from(_PIECES), st.integers(0, 4)), max_size=14))
@settings(max_examples=400, deadline=None)
def test_spans_stay_within_the_text(pieces: list[tuple[str, int]]) -> None:
    """Whatever stands beside whatever, nothing is raised, and every error stands on lines of the text."""
    lines = [CleanLine(text, at, indent) for at, (text, indent) in enumerate(pieces)]

    found = [one for reader in _READERS for one in reader.read(lines)]

    assert all(0 <= one.span.first <= one.span.last < len(lines) for one in found)


@pytest.mark.parametrize("piece", _PIECES)
def test_a_beginning_repeated_costs_time_in_proportion(piece: str) -> None:
    """2,000 beginnings without an end are read within a second by each reader: none looks far ahead again and again."""
    lines = [CleanLine(piece, at, 0) for at in range(2_000)]

    for reader in _READERS:
        start = time.process_time()
        list(reader.read(lines))
        # A reader that is not linear needs minutes; 0.1 s is usual.
        assert time.process_time() - start < 2, reader.name


def test_numbered_causes_are_links() -> None:
    """Several causes are numbered by anyhow; a line without a number goes on with the one above it."""
    lines = _lines("Caused by:", "    0: reading a", "       of b", "    1: gone", "", "next")

    links, after = caused_by(lines, stripped(lines), 0)

    assert [(link.message, link.first, link.last) for link in links] == [("reading a\nof b", 1, 2), ("gone", 3, 3)]
    assert after == 4


def test_blocks_of_causes_are_one_chain() -> None:
    """Before each link cargo says `Caused by:`."""
    lines = _lines("Caused by:", "  one", "", "Caused by:", "  two", "  --- stderr", "  noise")

    links, after = caused_by(lines, stripped(lines), 0)

    assert [link.message for link in links] == ["one", "two"]
    assert after == 5


def test_a_number_too_long_is_none() -> None:
    """Ten digits, no digits and digits of another script are no line numbers."""
    assert [number("41"), number("4294967296"), number(""), number(None), number("٣")] == [41, None, None, None, None]
