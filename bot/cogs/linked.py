"""The texts behind links to paste sites in a message, where its server wants them read.

Links come from the text of messages alone: what stands in a file is what a program printed. Where nobody asked, links
in a quote are left alone as the quote is; what another link leads to counts as an attachment that is called a log, and
a link that names a file as a file of that name.
"""

import asyncio
import re

from bot.cogs.attachment_kinds import looks_like_log, may_be_log
from bot.cogs.wishes import Wishes
from bot.pastes.archives import Unpacked
from bot.pastes.links import PasteLink
from bot.pastes.log_likeness import reads_like_output
from bot.pastes.paste import Part, Skipped, SkippedPart
from bot.sources.link_host_files import LinkHostFile
from bot.sources.linked_pastes import LinkedPastes

# What Discord shows as a quote: a line, or with ">>>" all that follows.
_QUOTED = re.compile(r"^[ ]{0,3}(?:>>>[ ].*|>[ ][^\n]*)", re.MULTILINE | re.DOTALL)


class LinkReader:
    """Reads at most `most_links` links of one text; with 0 it reads none."""

    def __init__(self, pastes: LinkedPastes, hosts: LinkHostFile, most_links: int) -> None:
        self._pastes, self._hosts, self._most_links = pastes, hosts, most_links

    async def read(self, text: str, wishes: Wishes, *, asked: bool) -> list[Part | SkippedPart]:
        """Return the texts behind the links of a text, in the order of the links, each with what was not read."""
        if not wishes.links or not self._most_links or "://" not in text:
            return []
        finder = await self._hosts.finder()
        hosts = finder.hosts(wishes.link_hosts)
        own_words = text if asked else _QUOTED.sub("", text)
        links = [link for link in finder.find(own_words, wishes.link_hosts) if asked or may_be_log(link.name)]
        opened = await asyncio.gather(*(self._open(link, hosts, asked=asked) for link in links[: self._most_links]))
        found: list[Part | SkippedPart] = []
        for read in opened:
            found += [*read.parts, *read.skipped]
        return found + [SkippedPart(link.name, Skipped.TOO_BIG) for link in links[self._most_links :]]

    async def _open(self, link: PasteLink, hosts: frozenset[str], *, asked: bool) -> Unpacked:
        read = await self._pastes.read(link, hosts)
        return read if asked else await asyncio.to_thread(_worth_reading, read, link)


def _worth_reading(read: Unpacked, link: PasteLink) -> Unpacked:
    """What counts of a text that nobody asked about: pastes and logs, else what reads like one (A6)."""
    called_log = link.is_paste or looks_like_log(link.name)
    parts = tuple(
        part
        for part in read.parts
        if (called_log and part.name == link.name)
        or looks_like_log(part.name or "")
        or (may_be_log(part.name or "") and reads_like_output(part.text))
    )
    return Unpacked(parts, read.skipped if called_log else ())
