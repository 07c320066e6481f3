"""What links lead to becomes texts, as attachments do; briefly kept, never twice fetched at once."""

import asyncio
import contextlib
import gzip
import io
import json
import zipfile
from typing import Any

import pytest
from aiohttp import web

from bot.pastes.archives import Unpacked
from bot.pastes.link_hosts import shipped_link_hosts
from bot.pastes.links import LinkFinder
from bot.pastes.paste import Part, Skipped, SkippedPart
from bot.sources.linked_pastes import LinkedPastes
from bot.sources.safe_fetching import SafeFetcher
from tests.sources.paste_sites import Handler, PasteSites, answers_json, leads_to, text

FINDER = LinkFinder(shipped_link_hosts())
LIMIT = 10_000
ID = "0123456789abcdef0123456789abcdef"
GIST, API = f"https://gist.github.com/ann/{ID}", f"api.github.com/gists/{ID}"
RAW_GIST = f"gist.github.com/ann/{ID}/raw"
LOG = "2026-03-04 10:00:00 ERROR it fell\n" * 9


@pytest.fixture
def pastes(fetcher: SafeFetcher) -> LinkedPastes:
    """Pastes of which nothing is kept, so that each reading asks."""
    return LinkedPastes(fetcher, LIMIT, kept_seconds=0)


async def read(pastes: LinkedPastes, link: str, *own_hosts: str) -> Unpacked:
    (found,) = FINDER.find(link, own_hosts)
    return await pastes.read(found, FINDER.hosts(own_hosts))


def skipped(name: str, why: Skipped) -> Unpacked:
    return Unpacked(skipped=(SkippedPart(name, why),))


def zipped(**files: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def file(name: str, content: str | None, **more: Any) -> dict[str, Any]:
    return {"filename": name, "content": content, "truncated": False, **more}


async def test_a_paste_is_decoded_as_a_file_is(sites: PasteSites, pastes: LinkedPastes) -> None:
    """B2, B5: in any encoding, and called by host and key."""
    sites.answers["hst.sh/raw/abc"] = text("Grüße\r\n".encode("utf-16"))

    assert await read(pastes, "https://hst.sh/abc.py") == Unpacked((Part("Grüße\r\n", "hst.sh/abc"),))


async def test_a_packed_paste_is_unpacked_within_the_limits(sites: PasteSites, pastes: LinkedPastes) -> None:
    """E2: packed by who pasted it or by the site, and a bomb is told as one."""
    sites.answers["hst.sh/raw/gz"] = text(gzip.compress(b"log"), kind="application/gzip")
    sites.answers["hst.sh/raw/sent"] = text(gzip.compress(b"log"), headers={"Content-Encoding": "gzip"})
    sites.answers["hst.sh/raw/zip"] = text(zipped(a="log"), kind="application/zip")
    sites.answers["hst.sh/raw/bomb"] = text(gzip.compress(bytes(5_000_000)))

    assert await read(pastes, "https://hst.sh/gz") == Unpacked((Part("log", "hst.sh/gz"),))
    assert await read(pastes, "https://hst.sh/sent") == Unpacked((Part("log", "hst.sh/sent"),))
    assert await read(pastes, "https://hst.sh/zip") == Unpacked((Part("log", "hst.sh/zip/a"),))
    assert (await read(pastes, "https://hst.sh/bomb")).parts == ()


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (text("gone", status=404), Skipped.UNREACHABLE),
        (text("<html>", kind="text/html"), Skipped.UNSUPPORTED),
        (text("x" * (LIMIT + 1)), Skipped.TOO_BIG),
        (text(" \n"), Skipped.EMPTY),
        (text(""), Skipped.EMPTY),
        (text(bytes(300), kind="application/octet-stream"), Skipped.BINARY),
        (text(b"MDMP\x93\xa7" + bytes(300), kind="application/octet-stream"), Skipped.DUMP),
    ],
)
async def test_every_failure_has_its_reason(
    sites: PasteSites, pastes: LinkedPastes, answer: Handler, why: Skipped
) -> None:
    """E1, E13: as attachments are told."""
    sites.answers["hst.sh/raw/abc"] = answer

    assert await read(pastes, "https://hst.sh/abc") == skipped("hst.sh/abc", why)


async def test_what_needs_a_login_is_not_fetched(sites: PasteSites, pastes: LinkedPastes) -> None:
    """B5: a page that asks to sign in is no log, so nothing is asked, and the reason is its own."""
    found = await read(pastes, "https://github.com/o/r/actions/runs/1/job/2")

    assert found == skipped("github.com/1", Skipped.LOGIN)
    assert sites.requests == sites.lookups == []


async def test_all_files_of_a_gist_are_read(sites: PasteSites, pastes: LinkedPastes) -> None:
    """B5: in their order, by their names; one that the answer holds only the beginning of is fetched whole."""
    whole = f"gist.githubusercontent.com/ann/{ID}/raw/1/long.log"
    sites.answers[whole] = text(LOG)
    sites.answers[API] = answers_json(
        {
            "description": "x",
            "files": {
                "a.log": file("a.log", "first"),
                "long.log": file("long.log", LOG[:20], truncated=True, raw_url=f"https://{whole}"),
                "empty": file("empty", ""),
                "../b\n.txt": file("../b\n.txt", "last"),
            },
        }
    )

    found = await read(pastes, GIST)

    name = f"gist.github.com/{ID}"
    assert found.parts == (
        Part("first", f"{name}/a.log"),
        Part(LOG, f"{name}/long.log"),
        Part("last", f"{name}/..b.txt"),
    )
    assert found.skipped == (SkippedPart(f"{name}/empty", Skipped.EMPTY),)
    assert sites.requests == [API, whole]


@pytest.mark.parametrize(
    "answer",
    [
        text("rate limit", status=403),
        text("not json", kind="application/json"),
        answers_json([]),
        answers_json({"files": None}),
        answers_json({"files": {"a": None, "b": 5, "c": {"content": 7}}}),
        text("[" * 9000, kind="application/json"),
        text('{"files": {"a": {"content": "\\ud800"}}}', kind="application/json"),
        text(b"\xff\x00", kind="application/json"),
        text("<html>", kind="text/html"),
    ],
)
async def test_where_the_interface_fails_the_first_file_has_to_do(
    sites: PasteSites, pastes: LinkedPastes, answer: Handler
) -> None:
    """B5, E1: sixty answers an hour are soon used up, and what an answer holds is up to the site."""
    sites.answers[API] = answer
    sites.answers[RAW_GIST] = leads_to(f"https://gist.githubusercontent.com/ann/{ID}/raw/1/a.log")
    sites.answers[f"gist.githubusercontent.com/ann/{ID}/raw/1/a.log"] = text(LOG)

    assert (await read(pastes, GIST)).parts == (Part(LOG, f"gist.github.com/{ID}"),)


async def test_an_answer_leads_to_no_other_host(sites: PasteSites, pastes: LinkedPastes) -> None:
    """E6: the address of a file comes from the network, and is looked at like any other."""
    addresses = [
        "https://other.example.org/a",
        "http://gist.github.com/a",
        "file:///etc/passwd",
        "https://127.0.0.1/",
        "",
    ]
    files = {str(n): file(str(n), "x", truncated=True, raw_url=url) for n, url in enumerate(addresses)}
    sites.answers["other.example.org/a"] = text("from elsewhere")
    sites.answers[API] = answers_json({"files": files})

    found = await read(pastes, GIST)

    assert found.parts == ()
    assert {part.why for part in found.skipped} == {Skipped.UNREACHABLE}
    assert sites.requests == [API, RAW_GIST]


async def test_files_of_a_paste_share_one_limit(sites: PasteSites, pastes: LinkedPastes) -> None:
    """E5: of many files the first are read, and no more than one file could hold."""
    files = {f"{n}.log": file(f"{n}.log", "x" * 4000) for n in range(3)} | {
        f"{n}.log": file(f"{n}.log", "y") for n in range(3, 13)
    }
    sites.answers[API] = answers_json({"files": files})

    found = await read(pastes, GIST)

    name = f"gist.github.com/{ID}"
    assert [part.name for part in found.parts] == [f"{name}/{n}.log" for n in (0, 1, 3, 4, 5, 6, 7, 8, 9)]
    assert found.skipped == (SkippedPart(f"{name}/2.log", Skipped.TOO_BIG), SkippedPart(name, Skipped.TOO_MANY))


async def test_texts_within_an_answer_are_read(sites: PasteSites, pastes: LinkedPastes) -> None:
    """B5: paste.gg gives a list with the texts deep in it, pinnwand one without names."""
    sites.answers[f"api.paste.gg/v1/pastes/{ID}?full=true"] = answers_json(
        {"status": "success", "result": {"files": [{"name": "a", "content": {"format": "text", "value": "one"}}, {}]}}
    )
    sites.answers["bpa.st/api/v1/paste/ABCD"] = answers_json(
        {"files": [{"name": None, "content": "one"}, {"name": "b.txt", "content": "two"}]}
    )

    assert (await read(pastes, f"https://paste.gg/p/ann/{ID}")).parts == (Part("one", f"paste.gg/{ID}/a"),)
    assert (await read(pastes, "https://bpa.st/ABCD")).parts == (
        Part("one", "bpa.st/ABCD/1"),
        Part("two", "bpa.st/ABCD/b.txt"),
    )


async def test_an_answer_may_come_packed(sites: PasteSites, pastes: LinkedPastes) -> None:
    """E5: some interfaces pack whatever they are asked for."""
    body = gzip.compress(json.dumps({"files": {"a": file("a", "text")}}).encode())
    sites.answers[API] = text(body, kind="application/json; charset=utf-8", headers={"Content-Encoding": "gzip"})

    assert (await read(pastes, GIST)).parts == (Part("text", f"gist.github.com/{ID}/a"),)


async def test_a_text_is_kept_for_a_while(sites: PasteSites, fetcher: SafeFetcher) -> None:
    """F4: an edited message asks the site nothing; when its time is up the text is let go, not only passed over."""
    pastes = LinkedPastes(fetcher, LIMIT, kept_seconds=0.3)
    sites.answers["hst.sh/raw/abc"] = text("one")

    first = await read(pastes, "https://hst.sh/abc")
    assert await read(pastes, "https://hst.sh/raw/abc.txt?x") == first
    assert len(sites.requests) == 1

    await asyncio.sleep(0.4)
    assert not pastes._kept._texts
    assert pastes._kept._bytes == 0
    await read(pastes, "https://hst.sh/abc")
    assert len(sites.requests) == 2


async def test_a_failure_is_kept_too_and_all_is_forgotten_on_request(sites: PasteSites, fetcher: SafeFetcher) -> None:
    """E5: a site that is down is not asked for each of a flood of messages."""
    pastes = LinkedPastes(fetcher, LIMIT)
    for _ in range(3):
        assert await read(pastes, "https://hst.sh/abc") == skipped("hst.sh/abc", Skipped.UNREACHABLE)
    assert len(sites.requests) == 1

    pastes.forget()
    await read(pastes, "https://hst.sh/abc")

    assert len(sites.requests) == 2


async def test_what_is_kept_has_a_bound(
    sites: PasteSites, fetcher: SafeFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """E5: in number and in bytes, the oldest go first."""
    monkeypatch.setattr("bot.sources.linked_pastes._MOST_KEPT", 3)
    monkeypatch.setattr("bot.sources.linked_pastes._MOST_KEPT_BYTES", 5000)
    pastes = LinkedPastes(fetcher, LIMIT)
    kept = []
    for name, size in {"a": 10, "b": 10, "c": 10, "d": 10, "big": 4850, "huge": 9000}.items():
        sites.answers[f"hst.sh/raw/{name}"] = text("x" * size)
        await read(pastes, f"https://hst.sh/{name}")
        kept.append([found.parts[0].name for found, _, _ in pastes._kept._texts.values()])
        assert pastes._kept._bytes <= 5000

    assert kept[3] == ["hst.sh/b", "hst.sh/c", "hst.sh/d"]
    assert kept[4] == kept[5] == ["hst.sh/d", "hst.sh/big"]


async def test_many_who_follow_one_link_cost_one_request(sites: PasteSites, fetcher: SafeFetcher) -> None:
    """C3: an outage is one paste in ten messages at once."""

    async def slow(_: web.Request) -> web.Response:
        await asyncio.sleep(0.1)
        return web.Response(text="log")

    sites.answers["hst.sh/raw/abc"] = slow
    pastes = LinkedPastes(fetcher, LIMIT)

    found = await asyncio.gather(*(read(pastes, "https://hst.sh/abc") for _ in range(10)))

    assert {one.parts for one in found} == {(Part("log", "hst.sh/abc"),)}
    assert len(sites.requests) == 1


async def test_no_more_are_fetched_at_once_than_memory_has_room_for(sites: PasteSites, pastes: LinkedPastes) -> None:
    """E4, E5: others wait, none is lost, and none gets another's text."""
    running = most = 0

    async def counted(request: web.Request) -> web.Response:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.03)
        running -= 1
        return web.Response(text=request.path)

    hosts = ["hst.sh", "pastebin.com", "paste.example.org"]
    links = [f"https://{hosts[number % 3]}/raw/{number:08}" for number in range(12)]
    sites.answers = {link.removeprefix("https://"): counted for link in links}

    found = await asyncio.gather(*(read(pastes, link, "paste.example.org") for link in links))

    assert [one.parts[0].text for one in found] == [f"/raw/{number:08}" for number in range(12)]
    assert [one.parts[0].name for one in found] == [link.removeprefix("https://").replace("/raw", "") for link in links]
    assert most == 3


async def test_a_site_that_never_answers_holds_up_no_other(sites: PasteSites, fetcher: SafeFetcher) -> None:
    """E5: a few links to one slow site, then one to another."""
    stalled = asyncio.Event()

    async def never(_: web.Request) -> web.Response:
        stalled.set()
        await asyncio.sleep(30)
        return web.Response()

    sites.answers = {f"hst.sh/raw/{n}": never for n in range(9)} | {"pastebin.com/raw/AbCd1234": text("log")}
    pastes = LinkedPastes(fetcher, LIMIT)
    slow = [asyncio.create_task(read(pastes, f"https://hst.sh/{n}")) for n in range(9)]
    await stalled.wait()

    async with asyncio.timeout(2):
        found = await read(pastes, "https://pastebin.com/AbCd1234")

    assert found.parts == (Part("log", "pastebin.com/AbCd1234"),)
    for task in slow:
        task.cancel()
    await asyncio.gather(*slow, return_exceptions=True)


async def test_a_flood_is_turned_away(sites: PasteSites, pastes: LinkedPastes) -> None:
    """E5: what waits has a bound; the rest is told that it could not be fetched, and later ones are read again."""
    sites.answers = {f"hst.sh/raw/{n}": text("log") for n in range(70)}

    found = await asyncio.gather(*(read(pastes, f"https://hst.sh/{n}") for n in range(70)))

    assert [bool(one.parts) for one in found] == [True] * 50 + [False] * 20
    assert found[-1] == skipped("hst.sh/69", Skipped.UNREACHABLE)
    assert (await read(pastes, "https://hst.sh/69")).parts


async def test_each_name_of_a_paste_is_its_own(sites: PasteSites, fetcher: SafeFetcher) -> None:
    """The same text under two hosts' names is called by each link's own."""
    sites.answers["pastebin.com/raw/AbCd1234"] = text("log")
    pastes = LinkedPastes(fetcher, LIMIT)

    for host in ("pastebin.com", "www.pastebin.com"):
        assert (await read(pastes, f"https://{host}/AbCd1234")).parts == (Part("log", f"{host}/AbCd1234"),)


async def test_all_that_a_link_leads_to_has_one_time(sites: PasteSites, fetcher: SafeFetcher) -> None:
    """E5: ten files that each come just in time do not add up."""

    async def slow(_: web.Request) -> web.Response:
        with contextlib.suppress(ConnectionError):
            await asyncio.sleep(0.2)
        return web.Response(text="log")

    files = {str(n): file(str(n), None, raw_url=f"https://gist.github.com/{n}") for n in range(9)}
    sites.answers |= {f"gist.github.com/{n}": slow for n in range(9)} | {API: answers_json({"files": files})}
    pastes = LinkedPastes(fetcher, LIMIT, timeout_seconds=0.5)

    async with asyncio.timeout(1.5):
        assert await read(pastes, GIST) == skipped(f"gist.github.com/{ID}", Skipped.UNREACHABLE)


async def test_who_stops_waiting_leaves_the_place_free(sites: PasteSites, pastes: LinkedPastes) -> None:
    """E4: a reading that is cancelled, as when the bot ends, holds nothing up."""
    stalled = asyncio.Event()

    async def never(_: web.Request) -> web.Response:
        stalled.set()
        await asyncio.sleep(30)
        return web.Response()

    sites.answers["hst.sh/raw/never"] = never
    sites.answers["hst.sh/raw/abc"] = text("log")
    waiting = [asyncio.create_task(read(pastes, "https://hst.sh/never")) for _ in range(5)]
    await stalled.wait()

    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)

    assert (await read(pastes, "https://hst.sh/abc")).parts == (Part("log", "hst.sh/abc"),)
