"""An operator's list of paste sites is followed while the bot runs."""

import logging
import os
from pathlib import Path

import pytest

from bot.sources.link_host_files import LinkHostFile

LINE = "paste.example.org\t/{key}\thttps://paste.example.org/raw/{key}\n"
LINK = "https://paste.example.org/abc"
SHIPPED = "https://mclo.gs/qLHAQBz"


async def found(hosts: LinkHostFile, text: str = LINK) -> list[str]:
    return [address.url for link in (await hosts.finder()).find(text) for address in link.addresses]


def write(folder: Path, text: str | bytes) -> None:
    file = folder / "link_hosts.txt"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())


async def test_without_a_file_the_shipped_list_serves(tmp_path: Path) -> None:
    """B5: and it is not made anew each time."""
    hosts = LinkHostFile(tmp_path)

    assert await found(hosts, f"{LINK} {SHIPPED}") == ["https://api.mclo.gs/1/raw/qLHAQBz"]
    assert await hosts.finder() is await hosts.finder()


async def test_a_file_is_followed_as_it_comes_changes_and_goes(tmp_path: Path) -> None:
    """B5: a host is added, changed and taken away without a restart; the shipped ones stay."""
    hosts = LinkHostFile(tmp_path)
    assert await found(hosts) == []

    write(tmp_path, LINE)
    assert await found(hosts, f"{LINK} {SHIPPED}") == [
        "https://paste.example.org/raw/abc",
        "https://api.mclo.gs/1/raw/qLHAQBz",
    ]
    write(tmp_path, LINE.replace("/raw/", "/plain/"))
    assert await found(hosts) == ["https://paste.example.org/plain/abc"]
    (tmp_path / "link_hosts.txt").unlink()
    assert await found(hosts) == []


async def test_a_file_of_the_same_size_is_known_by_its_time(tmp_path: Path) -> None:
    """B5: one letter is changed in place."""
    hosts = LinkHostFile(tmp_path)
    write(tmp_path, LINE)
    await found(hosts)

    write(tmp_path, LINE.replace("/raw/", "/war/"))
    os.utime(tmp_path / "link_hosts.txt", ns=(1, 1))

    assert await found(hosts) == ["https://paste.example.org/war/abc"]


@pytest.mark.parametrize("bad", [f"{LINE}oops\n", b"\xff\xfe\x00"])
async def test_a_bad_file_leaves_the_former_list_serving(
    tmp_path: Path, bad: str | bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """G1: the log says once which file and line; mended, it serves."""
    caplog.set_level(logging.WARNING)
    hosts = LinkHostFile(tmp_path)
    write(tmp_path, LINE)
    await found(hosts)

    write(tmp_path, bad)
    for _ in range(3):
        assert await found(hosts) == ["https://paste.example.org/raw/abc"]

    (line,) = [record.getMessage() for record in caplog.records]
    assert str(tmp_path / "link_hosts.txt") in line
    assert isinstance(bad, bytes) or "link_hosts.txt:2:" in line
    write(tmp_path, LINE.replace("/raw/", "/mended/"))
    assert await found(hosts) == ["https://paste.example.org/mended/abc"]


async def test_a_bad_file_at_the_start_leaves_the_shipped_list(tmp_path: Path) -> None:
    """G1: there is no former list but that."""
    write(tmp_path, "oops\n")

    assert await found(LinkHostFile(tmp_path), SHIPPED) == ["https://api.mclo.gs/1/raw/qLHAQBz"]


async def test_a_folder_in_its_place_is_told_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """E1: what cannot be read is no reason to stop."""
    (tmp_path / "link_hosts.txt").mkdir()

    assert await found(LinkHostFile(tmp_path), SHIPPED) == ["https://api.mclo.gs/1/raw/qLHAQBz"]
    assert "link_hosts.txt" in caplog.text
