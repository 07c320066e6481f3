"""Pastes and catalogues of the benchmark: the same each time, of their size, drawn fairly."""

import gzip
import json
from pathlib import Path

import pytest

from tests.benchmarks.scale.__main__ import sizes_of
from tests.benchmarks.scale.building_rows import reworded
from tests.benchmarks.scale.catalogues import lines_of
from tests.benchmarks.scale.pastes import SIZES, drawn, made
from tests.benchmarks.scale.process_rows import processor_seconds, rollup

MESSAGES = ["Actuator '{name}' refused torque calibration", "berth %q already occupied", "hopper ${n} starved"]


@pytest.mark.parametrize("length", SIZES.values())
def test_pastes_are_of_their_size_and_the_same_each_time(length: int) -> None:
    """Every paste has its length, no two are equal, and another run makes the same."""
    texts = made(MESSAGES, length, 5)

    assert [len(text) for text in texts] == [length] * 5
    assert len(set(texts)) == 5
    assert made(MESSAGES, length, 5) == texts


@pytest.mark.parametrize("length", SIZES.values())
def test_every_paste_holds_a_message(length: int) -> None:
    """Placeholders are filled in, and the words around them stand as the program prints them."""
    for text in made(MESSAGES, length, 5):
        assert any(words in text for words in ("refused torque calibration", "already occupied", "starved"))
        assert not any(placeholder in text for placeholder in ("{name}", "%q", "${n}"))


def test_long_pastes_hold_several_errors() -> None:
    """A log of 64 KB has an error every few thousand characters."""
    log = made(["hopper starved"], SIZES["64 KB"], 1)[0]

    assert log.count("hopper starved") == 10


def test_drawn_is_even() -> None:
    """A part is drawn over the whole, not from its head; all of it is all of it."""
    assert drawn(100, 4) == [0, 25, 50, 75]
    assert drawn(5, 5) == [0, 1, 2, 3, 4]
    assert len(set(drawn(153_000, 1_007))) == 1_007


def test_catalogue_is_drawn_over_the_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many records, evenly; more than there are is all there are."""
    (tmp_path / "scale").mkdir()
    with gzip.open(tmp_path / "scale/catalogue.jsonl.gz", "wt") as file:
        file.writelines(f"{number}\n" for number in range(10))
    monkeypatch.setenv("ERRATA_SHARED", str(tmp_path))

    assert list(lines_of(5)) == ["0\n", "2\n", "4\n", "6\n", "8\n"]
    assert len(list(lines_of(99))) == 10


def test_reworded_record_is_new_in_every_text() -> None:
    """Message, pattern, meaning and trigger differ; what names the record does not."""
    row = {"id": "1", "errorMessage": "a", "messagePattern": "a", "documentation": "b", "triggerScenarios": "c"}

    changed = reworded(row)

    assert {name for name in row if changed[name] != row[name]} == set(row) - {"id"}
    assert json.dumps(changed)


def test_memory_is_read_in_megabytes() -> None:
    """The kernel's kilobytes are 1,024 bytes each, megabytes here a million."""
    text = "5580-7ffe ---p 00000000 00:00 0    [rollup]\nRss:    1000 kB\nPss:     500 kB\nLocked: 0 kB\n"

    assert rollup(text) == {"Rss": 1.024, "Pss": 0.512, "Locked": 0.0}


def test_processor_time_of_a_process_grows() -> None:
    """Work shows in the figure the kernel keeps of a process."""
    import os

    before = processor_seconds(os.getpid())
    while processor_seconds(os.getpid()) == before:
        sum(range(10_000))

    assert processor_seconds(os.getpid()) > before


def test_sizes_are_numbers() -> None:
    """They are sorted, and each is there once."""
    assert sizes_of("153000,1000,1000") == (1_000, 153_000)
    with pytest.raises(ValueError, match="0"):
        sizes_of("0,10")
