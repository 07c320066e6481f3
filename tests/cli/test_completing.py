"""`errata ask` and `errata show` on records that are known in outline."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.errata_command import Errata
from tests.cli.golden_terminal import assert_golden
from tests.dataset_standin import DatasetServer, article, published, record, serving, with_api
from tests.shared_data import REPOSITORY

RECORD = record(2, "example/two", backgroundTag="a-family")
FAMILY = article(
    "a-family",
    title="Things that run dry",
    summary="What is not refilled is empty.\n# @everyone, see `refill()`",
    commonCauses=[{"cause": f"Cause {number}", "detail": "It happens."} for number in range(1, 6)],
    fixes=["Refill it.", "\x1b[31mAsk who used it last.\x1b[0m"],
)
SHOW = ("show", RECORD["id"])
ASK = ("ask", "--more", "Error: " + RECORD["errorMessage"])


@pytest.fixture
def server(errata: Errata) -> Iterator[DatasetServer]:
    """A server whose dataset was synced in outline; it counts from nothing."""
    with serving(with_api(published([record(1), RECORD], articles=[FAMILY]), RECORD)) as running:
        assert errata("sync", "--base", running.base).code == 0
        running.forget()
        yield running


@pytest.mark.parametrize("command", [SHOW, ASK])
def test_an_outline_is_completed_when_it_is_shown(
    errata: Errata, server: DatasetServer, command: tuple[str, ...]
) -> None:
    """The card's record alone is fetched, once; the article of its family comes with it."""
    first, second = errata(*command), errata(*command)

    assert first.code == 0
    assert "Meaning 2." in first.out
    assert "not loaded" not in first.out
    assert "Things that run dry" in first.out
    assert second.out == first.out
    assert server.asked == [f"/api/errors/{RECORD['id']}"]


def test_the_article_is_what_it_was(errata: Errata, server: DatasetServer) -> None:
    """Title, summary, the first three causes and the fixes end the details; hostile text in them is inert."""
    assert_golden("show_article.txt", errata(*SHOW).out)


def test_offline_the_outline_is_shown(errata: Errata, server: DatasetServer, tmp_path: Path) -> None:
    """G3: nobody is asked, and card and details say that the rest is not loaded."""
    (tmp_path / "errata.toml").write_text("offline = true\n")

    assert errata(*ASK).out.count("Only the outline of this record is loaded here") == 2
    assert "Only the outline of this record is loaded here" in errata(*SHOW).out
    assert server.asked == []


def test_what_is_here_is_counted(errata: Errata, server: DatasetServer) -> None:
    """`errata sync --offline` says how many outlines are shown whole."""
    before = errata("sync", "--offline").out
    errata(*SHOW)

    assert "0 whole, 2 in outline, " in before
    assert "0 whole, 2 in outline (1 completed for cards), " in errata("sync", "--offline").out
    assert errata("sync", "--offline", "--json").json["completed"] == 1


@pytest.mark.blackbox
def test_a_card_that_was_completed_loads_no_network(errata: Errata, server: DatasetServer) -> None:
    """What was fetched once costs the next start nothing: nothing of the network is imported."""
    errata(*SHOW)
    script = (
        "import sys\nfrom bot.cli.main import run\ntry:\n run(sys.argv[1:])\nexcept SystemExit: print(*sys.modules)"
    )

    ended = subprocess.run(
        (sys.executable, "-c", script, "--data-dir", str(errata.data_dir), *SHOW),
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert "Meaning 2." in ended.stdout
    modules = ended.stdout.splitlines()[-1].split()
    assert "bot.completing" in modules
    assert "aiohttp" not in modules


def test_json_asks_for_nothing_it_does_not_print(errata: Errata, server: DatasetServer) -> None:
    """The verdict names records alone; the record itself is printed whole."""
    assert errata("ask", "--json", ASK[-1]).json["matches"][0]["id"] == RECORD["id"]
    assert server.asked == []
    assert errata(*SHOW, "--json").json["documentation"] == "Meaning 2."
