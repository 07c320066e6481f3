"""Processes that others started, as Linux tells."""

from pathlib import Path


def family(pid: int) -> list[int]:
    """The process and those it has started, as far as they run; those that end meanwhile are left out."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        started = [int(one) for task in tasks for one in (task / "children").read_text(encoding="ascii").split()]
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [pid, *(each for one in started for each in family(one))]


def has_mapped(pid: int, file: str) -> bool:
    """Whether the process has loaded a file whose path holds this."""
    try:
        return file in Path(f"/proc/{pid}/maps").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
