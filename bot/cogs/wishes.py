"""What a server wants read of its messages beside their text and files."""

from dataclasses import dataclass

from bot.store.guilds import GuildSettings


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a server has switched on; all of it is off by default.

    In direct messages nothing is on but pictures, where whoever runs the bot wants that.

    links: texts behind links to paste sites are fetched. link_hosts: the server's own paste hosts beside the known
    ones. pictures: text is read from screenshots.
    """

    links: bool = False
    link_hosts: tuple[str, ...] = ()
    pictures: bool = False


NO_WISHES = Wishes()


def wishes_of(guild: GuildSettings | None, *, pictures_in_dms: bool = False) -> Wishes:
    """What a server has settled; without a server, what holds in direct messages."""
    if guild is None:
        return Wishes(pictures=pictures_in_dms)
    return Wishes(links=guild.reads_links, link_hosts=guild.link_hosts, pictures=guild.reads_pictures)
