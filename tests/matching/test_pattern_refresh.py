"""Compiled patterns that change with the catalogue, build by build."""

import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.matching import pattern_plan
from bot.matching.facts import Facts
from bot.matching.pattern_files import (
    PatternsDoNotFit,
    build_patterns,
    open_patterns,
)
from bot.matching.pattern_manifest import read_manifest
from tests.fakes import invented_facts
from tests.matching.compiled_samples import (
    BY_HAND,
    CATALOGUE,
    PLAIN,
    TEXT,
    bucket_names,
    built,
    candidates,
    found_in,
    jobs_of,
)
from tests.shared_data import REPOSITORY


def _version(number: int, version: int) -> Facts:
    """A record that words its message in one of four ways; one is refused, one goes through the other engine."""
    record_id = f"{number:016x}"
    if version == 3:
        return invented_facts(record_id, "x", pattern=rf"(\w+) sent \1 back {number}")
    if version == 2:
        return invented_facts(record_id, "x", pattern=rf"lift {number} (?:up|down)$")
    return invented_facts(record_id, f"{['belt', 'chute'][version]} {number} has stopped", related=(f"gate {number}",))


VERSIONS = "\n".join(
    line.format(number)
    for number in range(24)
    for line in ("belt {} has stopped", "chute {} has stopped", "gate {}", "lift {} up", "he sent he back {}")
)


def test_a_changed_record_is_compiled_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of all other records stay as they are, untouched; what the record said before is not found any more."""
    monkeypatch.setattr(pattern_plan, "RECORDS_PER_BUCKET", 10)
    build_patterns(tmp_path, PLAIN, "v1")
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("bucket-*")}
    jobs = jobs_of(monkeypatch)
    changed = (*PLAIN[:-1], invented_facts(PLAIN[-1].id, "a reworded message of the hopper"))

    build_patterns(tmp_path, changed, "v2")

    after = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("bucket-*")}
    compiled = open_patterns(tmp_path, "v2")
    assert [[one.id for one in job.members] for job in jobs] == [[PLAIN[-1].id]]
    assert before.items() <= after.items()
    assert found_in("a reworded message of the hopper", compiled, changed)
    assert candidates(PLAIN[-1].message, compiled) == []
    assert compiled.expressions == len(PLAIN)


def test_building_twice_compiles_nothing_the_second_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the manifest is written again."""
    build_patterns(tmp_path, CATALOGUE, "v1")
    jobs = jobs_of(monkeypatch)

    build_patterns(tmp_path, CATALOGUE, "v2")

    assert jobs == []
    assert open_patterns(tmp_path, "v2").expressions


def test_two_catalogues_in_one_folder_do_not_compile_in_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The patterns of the version before still open, and building either again compiles nothing."""
    other = (*PLAIN[:20], *BY_HAND)
    before = found_in(TEXT, built(tmp_path))
    build_patterns(tmp_path, other, "v2")
    jobs = jobs_of(monkeypatch)

    assert found_in(TEXT, open_patterns(tmp_path, "v1")) == before
    for _ in range(2):
        build_patterns(tmp_path, CATALOGUE, "v1")
        build_patterns(tmp_path, other, "v2")
    assert jobs == []
    assert found_in(TEXT, open_patterns(tmp_path, "v1")) == before
    assert found_in(TEXT, open_patterns(tmp_path, "v2"), other) == [
        hit for hit in before if hit[0] in {one.id for one in other}
    ]


def test_the_version_before_the_last_two_is_let_go(tmp_path: Path) -> None:
    """A folder does not grow with every version."""
    for number in range(4):
        build_patterns(tmp_path, (invented_facts(f"{number:016x}", f"message {number} of the granary"),), f"v{number}")

    assert len(bucket_names(tmp_path)) == 2
    with pytest.raises(PatternsDoNotFit, match="catalogue has changed"):
        open_patterns(tmp_path, "v1")


CHANGE = st.tuples(st.sampled_from(["add", "word", "drop", "back"]), st.integers(0, 23), st.integers(0, 3))


@pytest.mark.parametrize("hyperscan_wanted", [True, False])
@settings(max_examples=25, deadline=None)
@given(steps=st.lists(st.lists(CHANGE, min_size=1, max_size=6), min_size=1, max_size=8), seed=st.integers(0, 99))
def test_many_small_builds_find_what_one_build_finds(
    hyperscan_wanted: bool, steps: list[list[tuple[str, int, int]]], seed: int
) -> None:
    """After any additions, changes and removals, in any order of records, candidates are those of a build from nothing.

    Also what is refused, and how many expressions there are (A11).
    """
    order = random.Random(seed)
    facts = {one.id: one for one in (_version(number, 0) for number in range(12))}
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as name:
        patch.setattr(pattern_plan, "RECORDS_PER_BUCKET", 6)
        patch.setattr(pattern_plan, "MOST_DELTAS", 2)
        folder = Path(name)
        for number, step in enumerate(({}, *steps)):
            for what, record, version in step:
                one = _version(record, 0 if what == "back" else version)
                if what == "drop":
                    facts.pop(one.id, None)
                elif what == "add" or one.id in facts:
                    facts[one.id] = one
            listed = list(facts.values())
            order.shuffle(listed)

            build_patterns(folder / "steps", listed, f"v{number}", hyperscan_wanted=hyperscan_wanted)

            stepwise = open_patterns(folder / "steps", f"v{number}", hyperscan_wanted=hyperscan_wanted)
            build_patterns(folder / f"{number}", listed, "v", hyperscan_wanted=hyperscan_wanted)
            at_once = open_patterns(folder / f"{number}", "v", hyperscan_wanted=hyperscan_wanted)
            assert candidates(VERSIONS, stepwise) == candidates(VERSIONS, at_once)
            assert stepwise.refused == at_once.refused
            assert stepwise.expressions == at_once.expressions


def test_a_build_waits_for_the_one_at_work(tmp_path: Path) -> None:
    """Two builds at once do not remove each other's files: the second begins when the first has ended."""
    begun, go_on = threading.Event(), threading.Event()

    def wait(_done: int, _total: int) -> None:
        begun.set()
        assert go_on.wait(20)

    first = threading.Thread(target=build_patterns, args=(tmp_path, PLAIN, "v1"), kwargs={"progress": wait})
    second = threading.Thread(target=build_patterns, args=(tmp_path, CATALOGUE, "v2"))
    first.start()
    assert begun.wait(20)

    second.start()
    time.sleep(0.5)
    waited = second.is_alive() and not (tmp_path / "patterns.json").exists()
    go_on.set()
    first.join(20)
    second.join(20)

    assert waited
    assert open_patterns(tmp_path, "v1").expressions < open_patterns(tmp_path, "v2").expressions


def test_a_killed_build_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a killed build had compiled, in processes of its own or not, is not compiled again (G1)."""
    new = tuple(invented_facts(f"{n:016x}", f"another message number {n} of the granary") for n in range(40))
    program = f"""
import os, signal
from pathlib import Path
from bot.matching import pattern_files, pattern_plan, pattern_worker
from tests.fakes import invented_facts
pattern_plan.RECORDS_PER_BUCKET, pattern_worker.MOST_COMPILED_HERE = 12, 0
new = tuple(invented_facts(f"{{n:016x}}", f"another message number {{n}} of the granary") for n in range(40))
def die(done, total):
    if done == 2:
        os.kill(os.getpid(), {int(signal.SIGTERM)})
pattern_files.build_patterns(Path({str(tmp_path)!r}), new, "v2", progress=die)
"""
    ended = subprocess.run([sys.executable, "-c", program], cwd=REPOSITORY, check=False, timeout=120)
    monkeypatch.setattr(pattern_plan, "RECORDS_PER_BUCKET", 12)
    done = {path.stem for path in tmp_path.glob("bucket-*.json")}
    jobs = jobs_of(monkeypatch)

    build_patterns(tmp_path, new, "v2")

    assert ended.returncode == -signal.SIGTERM
    assert len(done) >= 2
    assert done | {job.name for job in jobs} == bucket_names(tmp_path)
    assert done.isdisjoint(job.name for job in jobs)
    assert open_patterns(tmp_path, "v2").expressions == len(new)


def test_a_stale_mark_that_was_changed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which keys count stands in the manifest alone, so it has a checksum: a wrong bit would lose a record (G2)."""
    monkeypatch.setattr(pattern_plan, "RECORDS_PER_BUCKET", 40)
    build_patterns(tmp_path, PLAIN, "v1")
    build_patterns(tmp_path, PLAIN[1:], "v2")
    manifest = read_manifest(tmp_path)
    stale = next(bucket.stale for bucket in manifest.generations[0].buckets if bucket.stale)
    assert open_patterns(tmp_path, "v2").expressions == len(PLAIN) - 1

    path = tmp_path / "patterns.json"
    path.write_text(path.read_text().replace(stale, ""))

    with pytest.raises(PatternsDoNotFit, match="not whole"):
        open_patterns(tmp_path, "v2")
    build_patterns(tmp_path, PLAIN[1:], "v2")
    assert open_patterns(tmp_path, "v2").expressions == len(PLAIN) - 1
