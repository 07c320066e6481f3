"""What building the index costs, beside the encoder alone on the same texts in the same run.

`python -m tests.benchmarks.index_build [RECORDS]`: a full build, a build with nothing new, one with 1 % of the records
changed, and opening. The records are evenly spread over the shared catalogue (default 600: what encoding costs is
proportional to the texts, and two cores encode 150 to 500 a second).
"""

import gzip
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from embeddings.build import BuildReport, build_index
from embeddings.build_plan import CHUNK
from embeddings.encoder import Encoder
from embeddings.index_files import open_index
from embeddings.passage import FACETS, Facet, Passage
from embeddings.sentence_encoder import SentenceEncoder
from tests.shared_data import shared_folder

RECORDS = 600
ALL_RECORDS = 153_000
CHANGED_SHARE = 100
OPENINGS = 20


def measure(records: int = RECORDS) -> list[str]:
    """Lines with seconds and their ratio to the encoder alone."""
    path = shared_folder() / "scale" / "catalogue.jsonl.gz"
    if not path.exists():
        return [f"index build: not measured, {path} is missing (set ERRATA_SHARED)"]
    return list(_lines(_passages(path, records), records))


def _lines(passages: Sequence[Passage], records: int) -> Iterator[str]:
    encoder = SentenceEncoder()
    encoder.encode(["the model is loaded now"])
    changed = [
        Passage(one.record_id, one.facet, f"{one.text} (changed)" if int(number) % CHANGED_SHARE == 0 else one.text)
        for number, one in ((place // len(FACETS), one) for place, one in enumerate(passages))
    ]
    with tempfile.TemporaryDirectory(prefix="errata-index-") as name:
        folder = Path(name)
        alone, texts = _alone(encoder, passages)
        full, report = _build(folder, passages, encoder)
        after, _ = _alone(encoder, passages)
        alone = (alone + after) / 2  # other work on the machine comes and goes
        yield (
            f"full build, {records:,} records, {texts:,} different texts: {full:.1f} s; the encoder alone {alone:.1f} s "
            f"({texts / alone:.0f} texts/s), ratio {full / alone:.2f}"
        )
        messages = [one for one in passages if one.facet is Facet.MESSAGE]
        first, _ = _build(folder / "messages", messages, encoder)
        yield f"of it messages alone, useful after: {first:.1f} s, {first / full:.0%} of the whole"
        shutil.rmtree(folder / "messages")
        again, report = _build(folder, passages, encoder)
        assert report.encoded == 0, report
        yield f"build with nothing new: {again:.2f} s, {again / full:.1%} of the full build"
        some, report = _build(folder, changed, encoder)
        yield f"build with 1 % changed: {some:.2f} s, {report.encoded} texts encoded, {some / full:.1%} of the full build"
        back, report = _build(folder, passages, encoder)
        assert report.encoded == 0, report
        yield f"build back to what was: {back:.2f} s, no text encoded"
        times = []
        for _ in range(OPENINGS):
            began = time.perf_counter()
            open_index(folder, encoder)
            times.append((time.perf_counter() - began) * 1000)
        yield f"open: p50 {statistics.median(times):.1f} ms, p99 {max(times):.1f} ms"


def _alone(encoder: Encoder, passages: Sequence[Passage]) -> tuple[float, int]:
    """Every different text through the encoder, in parts sorted by length: the least a build can take."""
    texts = sorted({one.text for one in passages}, key=len)
    began = time.perf_counter()
    for start in range(0, len(texts), CHUNK):
        encoder.encode(texts[start : start + CHUNK])
    return time.perf_counter() - began, len(texts)


def _build(folder: Path, passages: Sequence[Passage], encoder: Encoder) -> tuple[float, BuildReport]:
    began = time.perf_counter()
    with ThreadPoolExecutor(1) as worker:  # as the commands do
        report = worker.submit(build_index, folder, passages, encoder).result()
    return time.perf_counter() - began, report


def _passages(path: Path, records: int) -> list[Passage]:
    found = []
    step = max(1, ALL_RECORDS // records)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % step or number // step >= records:
                continue
            one = json.loads(line)
            triggers = f"{one.get('triggerScenarios') or ''} {one.get('commonSituations') or ''}".strip()
            texts = (one["errorMessage"], one.get("documentation") or one["errorMessage"], triggers or one["slug"])
            found += [Passage(one["id"], facet, text) for facet, text in zip(FACETS, texts, strict=True)]
    return found


if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    for line in measure(int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS):
        print(line, flush=True)
