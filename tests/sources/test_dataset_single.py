"""Single records of the dataset, from a server that can misbehave."""

from collections.abc import Iterator

import pytest

from bot.errors import BotError
from bot.sources.dataset_errors import (
    DatasetUnreachable,
    DuplicateId,
    InvalidDataset,
    NotADataset,
    NotThere,
    TooLarge,
    WrongRecord,
    WrongRepository,
)
from bot.sources.dataset_single import LARGEST_FILE, LARGEST_RECORD, open_single_records
from bot.sources.downloading import Patience
from tests.dataset_standin import DatasetServer, as_json, failing, published, record, sending, serving, with_api

ONE, TWO = record(1), record(2)
API, FILE = f"/api/errors/{ONE['id']}", "/data/repos/example/one.json"
QUICK = Patience(connecting=2, silence=2, grace=5, least_speed=1e9)


@pytest.fixture
def server() -> Iterator[DatasetServer]:
    with serving(with_api(published([ONE, TWO]), ONE)) as running:
        yield running


async def test_records_come_from_both_places(server: DatasetServer) -> None:
    """One request each: the API gives the one record, the file all of its repository."""
    async with open_single_records(QUICK) as records:
        one = await records.record(server.base, ONE["id"], "example/one")
        both = await records.repository(server.base, "example/one")

    assert one == both[0]
    assert [each.documentation for each in both] == ["Meaning 1.", "Meaning 2."]
    assert server.asked == [API, FILE]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (as_json({"record": TWO}), WrongRecord),
        (as_json({"record": {**ONE, "repo": "example/two"}}), WrongRepository),
        (as_json({"record": ONE, "datasetVersion": "yesterday"}), InvalidDataset),
        (as_json({"errors": [ONE]}), InvalidDataset),
        (b"x" * (LARGEST_RECORD + 1), TooLarge),
    ],
)
async def test_a_record_is_checked(server: DatasetServer, answer: bytes, error: type[BotError]) -> None:
    """G1, G5: as in a sync."""
    server.files[API] = answer
    async with open_single_records(QUICK) as records:
        with pytest.raises(error):
            await records.record(server.base, ONE["id"], "example/one")


@pytest.mark.parametrize(
    ("file", "error"),
    [
        (as_json([ONE, record(3, "example/two")]), WrongRepository),
        (as_json([ONE, ONE]), DuplicateId),
        (as_json({"errors": []}), InvalidDataset),
        (b" " * (LARGEST_FILE + 1), TooLarge),
    ],
)
async def test_a_file_is_checked(server: DatasetServer, file: bytes, error: type[BotError]) -> None:
    """G1: one wrong record, and none of the file is given out."""
    server.files[FILE] = file
    async with open_single_records(QUICK) as records:
        with pytest.raises(error):
            await records.repository(server.base, "example/one")


async def test_what_is_not_there_is_told_from_who_does_not_answer(server: DatasetServer) -> None:
    """A missing file, a web page and a failing server each have their own error, after one attempt each."""
    async with open_single_records(QUICK) as records:
        with pytest.raises(NotThere):
            await records.record(server.base, TWO["id"], "example/one")
        server.faults[API] = sending(b"<html>", {"Content-Type": "text/html"})
        with pytest.raises(NotADataset):
            await records.record(server.base, ONE["id"], "example/one")
        server.faults[API] = failing(99, 503)
        with pytest.raises(DatasetUnreachable) as unreachable:
            await records.record(server.base, ONE["id"], "example/one")

    assert not isinstance(unreachable.value, NotThere)
    assert len(server.asked) == 3
