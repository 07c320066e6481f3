"""What every test of a sync starts from: a server with two small repositories, and a data folder with nothing in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dataset_standin import DatasetServer, published, serving
from tests.syncing_bench import ONE, TWO, Bench


@pytest.fixture
def server() -> Iterator[DatasetServer]:
    with serving(published([*ONE, *TWO])) as running:
        yield running


@pytest.fixture
def bench(tmp_path: Path, server: DatasetServer) -> Bench:
    return Bench(tmp_path / "data", server)
