"""How many processor cores this process may really use."""

import os
from pathlib import Path

_CGROUP_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def usable_cores(cgroup_quota: Path = _CGROUP_QUOTA) -> int:
    """The cores this process may use, at least 1: its affinity, cut by the container's CPU quota.

    A container limited to two of 64 cores still sees 64; as many threads would wait for each other.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _quota_in_cores(cgroup_quota)
    return max(1, cores if quota is None else min(cores, round(quota)))


def _quota_in_cores(path: Path) -> float | None:
    try:
        quota, period = path.read_text(encoding="ascii").split()
        return None if quota == "max" else int(quota) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None  # no cgroup v2 here: the affinity stands
