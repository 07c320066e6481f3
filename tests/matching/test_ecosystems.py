"""Which language a text comes from."""

import pytest

from bot.matching import ecosystems
from tests.fakes import invented_facts


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Traceback (most recent call last):", {"python"}),
        ("app-1  | Traceback (most recent call last):", {"python"}),
        ('  File "app.py", line 3, in <module>', {"python"}),
        ("thread 'main' panicked at src/main.rs:1:1:", {"rust"}),
        ("thread 'tokio-runtime-worker' (4711) panicked at src/main.rs:1:1:", {"rust"}),
        ("error[E0425]: cannot find value `x` in this scope", {"rust"}),
        ("\tat java.base/java.lang.Thread.run(Thread.java:840)", {"java"}),
        ("\tat org.acme.App.main(App.kt:12)", {"java"}),
        ('Exception in thread "main" java.lang.NullPointerException', {"java"}),
        ("Exception in thread 'main' java.lang.NullPointerException", {"java"}),
        ("    at Object.<anonymous> (/home/ann/app/index.js:3:7)", {"javascript"}),
        ("    at node:internal/main/run_main_module:28:49", {"javascript"}),
        ("npm ERR! code ELIFECYCLE", {"javascript"}),
        ("error TS2307: Cannot find module", {"javascript"}),
        ("goroutine 1 [running]:", {"go"}),
        ("   at Acme.Tool.Run() in C:\\src\\Tool.cs:line 88", {"dotnet"}),
        ("Unhandled exception. System.InvalidOperationException: x", {"dotnet"}),
        ("PHP Fatal error:  Uncaught Error", {"php"}),
        ("app/models/user.rb:12:in `save'", {"ruby"}),
        ("** (RuntimeError) boom", {"elixir"}),
        ("main.c:3:5: error: expected ';'", {"c"}),
        ("Segmentation fault (core dumped)", {"c"}),
    ],
)
def test_a_marker_names_its_ecosystem(line: str, expected: set[str]) -> None:
    """Lines that only one language prints name it (A10)."""
    assert expected <= ecosystems.of_text([line])


@pytest.mark.parametrize(
    "line",
    [
        "I get an error when I start the server",
        "why does python print nothing?",
        "at the end of the day it failed: nothing works",
        "ERROR something is wrong",
        "2026-01-01 12:00:00 INFO ready",
        "see https://example.org/a:1:2",
        "the thread about npm is here",
        "panic at the disco",
    ],
)
def test_talk_names_none(line: str) -> None:
    """A wrong marker hides right answers, so ordinary words are none."""
    assert ecosystems.of_text([line]) == frozenset()


def test_a_text_may_hold_several() -> None:
    """A log of several services names each of their languages."""
    assert ecosystems.of_text(["npm ERR! x", "", "goroutine 7 [select]:"]) == {"javascript", "go"}


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a/b.py", "python"), ("A.KT", "java"), ("x.tsx", "javascript"), ("Makefile", None), ("a.unknown", None)],
)
def test_a_file_names_its_ecosystem_by_its_ending(path: str, expected: str | None) -> None:
    """Whatever the case of the ending."""
    assert ecosystems.of_path(path) == expected


def test_a_record_without_a_telling_file_is_known_by_its_tags() -> None:
    """The file goes first, the tags are asked next, and some records stay unknown."""
    assert ecosystems.of_record(invented_facts("0" * 16, "x", file_path="a.go", tags=("python",))) == "go"
    assert ecosystems.of_record(invented_facts("0" * 16, "x", file_path="a.yml", tags=("web", "python"))) == "python"
    assert ecosystems.of_record(invented_facts("0" * 16, "x", tags=("web",))) is None


def test_every_line_of_the_table_can_be_read() -> None:
    """Each ending and each marker of ecosystems.txt is used; a typing error would lose one silently."""
    table = ecosystems._table()

    assert table.endings[".py"] == "python"
    assert set(table.homes) >= {"python", "rust", "java", "javascript", "go", "dotnet", "php", "ruby"}
    assert set(table.homes) - set(table.endings.values()) == set()
