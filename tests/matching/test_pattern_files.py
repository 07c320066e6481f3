"""Compiled patterns on disk."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.matching import pattern_files, pattern_manifest, pattern_plan
from bot.matching.pattern_bucket import FORMAT, read_bucket
from bot.matching.pattern_files import (
    PatternsDoNotFit,
    build_patterns,
    engine_name,
    keyed_expressions,
    open_patterns,
)
from bot.matching.pattern_manifest import read_manifest
from bot.matching.scanner import RELATED
from tests.fakes import invented_facts
from tests.matching.compiled_samples import (
    CATALOGUE,
    PLAIN,
    REFUSED,
    RELATED_TO,
    TEXT,
    bucket_names,
    built,
    candidates,
    found_in,
)


@pytest.mark.parametrize("hyperscan_wanted", [True, False])
def test_what_was_compiled_is_found(tmp_path: Path, hyperscan_wanted: bool) -> None:
    """Derived patterns, related errors and regexes by hand are all found, in either engine (A11)."""
    found = found_in(TEXT, built(tmp_path, hyperscan_wanted=hyperscan_wanted))

    assert found == [
        ("0000000000000007", False, 1),
        ("a" * 16, True, 7),
        ("b" * 16, False, 3),
        ("c" * 16, False, 4),
        ("d" * 16, False, 5),
        ("e" * 16, False, 6),
    ]


def test_a_regex_by_hand_is_found_on_each_line_where_it_stands(tmp_path: Path) -> None:
    """A negated class may run over line ends in the engine; the true match behind it is found all the same."""
    text = "code 1 is fine\nthe key is\ngone\ncode 2 was lost\nquiet\ncode 3 is gone"

    assert [line for _, _, line in found_in(text, built(tmp_path))] == [3, 5]


@pytest.mark.parametrize("hyperscan_wanted", [True, False])
def test_a_refused_regex_is_reported_and_left_out(tmp_path: Path, hyperscan_wanted: bool) -> None:
    """What no linear-time engine takes is named with its record and the reason; the others compile (E3)."""
    compiled = built(tmp_path, hyperscan_wanted=hyperscan_wanted)

    (refused,) = compiled.refused
    assert refused.record_id == REFUSED.id
    assert r"\1" in refused.regex
    assert refused.why.strip()
    assert REFUSED.id not in {record_id for record_id, _, _ in found_in(TEXT, compiled)}
    assert compiled.expressions == sum(len(list(keyed_expressions(one))) for one in CATALOGUE) - 1


@pytest.mark.parametrize("hyperscan_wanted", [True, False])
def test_a_regex_that_hangs_backtrackers_is_harmless(tmp_path: Path, hyperscan_wanted: bool) -> None:
    """Nested quantifiers take linear time in engines without backtracking (E3)."""
    evil = invented_facts("1" * 16, "x", pattern=r"(a+)+\$ nested (?:x)")

    assert found_in("a" * 15_000 + "!", built(tmp_path, (evil,), hyperscan_wanted=hyperscan_wanted), (evil,)) == []


@pytest.mark.parametrize("hyperscan_wanted", [True, False])
def test_the_order_of_records_makes_no_difference(tmp_path: Path, hyperscan_wanted: bool) -> None:
    """The same files come of any order (A11)."""
    forwards, backwards = tmp_path / "forwards", tmp_path / "backwards"

    one = built(forwards, CATALOGUE, hyperscan_wanted=hyperscan_wanted)
    other = built(backwards, CATALOGUE[::-1], hyperscan_wanted=hyperscan_wanted)

    assert sorted(path.name for path in forwards.iterdir()) == sorted(path.name for path in backwards.iterdir())
    assert found_in(TEXT, one) == found_in(TEXT, other)


@pytest.mark.parametrize("hyperscan_wanted", [True, False])
def test_an_empty_catalogue_compiles_to_nothing(tmp_path: Path, hyperscan_wanted: bool) -> None:
    """A bot that knows nothing starts."""
    compiled = built(tmp_path, (), hyperscan_wanted=hyperscan_wanted)

    assert compiled.expressions == 0
    assert found_in(TEXT, compiled) == []


def test_nothing_compiled_yet_is_said_with_the_command_that_compiles(tmp_path: Path) -> None:
    """The sentence names the folder and `errata index`."""
    with pytest.raises(PatternsDoNotFit, match="errata index") as raised:
        open_patterns(tmp_path / "none", "v1")

    assert "none yet" in raised.value.why
    assert str(tmp_path) in str(raised.value)


def test_patterns_of_another_catalogue_are_refused(tmp_path: Path) -> None:
    """Compiled files carry the version they were compiled from (G2)."""
    built(tmp_path)

    with pytest.raises(PatternsDoNotFit, match=r"catalogue has changed.*errata index"):
        open_patterns(tmp_path, "v2")


def test_patterns_of_another_engine_are_refused(tmp_path: Path) -> None:
    """What Hyperscan compiled is not for the fallback, and the sentence names both (G2)."""
    built(tmp_path)

    with pytest.raises(PatternsDoNotFit, match=engine_name()):
        open_patterns(tmp_path, "v1", hyperscan_wanted=False)


def test_patterns_of_another_format_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later version reads nothing it does not understand (G2)."""
    built(tmp_path)
    for module in (pattern_files, pattern_manifest):
        monkeypatch.setattr(module, "FORMAT", FORMAT + 1)

    with pytest.raises(PatternsDoNotFit, match="format"):
        open_patterns(tmp_path, "v1")


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _scramble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 64] = bytes(255 - byte for byte in data[middle : middle + 64])
    path.write_bytes(bytes(data))


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _other_json(path: Path) -> None:
    path.write_text("[1, 2]" if path.suffix == ".json" else "{}")


def _lacking(path: Path) -> None:
    path.write_text(
        '{"keys": [["0", 0]], "others": [[1]], "refused": [[1]]}' if "bucket" in path.name else '{"format": 3}'
    )


@pytest.mark.parametrize("damage", [_truncate, _scramble, _empty, _other_json, _lacking, Path.unlink])
@pytest.mark.parametrize("suffix", [".hs", ".keys", ".json", "patterns.json"])
@pytest.mark.parametrize("hyperscan_wanted", [True, False])
def test_damage_is_refused_with_the_command_that_repairs_and_the_command_repairs(
    tmp_path: Path, damage: object, suffix: str, hyperscan_wanted: bool
) -> None:
    """Whatever happened to a file, opening says PatternsDoNotFit, and building again makes it whole (G2)."""
    whole = found_in(TEXT, built(tmp_path, hyperscan_wanted=hyperscan_wanted))
    files = [path for path in tmp_path.iterdir() if path.name.endswith(suffix)]
    victims = [path for path in files if suffix == "patterns.json" or path.name.startswith("bucket")]
    if not victims:
        assert suffix == ".hs"
        assert not hyperscan_wanted
        return

    damage(victims[0])  # type: ignore[operator]

    with pytest.raises(PatternsDoNotFit, match="errata index"):
        open_patterns(tmp_path, "v1", hyperscan_wanted=hyperscan_wanted)
    assert found_in(TEXT, built(tmp_path, hyperscan_wanted=hyperscan_wanted)) == whole


def test_many_buckets_find_what_one_bucket_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How records are spread over files changes no hit (A11)."""
    one = found_in(TEXT, built(tmp_path / "one"))
    monkeypatch.setattr(pattern_plan, "RECORDS_PER_BUCKET", 4)

    assert found_in(TEXT, built(tmp_path / "many")) == one


def test_progress_is_told_in_buckets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From none to all."""
    monkeypatch.setattr(pattern_plan, "RECORDS_PER_BUCKET", 20)
    told: list[tuple[int, int]] = []

    build_patterns(tmp_path, PLAIN, "v1", progress=lambda done, total: told.append((done, total)))

    assert told == [(0, 2), (1, 2), (2, 2)]


def test_a_build_killed_in_the_middle_leaves_the_old_patterns_serving(tmp_path: Path) -> None:
    """SIGKILL between two buckets: the old manifest and all its files are still there (G1)."""
    if not hasattr(signal, "SIGKILL"):
        pytest.skip("this platform has no SIGKILL")
    before = found_in(TEXT, built(tmp_path))
    program = f"""
import os, signal
from pathlib import Path
from bot.matching import pattern_files, pattern_plan
from tests.fakes import invented_facts
pattern_plan.RECORDS_PER_BUCKET = 8
new = tuple(invented_facts(f"{{n:016x}}", f"another message number {{n}} of the granary") for n in range(40))
def die(done, total):
    if done == 2:
        os.kill(os.getpid(), signal.SIGKILL)
pattern_files.build_patterns(Path({str(tmp_path)!r}), new, "v2", progress=die)
"""

    ended = subprocess.run([sys.executable, "-c", program], cwd=Path.cwd(), check=False, timeout=60)

    assert ended.returncode == -signal.SIGKILL
    assert found_in(TEXT, open_patterns(tmp_path, "v1")) == before
    with pytest.raises(PatternsDoNotFit):
        open_patterns(tmp_path, "v2")
    after = built(tmp_path)
    assert found_in(TEXT, after) == before
    assert bucket_names(tmp_path) == {
        bucket.name for generation in read_manifest(tmp_path).generations for bucket in generation.buckets
    }


def test_half_written_files_of_a_killed_build_are_cleared_away(tmp_path: Path) -> None:
    """A temporary file never stays for good; that of another process, still at work, is left alone."""
    built(tmp_path)
    (bucket,) = tmp_path.glob("bucket-*.json")
    abandoned, at_work = tmp_path / f"{bucket.name}.17.new", tmp_path / f"{bucket.name}.18.new"
    abandoned.write_text("half")
    at_work.write_text("half")
    os.utime(abandoned, (0, 0))

    built(tmp_path)

    assert list(tmp_path.glob("*.new")) == [at_work]


def test_a_related_error_has_a_key_of_its_own() -> None:
    """So that a hit knows what was found; a placeholder alone makes no pattern."""
    keys = [keyed.key for keyed in keyed_expressions(RELATED_TO)]

    assert [key.ordinal for key in keys] == [0, RELATED]
    assert [key.related for key in keys] == [False, True]


@pytest.mark.parametrize("hyperscan_wanted", [True, False])
def test_words_without_their_values_hide_no_match_behind_them(tmp_path: Path, hyperscan_wanted: bool) -> None:
    """A pattern is looked for by its longest literal, told once a block: the lines behind are looked at (B1)."""
    facts = (invented_facts("0" * 16, "reading {file} the sluice gate is stuck"),)
    quiet = "ok\n" * 400
    text = f"{quiet}the sluice gate is stuck\n{quiet}reading a.txt the sluice gate is stuck\n{quiet}"

    found = found_in(text, built(tmp_path, facts, hyperscan_wanted=hyperscan_wanted), facts)

    assert found == [("0" * 16, False, 801)]


def test_copied_messages_are_compiled_once_and_found_each(tmp_path: Path) -> None:
    """Projects copy files; each copy stays a record of its own."""
    facts = tuple(invented_facts(f"{number:016x}", "the sluice gate is stuck") for number in range(5))

    compiled = built(tmp_path, facts)

    assert [len(read_bucket(tmp_path, name).starts) for name in bucket_names(tmp_path)] == [1 + 1]
    assert compiled.expressions == 5
    assert [record_id for record_id, _, _ in found_in("the sluice gate is stuck", compiled, facts)] == [
        one.id for one in facts
    ]


def test_words_that_several_patterns_share_tell_none_of_them(tmp_path: Path) -> None:
    """Where only they stand in a text, no record has to be fetched and looked at."""
    facts = (
        invented_facts("0" * 16, "reading {file} the sluice gate is stuck"),
        invented_facts("1" * 16, "writing {file} the sluice gate is stuck"),
        invented_facts("2" * 16, "closing {file} the weir gate is stuck"),
    )
    compiled = built(tmp_path, facts)

    assert candidates("the sluice gate is stuck", compiled) == []
    assert candidates("the weir gate is stuck", compiled) == [("2" * 16, 0, 0)]
    assert found_in("writing a the sluice gate is stuck", compiled, facts) == [("1" * 16, False, 0)]
