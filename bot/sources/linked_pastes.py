"""The texts behind links to pastes, unpacked and decoded as those of attachments are.

What was fetched is kept in memory for some minutes, found again by a digest of its address, so that a message that is
edited, or a link that ten people follow, costs the site one request. It is never written anywhere.
"""

import asyncio
import hashlib
import re
import sys
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

from bot.pastes.archives import Limits, Unpacked, unpack
from bot.pastes.link_hosts import Address, Members
from bot.pastes.links import PasteLink
from bot.pastes.paste import Part, Skipped, SkippedPart
from bot.sources.errors import InvalidSource
from bot.sources.json_text import parse_json
from bot.sources.safe_fetching import SafeFetcher

TIMEOUT_SECONDS = 20.0  # for all that one link leads to
KEPT_SECONDS = 120.0
_FAILURE_KEPT_SECONDS = 15.0
_MOST_KEPT = 64
_MOST_KEPT_BYTES = 16 * 2**20
_AT_ONCE = 3  # each may take six times `most_bytes` for a moment, where a paste was made to
_AT_ONCE_A_SITE = 2  # so that one that never answers does not hold up all others
_MOST_WAITING = 50
_MOST_MEMBERS = 10
_NAME_LENGTH = 100
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f/\\]")


class LinkedPastes:
    """Reads what links lead to. Every wait ends, every text has a limit of `most_bytes`, all files of a paste together.

    kept_seconds: for how long a text is kept in memory; 0 keeps none.
    """

    def __init__(
        self,
        fetcher: SafeFetcher,
        most_bytes: int,
        *,
        timeout_seconds: float = TIMEOUT_SECONDS,
        kept_seconds: float = KEPT_SECONDS,
    ) -> None:
        self._fetcher, self._most_bytes = fetcher, most_bytes
        self._timeout_seconds, self._kept_seconds = timeout_seconds, kept_seconds
        self._kept = _Kept()
        self._places = asyncio.Semaphore(_AT_ONCE)
        self._sites: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._waiting = 0

    async def read(self, link: PasteLink, hosts: frozenset[str]) -> Unpacked:
        """Return the texts of a paste, and what was not read, with its reason. Never raises for a site or the net.

        hosts: those that may be asked. A paste of several files has a part for each, `name/its name`.
        """
        if link.needs_login:
            return _skipped(link.name, Skipped.LOGIN)
        if self._waiting >= _MOST_WAITING:
            return _skipped(link.name, Skipped.UNREACHABLE)
        self._waiting += 1
        try:
            return await self._read(link, hosts)
        finally:
            self._waiting -= 1

    def forget(self) -> None:
        """Keep nothing any longer."""
        self._kept.clear()

    async def _read(self, link: PasteLink, hosts: frozenset[str]) -> Unpacked:
        # What one paste is called may differ between its links, and stands in what is kept.
        everything = " ".join([link.name, *(address.url for address in link.addresses)])
        key = hashlib.sha256(everything.encode()).hexdigest()
        site = link.addresses[0].url.split("/")[2]
        # Who asks for what is being fetched waits for it, instead of fetching it again.
        async with self._locks.setdefault(key, asyncio.Lock()):
            kept = self._kept.get(key)
            if kept is not None:
                return kept
            async with self._sites.setdefault(site, asyncio.Semaphore(_AT_ONCE_A_SITE)), self._places:
                found = await self._fetch(link, hosts)
            # A paste may appear a moment after its link.
            seconds = self._kept_seconds if found.parts else min(self._kept_seconds, _FAILURE_KEPT_SECONDS)
            self._kept.put(key, found, seconds)
            return found

    async def _fetch(self, link: PasteLink, hosts: frozenset[str]) -> Unpacked:
        found = _skipped(link.name, Skipped.UNREACHABLE)
        try:
            async with asyncio.timeout(self._timeout_seconds):
                for address in link.addresses:
                    found = await self._at(address, link.name, hosts)
                    if found.parts:
                        break
        except TimeoutError:
            return _skipped(link.name, Skipped.UNREACHABLE)
        return found

    async def _at(self, address: Address, name: str, hosts: frozenset[str]) -> Unpacked:
        # JSON spells a text longer than it is: a line end is two characters, others are up to six.
        most_bytes = self._most_bytes * (2 if address.members else 1)
        data = await self._fetcher.fetch(address.url, hosts, most_bytes)
        if isinstance(data, Skipped):
            return _skipped(name, data)
        if address.members is None:
            return await _unpacked(data, name, self._most_bytes)
        files = await asyncio.to_thread(_files, data, address.members, Limits(most_bytes=most_bytes))
        return await self._members(files, name, hosts) if files else _skipped(name, Skipped.UNSUPPORTED)

    async def _members(self, files: Sequence["_File"], name: str, hosts: frozenset[str]) -> Unpacked:
        parts: list[Part] = []
        skipped: list[SkippedPart] = []
        left = self._most_bytes
        for number, file in enumerate(files[:_MOST_MEMBERS], start=1):
            own_name = f"{name}/{_UNPRINTABLE.sub('', file.name)[-_NAME_LENGTH:] or number}"
            found = await self._member(file, own_name, hosts, left)
            left -= sum(len(part.text.encode(errors="replace")) for part in found.parts)
            parts += found.parts
            skipped += found.skipped
        if len(files) > _MOST_MEMBERS:
            skipped.append(SkippedPart(name, Skipped.TOO_MANY))
        return Unpacked(tuple(parts), tuple(skipped))

    async def _member(self, file: "_File", name: str, hosts: frozenset[str], left: int) -> Unpacked:
        if file.text is None:
            data = await self._fetcher.fetch(file.url, hosts, left)
            return _skipped(name, data) if isinstance(data, Skipped) else await _unpacked(data, name, left)
        if not file.text or file.text.isspace():
            return _skipped(name, Skipped.EMPTY)
        if len(file.text.encode(errors="replace")) > left:
            return _skipped(name, Skipped.TOO_BIG)
        return Unpacked((Part(file.text, name),))


@dataclass(frozen=True, slots=True)
class _File:
    """One file of a JSON answer: its text, or the address of it."""

    name: str
    text: str | None
    url: str


class _Kept:
    """What was fetched lately, bounded in number and bytes; each is let go when its time is up."""

    def __init__(self) -> None:
        self._texts: OrderedDict[str, tuple[Unpacked, int, asyncio.TimerHandle]] = OrderedDict()
        self._bytes = 0

    def get(self, key: str) -> Unpacked | None:
        kept = self._texts.get(key)
        return kept[0] if kept else None

    def put(self, key: str, found: Unpacked, seconds: float) -> None:
        size = sum(sys.getsizeof(part.text) for part in found.parts)
        self._drop(key)
        if seconds <= 0 or size > _MOST_KEPT_BYTES:
            return
        timer = asyncio.get_running_loop().call_later(seconds, self._drop, key)
        self._texts[key] = (found, size, timer)
        self._bytes += size
        while len(self._texts) > _MOST_KEPT or self._bytes > _MOST_KEPT_BYTES:
            self._drop(next(iter(self._texts)))

    def clear(self) -> None:
        for key in [*self._texts]:
            self._drop(key)

    def _drop(self, key: str) -> None:
        kept = self._texts.pop(key, None)
        if kept is not None:
            self._bytes -= kept[1]
            kept[2].cancel()


def _files(data: bytes, members: Members, limits: Limits) -> list[_File]:
    """The files an answer in JSON tells of, in its order; none where it is no such answer."""
    unpacked = unpack(data, "", limits)  # some send their answers packed, whatever they are asked for
    try:
        document = parse_json(unpacked.parts[0].text.encode(), "answer") if unpacked.parts else None
    except (InvalidSource, UnicodeEncodeError):
        return []
    listed = _at(document, members.each)
    each = listed.values() if isinstance(listed, Mapping) else listed if isinstance(listed, list) else ()
    files = []
    for file in each:
        text = None if members.cut and _at(file, members.cut) is True else _at(file, members.text)
        url = _at(file, members.url)
        if isinstance(text, str) or isinstance(url, str):
            name = _at(file, members.name)
            files.append(
                _File(
                    name if isinstance(name, str) else "",
                    text if isinstance(text, str) else None,
                    url if isinstance(url, str) else "",
                )
            )
    return files


def _at(value: object, path: Sequence[str]) -> Any:
    """What lies at a path of names; None where nothing does."""
    if not path:
        return None
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


async def _unpacked(data: bytes, name: str, most_bytes: int) -> Unpacked:
    return await asyncio.to_thread(unpack, data, name, Limits(most_bytes=most_bytes))


def _skipped(name: str, why: Skipped) -> Unpacked:
    return Unpacked(skipped=(SkippedPart(name, why),))
