"""Inputs that break a law are kept, small, once for each way."""

from pathlib import Path

import pytest

from bot.pastes.normalise import split_lines
from tests.fuzzing import keeping
from tests.fuzzing.keeping import Keeper, way_of_failing
from tests.fuzzing.laws import BrokenLaw


def _fussy(data: bytes) -> None:
    if b"bad" in data:
        raise BrokenLaw("nothing is bad")
    if b"odd" in data:
        split_lines(None)  # type: ignore[arg-type]  # a fault inside the bot


def _busy(data: bytes) -> None:
    assert sum(data) >= 0


def test_a_way_of_failing_names_the_fault_and_its_place() -> None:
    """A broken law says which; what the bot raised says where in the bot; what holds is None."""
    assert way_of_failing(_fussy, b"fine") is None
    assert (way_of_failing(_fussy, b"so bad") or "").startswith("BrokenLaw: nothing is bad (test_keeping.py:")
    assert (way_of_failing(_fussy, b"so odd") or "").startswith("AttributeError (normalise.py:")


def test_what_takes_too_long_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """CPU time counts: on a busy machine nothing is slow that was not before."""
    monkeypatch.setattr(keeping, "SLOW_SECONDS", 0.0)

    assert way_of_failing(_busy, bytes(200_000)) == "more than 0 s of CPU"


def test_each_way_is_kept_once_and_small(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first input of each way is enough; nothing in it can be left out."""
    keeper = Keeper("fussy", _fussy, tmp_path)

    for data in (b"all is fine", b"this is bad indeed", b"bad again", b"rather odd this one"):
        keeper.try_one(data)

    kept = sorted(path.read_bytes() for path in tmp_path.glob("fussy-*") if not path.suffix)
    assert kept == [b"bad", b"odd"]
    assert capsys.readouterr().err.count("FINDING") == 2
