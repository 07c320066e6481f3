"""`errata sync`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.errata_command import Errata
from tests.dataset_standin import V1, V2, DatasetServer, article, published, record, serving

RECORDS = [record(1), record(2, "example/two")]


@pytest.fixture
def server() -> Iterator[DatasetServer]:
    with serving(published(RECORDS, articles=[article("a-family")])) as running:
        yield running


def test_the_catalogue_is_fetched_and_answers(errata: Errata, server: DatasetServer) -> None:
    """What was done is counted, the pattern of a new record answers at once, and a second time nothing is to do."""
    first = errata("sync", "--all", "--base", server.base)
    answer = errata("ask", "Error: Flux capacitor 2 ran dry while the deflector grid was charging")
    server.forget()
    second = errata("sync", "--base", server.base)

    assert first.code == 0, first.err
    assert first.out.startswith("2 records added, 0 changed, 0 gone, 0 completed; the dataset of 2026-11-01")
    assert "2 repositories fetched, 0 found unmodified, 1 articles; 7 requests" in first.out
    assert "fetching: 2/2 repositories, 2/2 records" in first.err or "fetching: 1/2 repositories" in first.err
    assert "Flux capacitor 2 ran dry while the deflector grid was charging" in answer.out
    assert second.out.startswith(f"The dataset of {V1} is served already")
    assert server.asked == ["/data/manifest.json"]


def test_outlines_say_so(errata: Errata, server: DatasetServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a choice, and with nobody to ask, the card says that the rest is not loaded."""
    errata("sync", "--base", server.base)
    monkeypatch.setenv("ERRATA_OFFLINE", "true")

    assert "Only the outline of this record is loaded here" in errata("show", f"{2:016x}").out


def test_the_choice_comes_from_the_settings(errata: Errata, server: DatasetServer, tmp_path: Path) -> None:
    """`catalogue` in errata.toml, unless the command line says otherwise; the address is a setting too."""
    (tmp_path / "errata.toml").write_text(f'catalogue = ["example/two"]\ndataset_base = "{server.base}"\n')

    settled = errata("sync", "--json")
    chosen = errata("sync", "--repo", "example/one", "--json")

    assert (settled.json["synced"], settled.json["fetched"]) == (True, 1)
    assert chosen.json["difference"]["completed"] == 1
    assert "/data/repos/example/one.json" in server.asked


def test_what_is_refused_is_told(errata: Errata, server: DatasetServer) -> None:
    """Code 2, one sentence, and that the old catalogue serves."""
    errata("sync", "--all", "--base", server.base)
    server.files = {**published([*RECORDS, record(3)], V2), "/data/repos/example/one.json": b"[{}]"}

    told = errata("sync", "--base", server.base)
    as_json = errata("sync", "--base", server.base, "--json")

    assert (told.code, told.out) == (2, "")
    assert "the dataset is invalid: repos/example/one.json[0]: id: is missing" in told.err
    assert told.err.endswith("Nothing was taken over; what was there keeps serving.\n")
    assert (as_json.code, as_json.json["synced"]) == (2, False)
    assert errata("ask", "Error: Flux capacitor 1 ran dry while the deflector grid was charging").code == 0


def test_an_unknown_repository_is_told(errata: Errata, server: DatasetServer) -> None:
    """With one that is alike."""
    ended = errata("sync", "--repo", "example/tow", "--base", server.base)

    assert ended.code == 2
    assert "the dataset has no repository example/tow; did you mean example/two?" in ended.err


def test_offline_asks_nobody(errata: Errata, server: DatasetServer) -> None:
    """It says what is here; before the first sync that is nothing, with code 1."""
    nothing = errata("sync", "--offline", "--base", server.base)
    assert nothing.code == 1
    assert server.asked == []

    errata("sync", "--repo", "example/two", "--base", server.base)
    server.forget()
    here = errata("sync", "--offline")
    as_json = errata("sync", "--offline", "--json").json

    assert server.asked == []
    assert here.code == 0
    assert f"{V1} of {server.base}" in here.out
    assert "1 whole, 1 in outline, 3 of your own or shipped" in here.out
    assert (as_json["chosen"], as_json["whole"], as_json["outlines"]) == (["example/two"], 1, 1)


def test_the_setting_keeps_it_offline(errata: Errata, server: DatasetServer, tmp_path: Path) -> None:
    """G3: whoever set `offline` is not connected by a command either."""
    (tmp_path / "errata.toml").write_text("offline = true\n")

    assert errata("sync", "--base", server.base).code == 1
    assert server.asked == []


def test_choices_exclude_each_other(errata: Errata) -> None:
    """Code 2, as for any wrong use."""
    ended = errata("sync", "--all", "--repo", "example/one")

    assert ended.code == 2
    assert "exclude each other" in ended.err


def test_a_wrong_address_is_told(errata: Errata) -> None:
    """As the setting's own rule says it."""
    ended = errata("sync", "--base", "ftp://example")

    assert ended.code == 2
    assert "dataset_base" in ended.err
