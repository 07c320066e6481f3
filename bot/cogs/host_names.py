"""Names of hosts as an admin types them."""

import ipaddress
import re

from bot.errors import BotError

MOST_HOSTS = 10
_HOST_LENGTH = 253  # DNS allows no more
_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
_BETWEEN = re.compile(r"[\s,;]+")
# Names that mean a machine or a network of one's own, by RFC 2606, 6761, 6762, 7686 and 8375 and by habit. What a
# public name resolves to is looked at when it is fetched; these would only ever be refused there.
_PRIVATE = frozenset(
    {"localhost", "local", "localdomain", "internal", "intranet", "private", "corp", "home", "lan", "arpa"}
    | {"test", "example", "invalid", "onion"}
)


class BadHost(BotError):
    """A text is not the name of a public host; `host` is what was typed."""

    def __init__(self, host: str) -> None:
        super().__init__(f"{host} is not the name of a public host")
        self.host = host


class TooManyHosts(BotError):
    """More hosts were given than are kept."""

    def __init__(self) -> None:
        super().__init__(f"at most {MOST_HOSTS} hosts are kept")


def hosts_in(text: str) -> tuple[str, ...]:
    """Return the host names in a text, each once, in lower case and as DNS spells them (`bücher.de` → `xn--…`).

    They may be divided by spaces, commas or line ends. Raises BadHost for what has a scheme, a path, a port or a user,
    for addresses, and for names no public host has; raises TooManyHosts for more than ten.
    """
    hosts = tuple(dict.fromkeys(_host(typed) for typed in _BETWEEN.split(text) if typed))
    if len(hosts) > MOST_HOSTS:
        raise TooManyHosts
    return hosts


def _host(typed: str) -> str:
    try:
        name = typed.removesuffix(".").encode("idna").decode("ascii").lower()
    except UnicodeError as error:
        raise BadHost(typed) from error
    labels = name.split(".")
    public = len(labels) > 1 and labels[-1] not in _PRIVATE and not labels[-1].isdigit()
    if not public or len(name) > _HOST_LENGTH or not all(map(_LABEL.fullmatch, labels)) or _is_address(name):
        raise BadHost(typed)
    return name


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
