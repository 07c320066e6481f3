"""`python -m tests.fuzzing [TARGET…] --minutes 10`: look for inputs that break a law, led by the coverage they reach.

Without a name all targets run, as many at once as there are cores. It needs atheris: `pip install -e '.[fuzz]'`.
The inputs that were found are kept, and each is printed as a line for KNOWN in test_laws.py; there it stays as the test
that shows the fault. Exit code: 0 nothing found, 1 something, 2 wrong use.
"""

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.fuzzing.progress import Progress, progress_in
from tests.fuzzing.seeds import words_of, write_corpus, write_dictionary
from tests.fuzzing.targets import TARGETS, Target
from tests.shared_data import REPOSITORY

# What no input of a few kilobytes may need: wall-clock seconds on a machine that others use too, and MiB in all.
_HANG_SECONDS = 30
_MOST_MEBIBYTES = 700
# A target that kills its process this often has one fault, and finds it again and again.
_MOST_STARTS = 5


def main(arguments: list[str]) -> int:
    """Fuzz the named targets and print a table and the findings."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}")
    parser.add_argument("--minutes", type=float, default=10.0, help="for each target (default: 10)")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    parser.add_argument("--findings", type=Path, default=Path(tempfile.gettempdir()) / "errata-fuzzing")
    wanted = parser.parse_args(arguments)
    if unknown := set(wanted.targets) - set(TARGETS):
        print(f"no such target: {', '.join(sorted(unknown))}; there are: {', '.join(TARGETS)}", file=sys.stderr)
        return 2
    if importlib.util.find_spec("atheris") is None:
        print("atheris is not installed: pip install -e '.[fuzz]'", file=sys.stderr)
        return 2
    wanted.findings.mkdir(parents=True, exist_ok=True)
    chosen = [TARGETS[name] for name in wanted.targets or TARGETS]
    with ThreadPoolExecutor(wanted.at_once) as pool:
        runs = list(pool.map(lambda target: fuzz(target, wanted.minutes * 60, wanted.findings), chosen))
    print(f"{'target':15}{'executions':>12}{'branches':>16}{'features':>16}{'corpus':>8}{'peak MiB':>10}{'found':>7}")
    for target, run in zip(chosen, runs, strict=True):
        branches, features = (f"{first} -> {last}" for first, last in (run.branches, run.features))
        print(
            f"{target.name:15}{run.executions:12,}{branches:>16}{features:>16}{run.corpus:8}"
            f"{run.peak_mebibytes:10}{len(run.findings):7}"
        )
    for target, run in zip(chosen, runs, strict=True):
        for finding in run.findings:
            print(f'\n{finding.path}: {finding.way}\n    ("{target.name}", {Path(finding.path).read_bytes()!r}),')
    return 1 if any(run.findings for run in runs) else 0


def fuzz(target: Target, seconds: float, findings: Path) -> Progress:
    """Fuzz one target for so long, in processes of their own: a new one wherever an input has killed the last."""
    ends_at = time.monotonic() + seconds
    total = Progress()
    with tempfile.TemporaryDirectory(prefix=f"errata-{target.name}-") as name:
        folder = Path(name)
        seeds = target.seeds()
        write_corpus(seeds, folder / "seeds")
        (folder / "found").mkdir()
        write_dictionary([*words_of(seeds), *(word.encode() for word in target.extra_words)], folder / "words")
        for _ in range(_MOST_STARTS):
            left = int(ends_at - time.monotonic())
            if left < 1:
                break
            total += _one_process(target, left, folder, findings)
    return total


def _one_process(target: Target, seconds: int, folder: Path, findings: Path) -> Progress:
    command = [sys.executable, "-m", "tests.fuzzing.worker", target.name, str(findings)]
    flags = {
        "max_total_time": seconds,
        "max_len": target.most_bytes,
        "timeout": _HANG_SECONDS,
        "rss_limit_mb": _MOST_MEBIBYTES,
        "dict": folder / "words",
        "artifact_prefix": f"{findings}/{target.name}-",
        "print_final_stats": 1,
    }
    # What is found goes into the first folder, so that a new process begins where the last one ended.
    run = subprocess.run(
        [
            *command,
            *(f"-{name}={value}" for name, value in flags.items()),
            str(folder / "found"),
            str(folder / "seeds"),
        ],
        cwd=REPOSITORY,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    progress = progress_in(run.stderr)
    if run.returncode and not progress.executions:
        raise RuntimeError(f"{target.name} did not start:\n{run.stderr[-3000:]}")
    return progress


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
