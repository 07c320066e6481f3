"""`errata ask`, with the records it ships."""

import json
from pathlib import Path

import pytest

from bot.records.decode import encode_record
from tests.acceptance.invented import invented
from tests.cli.errata_command import Errata
from tests.cli.panics import PANICS, SERVER_DISCONNECTED, in_a_log
from tests.discord_standin.payloads import Payload
from tests.pastes.packing import README, with_flag, zipped

PANIC = PANICS[SERVER_DISCONNECTED]


@pytest.mark.parametrize("record", PANICS)
def test_each_seed_is_found_in_a_long_log(errata: Errata, record: str) -> None:
    """The printed panic of each shipped record is named among 200 lines of other log, and it would be posted (B1)."""
    ended = errata("ask", "--json", stdin=in_a_log(PANICS[record]).encode())

    assert ended.code == 0
    first = ended.json["matches"][0]
    assert (first["id"], first["tier"], first["repo"]) == (record, "pattern", "tracel-ai/burn")
    assert ended.json["shown"] is True


def test_json_is_one_object(errata: Errata) -> None:
    """All that a program may want is there under its name, and nothing else is printed."""
    ended = errata("ask", "--json", PANIC)

    found: Payload = ended.json
    assert ended.err == ""
    assert found.keys() == {
        "matches", "others", "shown", "is_error", "why_error", "degraded", "skipped", "lacks", "catalogue",
    }  # fmt: skip
    assert found["matches"][0].keys() == {
        "id", "repo", "slug", "tier", "probability", "reason", "related", "quote", "captures",
    }  # fmt: skip
    assert 0.5 < found["matches"][0]["probability"] <= 1
    assert found["matches"][0]["reason"]
    assert found["matches"][0]["quote"] == {
        "line": "Server disconnected during initialization", "part": 0, "line_number": 2,
    }  # fmt: skip
    assert len(found["catalogue"]) == 16


def test_a_file_is_read(errata: Errata, tmp_path: Path) -> None:
    """The name of a file stands for what is in it, whatever its encoding (B2)."""
    (tmp_path / "build.log").write_bytes(PANIC.encode("utf-16"))

    ended = errata("ask", "build.log")

    assert ended.code == 0
    assert "Exact match" in ended.out


def test_a_packed_file_is_read(errata: Errata, tmp_path: Path) -> None:
    """B4: the log in an archive is read like the log itself."""
    (tmp_path / "report").write_bytes(zipped({"README": README, "app.log": in_a_log(PANIC)}))

    ended = errata("ask", "report")

    assert ended.code == 0
    assert "Exact match" in ended.out
    assert "Not read: report/README (no log)" in ended.out


def test_json_names_what_was_not_read_and_what_is_missing(errata: Errata, tmp_path: Path) -> None:
    """B4, C8: programs read names and reasons as words of their own, not as sentences."""
    (tmp_path / "report").write_bytes(zipped({"README": README, "app.log": in_a_log(PANIC)}))

    assert errata("ask", "--json", "report").json["skipped"] == [{"name": "report/README", "why": "not_a_log"}]
    poor = errata("ask", "--json", "make: *** [all] Error 2")

    assert (poor.code, poor.json["skipped"]) == (1, [])
    assert poor.json["lacks"] == {"name": "make", "tool": "make"}
    assert errata("ask", "--json", PANIC).json["lacks"] is None


def test_what_is_missing_is_said(errata: Errata) -> None:
    """C8: nothing is known of the end of a build, and it is said how to get the rest."""
    ended = errata("ask", "make: *** [all] Error 2")

    assert ended.code == 1
    assert "That is only how make ends" in ended.out


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"MDMP\x93\xa7" + bytes(200), "only a debugger can read"),
        (zipped({"a.log": PANIC})[:-30], "damaged or was cut off"),
        (with_flag(zipped({"a.log": PANIC}), 1), "report/a.log is locked with a password"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_why(errata: Errata, tmp_path: Path, data: bytes, told: str) -> None:
    """E13: each with its own sentence, on standard error, and 2."""
    (tmp_path / "report").write_bytes(data)

    ended = errata("ask", "report")

    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err


@pytest.mark.parametrize("arguments", [("-",), ()])
def test_what_is_piped_in_is_read(errata: Errata, arguments: tuple[str, ...]) -> None:
    """A dash, or no argument at all, is standard input."""
    ended = errata("ask", *arguments, stdin=PANIC.encode())

    assert ended.code == 0
    assert "Server disconnected during initialization" in ended.out
    assert "\x1b" not in ended.out


def test_the_words_may_be_given_without_quotes(errata: Errata) -> None:
    """Several arguments are one text, as people type it."""
    ended = errata("ask", "--json", *PANIC.replace("\n", " ").split())

    assert ended.json["matches"][0]["id"] == SERVER_DISCONNECTED


@pytest.mark.parametrize(
    ("stdin", "told"),
    [(b"", "There is no text in standard input"), (b"%PDF-1.7\n\x00\x01", "is a kind of file I cannot read")],
)
def test_nothing_to_read_is_bad_input(errata: Errata, stdin: bytes, told: str) -> None:
    """No text and what is no text are told apart, on standard error, and end with 2 (E13)."""
    ended = errata("ask", "-", stdin=stdin)

    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err


def test_a_folder_is_bad_input(errata: Errata, tmp_path: Path) -> None:
    """A folder gives one sentence and 2, no traceback."""
    (tmp_path / "logs").mkdir()

    ended = errata("ask", "logs")

    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "logs cannot be read: it is a folder\n"


def test_the_language_is_that_of_the_option(errata: Errata) -> None:
    """The interface speaks another language, the record stays as it is."""
    errata_in_german = errata("--language", "de", "ask", PANIC)

    assert "Exact match" not in errata_in_german.out
    assert "Server disconnected during initialization" in errata_in_german.out


@pytest.mark.model
def test_a_question_about_nothing_documented_is_not_answered(errata: Errata) -> None:
    """Words that records hold too are no error: nothing is known, and the code is 1 (A9)."""
    ended = errata("ask", "what's the best way to disconnect from a server?")

    assert ended.code == 1
    assert "saw nothing that reads like an error" in ended.out


@pytest.mark.model
@pytest.mark.parametrize(
    ("symptom", "record"),
    [
        (
            "my burn client dies right at start because the server hangs up before the handshake is answered",
            "4df974a0eb9a8beb",
        ),
        ("gradients stop syncing at shutdown, worker thread says the channel is gone", "48d4adaa22bdcf4f"),
        ("starting the burn remote server fails offline, the iroh endpoint won't bind", "c680d5d5ffa880ce"),
    ],
)
def test_a_symptom_in_words_gets_the_right_guess(errata: Errata, symptom: str, record: str) -> None:
    """Without the message, the record that is meant is the first guess."""
    ended = errata("ask", "--json", symptom)

    assert ended.code == 0
    assert (ended.json["matches"][0]["id"], ended.json["matches"][0]["tier"]) == (record, "nearest")


def test_one_repository_can_be_asked_alone(errata: Errata) -> None:
    """What belongs to another is not found; names are taken in any case, several are all looked at."""
    other = invented(1, "fill/er", "src/f.go", "filler of the attic is dusty")
    (errata.data_dir.parent / "own.json").write_text(json.dumps(encode_record(other)))
    assert errata("import", str(errata.data_dir.parent / "own.json")).code == 0

    found = errata("ask", "--json", "--repo", "Tracel-AI/burn", PANIC)
    both = errata("ask", "--json", "--repo", "fill/er", "--repo", "tracel-ai/burn", PANIC)
    nothing = errata("ask", "--json", "--repo", "fill/er", PANIC)

    assert found.json["matches"][0]["id"] == both.json["matches"][0]["id"] == SERVER_DISCONNECTED
    assert SERVER_DISCONNECTED not in {match["id"] for match in nothing.json["matches"]}
    assert not nothing.json["shown"]


def test_an_unknown_repository_is_no_question(errata: Errata) -> None:
    """It is named with what may have been meant, in whatever it was given."""
    ended = errata("ask", "--repo", "tracel/burn", PANIC)

    assert ended.code == 2
    assert "the catalogue has no repository tracel/burn; did you mean tracel-ai/burn?" in ended.err
    assert errata("ask", "--repo", "burn", PANIC).code == 2
