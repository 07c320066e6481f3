"""B1 as a matrix: twenty records in every form a paste takes, through the whole pipeline with patterns alone.

The table is printed at the end, also where a cell is missing; ERRATA_B1_TABLE names a file that gets it too.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.answering import Answering
from bot.matching.verdict import Tier
from bot.pastes.archives import unpack
from bot.pastes.paste import Paste
from tests.acceptance.disguises import DISGUISES, FILES, LARGE_LOGS
from tests.acceptance.pipeline import asked, found_first
from tests.acceptance.printed import PRINTED, TOGETHER
from tests.acceptance.tracebacks import FRAMES, TRACEBACKS

_IN_TRACEBACK = f"{FRAMES}-frame traceback"


class Matrix:
    """Which record was found in which form."""

    def __init__(self) -> None:
        self.forms: dict[str, dict[str, bool]] = {}

    def put(self, form: str, name: str, *, found: bool) -> None:
        self.forms.setdefault(form, {})[name] = found

    def missed(self, form: str) -> list[str]:
        """The records that were not found in this form, or not looked for."""
        return [name for name in PRINTED if not self.forms.get(form, {}).get(name)]

    def __str__(self) -> str:
        """A line a form, a column a record; the columns are numbered, and named below."""
        width = max(map(len, self.forms), default=0)
        lines = [" " * width + "".join(f"{number:>4}" for number in range(1, len(PRINTED) + 1))]
        for form, cells in self.forms.items():
            lines.append(f"{form:{width}}" + "".join(f"{'+' if cells.get(name) else 'NO':>4}" for name in PRINTED))
        lines += [f"{number:>4} {name}: {one.text[:90]}" for number, (name, one) in enumerate(PRINTED.items(), 1)]
        everything = [found for cells in self.forms.values() for found in cells.values()]
        counts = f"B1: {sum(everything)} of {len(everything)} cells found"
        return "\n".join([*lines, f"{counts}, {len(PRINTED)} records in {len(self.forms)} forms"])


@pytest.fixture(scope="module")
def matrix(request: pytest.FixtureRequest) -> Iterator[Matrix]:
    """Filled by the tests of this file, printed after the last."""
    filled = Matrix()
    yield filled
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print(f"\n{filled}")
    if path := os.environ.get("ERRATA_B1_TABLE"):
        Path(path).write_text(f"{filled}\n", "utf-8")


def test_there_are_twenty_records_of_many_kinds() -> None:
    """The matrix holds as many records as B1 is to be shown with, each once and each in one large log."""
    assert len(PRINTED) == 20
    assert len({one.entry.id for one in PRINTED.values()}) == 20
    assert len({one.language for one in PRINTED.values()}) >= 10
    assert sorted(name for names in TOGETHER for name in names) == sorted(PRINTED)


@pytest.mark.parametrize("form", DISGUISES)
async def test_b1_the_same_record_is_found_in_every_form(answering: Answering, matrix: Matrix, form: str) -> None:
    """B1, B10: each record is first, by its pattern, whatever its line has been through."""
    for name, one in PRINTED.items():
        verdict = await asked(answering, DISGUISES[form](one.text))
        matrix.put(form, name, found=found_first(verdict, one.entry))

    assert matrix.missed(form) == []


async def test_b1_within_a_long_traceback(answering: Answering, matrix: Matrix) -> None:
    """B1: 300 frames of the record's own language change nothing."""
    for name, one in PRINTED.items():
        verdict = await asked(answering, TRACEBACKS[one.language](one.text))
        matrix.put(_IN_TRACEBACK, name, found=found_first(verdict, one.entry))

    assert matrix.missed(_IN_TRACEBACK) == []


@pytest.mark.parametrize("form", FILES)
async def test_b1_in_a_file(answering: Answering, matrix: Matrix, form: str) -> None:
    """B1, B2, B3: each record is first when its line comes in a file, encoded and packed as Windows and servers do."""
    for name, one in PRINTED.items():
        unpacked = unpack(FILES[form](one.text), "run.log")
        verdict = await answering.explain(Paste(unpacked.parts, skipped=unpacked.skipped))
        matrix.put(form, name, found=found_first(verdict, one.entry))

    assert matrix.missed(form) == []


@pytest.mark.parametrize("form", LARGE_LOGS)
async def test_b1_in_a_large_log(answering: Answering, matrix: Matrix, form: str) -> None:
    """B1: each record is found in 5 MB of other lines, by its pattern and on the very line it stands on.

    Such a log takes seconds to read, so several records stand in one, four lines apart.
    """
    for names in TOGETHER:
        log = LARGE_LOGS[form]("\n\n\n\n".join(PRINTED[name].text for name in names))
        lines = log.split("\n")
        verdict = await asked(answering, log)
        quoted = {
            match.record_id: match.quote.line_number
            for match in (*verdict.matches, *verdict.others)
            if match.tier is Tier.PATTERN and match.quote is not None
        }
        for name in names:
            one = PRINTED[name]
            number = quoted.get(one.entry.id)
            matrix.put(form, name, found=number is not None and lines[number - 1] == one.text)

    assert matrix.missed(form) == []
