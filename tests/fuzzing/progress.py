"""What libFuzzer tells about a run, read from its lines."""

import re
from dataclasses import dataclass

_STATE = re.compile(r"#\d+\t(?P<event>\w+)\s+cov: (?P<cov>\d+) ft: (?P<ft>\d+)(?: corp: (?P<corpus>\d+)/)?")
_AT = re.compile(r"#(\d+)\t")
_PEAK = re.compile(r"stat::peak_rss_mb:\s+(\d+)|\brss: (\d+)Mb")
_SAVED = re.compile(r"Test unit written to (\S+)")
_FOUND = re.compile(r"FINDING (\S+): (.+)")


@dataclass(frozen=True, slots=True)
class Finding:
    """A kept input, and how it failed."""

    path: str
    way: str


@dataclass(frozen=True, slots=True)
class Progress:
    """One run. Branches and features are those after the seeds and those at the end; `peak_mebibytes` of the process."""

    executions: int = 0
    branches: tuple[int, int] = (0, 0)
    features: tuple[int, int] = (0, 0)
    corpus: int = 0
    peak_mebibytes: int = 0
    findings: tuple[Finding, ...] = ()

    def __add__(self, later: "Progress") -> "Progress":
        """Both runs as one, where the later one began anew; it finds the same again."""
        return Progress(
            self.executions + later.executions,
            (self.branches[0] or later.branches[0], max(self.branches[1], later.branches[1])),
            (self.features[0] or later.features[0], max(self.features[1], later.features[1])),
            max(self.corpus, later.corpus),
            max(self.peak_mebibytes, later.peak_mebibytes),
            (*self.findings, *(one for one in later.findings if one.way not in {known.way for known in self.findings})),
        )


def progress_in(output: str) -> Progress:
    """The last word of each figure in libFuzzer's output. What killed the process is a finding as its file is named."""
    states = [found for line in output.splitlines() if (found := _STATE.match(line))]
    begun = next((one for one in states if one["event"] == "INITED"), states[0] if states else None)
    findings = [Finding(path, way) for path, way in _FOUND.findall(output)]
    findings += [Finding(path, f"the process ended: {_death(path)}") for path in _SAVED.findall(output)]
    if begun is None:
        return Progress(findings=tuple(findings))
    last = states[-1]
    return Progress(
        max(int(number) for number in _AT.findall(output)),
        (int(begun["cov"]), int(last["cov"])),
        (int(begun["ft"]), int(last["ft"])),
        int(last["corpus"] or 0),
        max((int(one or other) for one, other in _PEAK.findall(output)), default=0),
        tuple(findings),
    )


def _death(path: str) -> str:
    deaths = {"timeout": "no end within the time limit", "oom": "too much memory", "crash": "a crash"}
    return next((said for word, said in deaths.items() if f"{word}-" in path), "for a reason of its own")
