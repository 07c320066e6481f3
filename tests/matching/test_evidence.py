"""What a paste says about itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matching.evidence import OF_FOLDER, agreement, class_name, evidence_of, folder_names, repository_names
from tests.fakes import invented_facts


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("hawser.lines.TensionError: too much", {"tensionerror"}),
        ("Caused by: org.twin.hawser.TensionException: too much", {"tensionexception"}),
        (r"Illuminate\Contracts\Container\BindingResolutionException: x", {"bindingresolutionexception"}),
        ("System.Net.Http.HttpRequestException: x", {"httprequestexception"}),
        ("std::io::Error and ordinary words", {"error"}),
    ],
)
def test_error_classes_are_read_without_their_packages(text: str, classes: set[str]) -> None:
    """The last part of a qualified class name counts."""
    assert classes <= evidence_of(text).classes | ({"error"} if "io::Error" in text else set())


@pytest.mark.parametrize("word", ["ERROR", "WARN", "INFO", "DEBUG", "GET", "POST", "HTTP", "JSON", "NULL", "FATAL"])
def test_log_words_are_never_codes(word: str) -> None:
    """A record whose code is a log word finds no such code in a log (A2)."""
    facts = invented_facts("0" * 16, "x", error_code=word)

    assert word not in evidence_of(f"2026-01-01 12:00:00 {word} something {word}: failed").codes
    assert not agreement(facts, evidence_of(f"{word} Cannot find module 'x'")).code_seen


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Error [ERR_INVALID_URL]: Invalid URL", "ERR_INVALID_URL"),
        ("error[E0425]: cannot find value", "E0425"),
        ("ORA-00942: table does not exist", "ORA-00942"),
        ("code: 'ECONNREFUSED'", "ECONNREFUSED"),
        ("error TS2307: Cannot find module", "TS2307"),
    ],
)
def test_codes_are_read(text: str, code: str) -> None:
    """What programs print as codes is found."""
    assert code in evidence_of(text).codes


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        ("HTTP/1.1 503 Service Unavailable", {503}),
        ("status code: 404", {404}),
        ("status=502", {502}),
        ("took 404 ms", set()),
        ("port 5432", set()),
    ],
)
def test_statuses_are_read_only_behind_their_word(text: str, statuses: set[int]) -> None:
    """A number is no HTTP status unless it is called one."""
    assert evidence_of(text).statuses == statuses


def test_a_path_agrees_by_as_many_parts_as_it_shares() -> None:
    """Counted from the file upwards; a package folder may carry its version."""
    facts = invented_facts("0" * 16, "x", file_path="crates/burn-ir/src/handle.rs", line_number=110)

    own = agreement(facts, evidence_of("at /root/.cargo/registry/src/index/burn-ir-0.19.0/src/handle.rs:110:17"))
    moved = agreement(facts, evidence_of("at /x/burn-ir-0.19.0/src/handle.rs:99:1"))
    other = agreement(facts, evidence_of("at /x/other/src/handle.rs:110:1"))
    none = agreement(facts, evidence_of("at /x/other/src/elsewhere.rs:110:1"))

    assert (own.path, own.line) == (3, True)
    assert (moved.path, moved.line) == (3, False)
    assert other.path == 2
    assert (none.path, none.line) == (0, False)


def test_the_line_of_another_file_of_the_same_name_is_no_agreement() -> None:
    """`line` belongs to a path that agrees, not to any path with that number."""
    facts = invented_facts("0" * 16, "x", file_path="a/b/client/service.rs", line_number=179)

    agrees = agreement(facts, evidence_of("panicked at other/server/service.rs:179:1, a/b/client/service.rs:3:1"))

    assert agrees.path == 4
    assert not agrees.line


@pytest.mark.parametrize(
    ("text", "ecosystem"),
    [("Traceback (most recent call last):", 1), ("npm ERR! code ELIFECYCLE", -1), ("something is wrong", 0)],
)
def test_markers_speak_for_their_own_ecosystem_and_against_others(text: str, ecosystem: int) -> None:
    """A Python record agrees with a Python traceback, and disagrees with npm (A10)."""
    facts = invented_facts("0" * 16, "x", file_path="hawser/lines.py")

    assert agreement(facts, evidence_of(text)).ecosystem == ecosystem


def test_a_package_is_mentioned_by_its_name_with_or_without_version() -> None:
    """The repository's name, or the folder of a package in it, in the text (B12)."""
    facts = invented_facts("0" * 16, "x", repo="tracel-ai/burn", file_path="crates/burn-remote/src/client.rs")

    assert agreement(facts, evidence_of("my burn app")).package == 1
    assert agreement(facts, evidence_of("Compiling burn-remote v0.19.0")).package > 0
    assert agreement(facts, evidence_of("burn_remote::client")).package > 0
    assert agreement(facts, evidence_of("the client of a server")).package == 0


def test_a_folder_says_less_than_the_repository() -> None:
    """Forks and copies share folders with what they were made from (B12)."""
    facts = invented_facts("0" * 16, "x", repo="somebody/copycat", file_path="crates/burn-remote/src/client.rs")

    assert agreement(facts, evidence_of("burn-remote v0.19.0")).package == OF_FOLDER < 1
    assert agreement(facts, evidence_of("copycat of burn-remote")).package == 1


def test_names_that_are_ordinary_words_are_no_packages() -> None:
    """A folder called `core` or `client` says nothing where it stands in a text."""
    assert not repository_names("a/go") & {"a", "go"}
    assert not folder_names("src/core/client/x.go") & {"src", "core", "client"}


@pytest.mark.parametrize(
    ("qualified", "last"),
    [
        ("anyhow::Error", "error"),
        ("java.io.IOException", "ioexception"),
        (r"A\B\Boom", "boom"),
        ("TypeError", "typeerror"),
    ],
)
def test_a_class_name_is_its_last_part(qualified: str, last: str) -> None:
    """However the language joins the parts."""
    assert class_name(qualified) == last


@given(st.text(max_size=3_000))
def test_no_text_is_too_strange_for_evidence(text: str) -> None:
    """Reading evidence never fails, and agreeing with it never does."""
    facts = invented_facts("0" * 16, "x", file_path="a/b.py", line_number=1, error_class="E", error_code="E1")

    assert agreement(facts, evidence_of(text)).path >= 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Panic in burn-remote_v2", {"panic", "in", "burn-remote_v2", "burn-remote", "v2", "remote_v2"}),
        (
            "tokio-1.38.0 and serde.json5",
            {"tokio-1.38.0", "tokio", "tokio-1", "1.38.0", "38", "0", "and", "serde.json5", "serde", "json5"},
        ),
        ("ERR_BAD_PORT", {"err_bad_port"}),
        ("1st\u00e9tage 2x", {"st", "tage", "x"}),
        (f"{'a' * 101} -", set()),
    ],
)
def test_words_are_names_with_their_parts_and_without_version(text: str, words: set[str]) -> None:
    """A repository may stand in a text with its version, or inside a longer name; a constant names nobody (B12)."""
    assert evidence_of(text).words == words
