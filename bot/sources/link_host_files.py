"""The list of paste sites as it is at this moment: the shipped one, with what the operator has put before it."""

import asyncio
import logging
from pathlib import Path

from bot.pastes.link_hosts import LIST_NAME, BadLinkHosts, LinkHosts, read_link_hosts, shipped_link_hosts
from bot.pastes.links import LinkFinder

logger = logging.getLogger(__name__)

_Stamp = tuple[int, int, int]


class LinkHostFile:
    """Follows the file link_hosts.txt in a folder. It may come, change and go at any time."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / LIST_NAME
        self._stamp: _Stamp | None = None
        self._finder = LinkFinder(shipped_link_hosts())

    async def finder(self) -> LinkFinder:
        """The finder for the list as it is now. Looks at the file each time; reads it when it is another than before.

        A list that cannot be used is told of once, in the log, by file and line; what was read before it stays.
        """
        stamp = self._look()
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                own = LinkHosts() if stamp is None else await asyncio.to_thread(self._read)
            except (BadLinkHosts, OSError, UnicodeDecodeError) as error:
                logger.warning("the list of paste sites stays as it was: %s", _said(error, self._file))
            else:
                self._finder = LinkFinder(own + shipped_link_hosts())
        return self._finder

    def _look(self) -> _Stamp | None:
        try:
            status = self._file.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino

    def _read(self) -> LinkHosts:
        return read_link_hosts(str(self._file), self._file.read_text(encoding="utf-8"))


def _said(error: Exception, file: Path) -> str:
    return str(error) if isinstance(error, BadLinkHosts) else f"{file}: cannot be read as UTF-8 text"
