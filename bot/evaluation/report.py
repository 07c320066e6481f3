"""Figures as JSON, and two runs compared."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bot.errors import BotError
from bot.evaluation.metrics import Counts, Figures

# Names of counts, and whether more of it is better.
_BETTER_WHEN_MORE = {
    "right_first": True,
    "right_on_request": True,
    "right_within": True,
    "wrong": False,
    "answered": False,
    "answered_on_request": False,
}


class NotComparable(BotError):
    """Accepted figures are missing, damaged, or of other pastes, so that a difference would mean nothing."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} cannot be compared with: {why}; `errata eval … --accept {path}` writes it anew")
        self.path, self.why = path, why


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the figures were measured on. `encoder` is None where only words were compared."""

    catalogue: str
    records: int
    encoder: str | None
    nearest: bool
    degraded: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """How figures differ from accepted ones; each line reads "exact: right_first 70 → 71"."""

    better: tuple[str, ...]
    worse: tuple[str, ...]


def as_json(figures: Figures, circumstances: Circumstances) -> dict[str, Any]:
    """One JSON object: counts and shares in total, by kind and by record, and what they were measured on."""
    return {
        "measured": asdict(circumstances),
        "total": _counts(figures.total),
        "out_of_catalogue": _counts(figures.out_of_catalogue),
        "kinds": {kind: _counts(counts) for kind, counts in figures.kinds.items()},
        "records": {
            "count": len(figures.records),
            "mean_recall_at_1": _rounded(figures.mean_record_recall),
            "never_found": list(figures.never_found),
            "by_id": {record: _counts(counts) for record, counts in figures.records.items()},
        },
    }


def accept(path: Path, figures: Figures, circumstances: Circumstances) -> None:
    """The file holds what later runs are compared with."""
    text = json.dumps(as_json(figures, circumstances), indent=2, sort_keys=True) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def compare(path: Path, figures: Figures, circumstances: Circumstances) -> Comparison:
    """What is better and what is worse than in the accepted file, in total and by kind.

    Raises NotComparable when the file cannot be read or was measured on other pastes, another catalogue or other tiers.
    """
    try:
        accepted = json.loads(path.read_text(encoding="utf-8"))
        kinds = {"total": accepted["total"], "out of catalogue": accepted["out_of_catalogue"], **accepted["kinds"]}
        measured = accepted["measured"]
        known = {kind: {name: int(kinds[kind][name]) for name in ("pastes", *_BETTER_WHEN_MORE)} for kind in kinds}
    except FileNotFoundError as error:
        raise NotComparable(path, "there is no such file") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NotComparable(path, f"it is not what --accept writes ({error})") from error
    now = {"total": figures.total, "out of catalogue": figures.out_of_catalogue, **figures.kinds}
    for name in ("catalogue", "nearest", "encoder"):
        if measured.get(name) != getattr(circumstances, name):
            raise NotComparable(path, f"its {name} is {measured.get(name)}, here it is {getattr(circumstances, name)}")
    if {kind: counts["pastes"] for kind, counts in known.items()} != {kind: now[kind].pastes for kind in now}:
        raise NotComparable(path, "it was measured on other pastes")
    return _differences(known, now)


def _differences(known: dict[str, dict[str, int]], now: dict[str, Counts]) -> Comparison:
    better: list[str] = []
    worse: list[str] = []
    for kind, counts in now.items():
        for name, more_is_better in _BETTER_WHEN_MORE.items():
            before, after = known[kind][name], getattr(counts, name)
            if before != after:
                (better if (after > before) == more_is_better else worse).append(f"{kind}: {name} {before} → {after}")
    return Comparison(tuple(better), tuple(worse))


def _counts(counts: Counts) -> dict[str, Any]:
    return {
        **asdict(counts),
        "recall_at_1": _rounded(counts.recall_at_1),
        "recall_at_1_on_request": _rounded(counts.recall_at_1_on_request),
        "recall_at_5": _rounded(counts.recall_at_5),
        "silence": _rounded(counts.silence),
    }


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)
