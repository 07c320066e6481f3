"""Which links in a text lead to pastes, and the addresses their texts are to be had at. Nothing is fetched here.

What is fetched later is never what somebody wrote: addresses are built from the list, and of a link only its key, path
and query go into them.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from bot.pastes.link_hosts import Address, Form, LinkHosts, Rule, is_host_name, own_rule

# A user name before the host, or a port behind it, is part of what is compared with the list, and so no host in it.
_LINK = re.compile(
    r"https?://(?P<host>[^\s/?#<>()\[\]{}\"`|\\^]{1,255})(?P<rest>[/?#][A-Za-z0-9._~%!$&'*+,;=:@/?#-]{0,4000})?",
    re.IGNORECASE,
)
_PUNCTUATION = ".,;:!?'*~"
_FENCE = "```"
_NAME_LENGTH = 100


@dataclass(frozen=True, slots=True)
class PasteLink:
    """A link to a paste. `addresses` are tried one after the other; there are none where a login is needed.

    name: what to call its text, the host with the paste's key or the file's name; letters of ASCII alone.
    is_paste: false where the link names a file, whose name then tells what it may be.
    """

    name: str
    addresses: tuple[Address, ...]
    is_paste: bool = True

    @property
    def needs_login(self) -> bool:
        return not self.addresses


class LinkFinder:
    """Finds links to the sites of a list. Immutable: with a new list comes a new one."""

    def __init__(self, known: LinkHosts) -> None:
        self._rules = _by_host(known.rules)
        self._hosts = known.led_to | {*self._rules} | {host for rule in known.rules for host in _asked(rule)}

    def hosts(self, own_hosts: Iterable[str] = ()) -> frozenset[str]:
        """The hosts that may be asked: those of the list, what they lead to, and a server's own."""
        return self._hosts | {host for host in own_hosts if is_host_name(host)}

    def find(self, text: str, own_hosts: Iterable[str] = ()) -> tuple[PasteLink, ...]:
        """Return the links of a text in their order, each paste once. Never raises.

        own_hosts: a server's own paste sites, in lower case as DNS spells them; what is no host name is passed over.
        Time grows with the text's length.
        """
        rules = self._rules
        own = _by_host(own_rule(host) for host in own_hosts if is_host_name(host))
        found: dict[object, PasteLink] = {}
        for host, path, query, is_code in _links(text):
            for rule in (*rules.get(host, ()), *own.get(host, ())):
                link = _followed(rule, host, path, query)
                if link is not None:
                    # In a code block a file's address is what a program printed: where it failed to download from.
                    if link.is_paste or not is_code:
                        found.setdefault(link.addresses or link.name, link)
                    break
        return tuple(found.values())


def _by_host(rules: Iterable[Rule]) -> dict[str, tuple[Rule, ...]]:
    by_host: dict[str, tuple[Rule, ...]] = {}
    for rule in rules:
        for host in rule.hosts:
            by_host[host] = (*by_host.get(host, ()), rule)
    return by_host


def _asked(rule: Rule) -> Iterator[str]:
    hosts = (address.url.removeprefix("https://").partition("/")[0] for address in rule.addresses)
    return (host for host in hosts if host != "{host}")


def _links(text: str) -> Iterator[tuple[str, str, str, bool]]:
    """(host, path, query, whether it stands in a code block) of each link with a path."""
    is_code, seen = False, 0
    for link in _LINK.finditer(text):
        is_code ^= text.count(_FENCE, seen, link.start()) % 2 == 1
        seen = link.start()
        rest = (link["rest"] or "").partition("#")[0]
        # An underscore may belong to a key, unless it is set before the link, too.
        rest = rest.rstrip(_PUNCTUATION + ("_" if text[link.start() - 1 : link.start()] == "_" else ""))
        path, _, query = rest.partition("?")
        host = _host(link["host"])
        if host is not None and path.startswith("/") and not _leads_out(path):
            yield host, path, query, is_code


def _leads_out(path: str) -> bool:
    """Whether a path would be another one once its dots are followed."""
    return "//" in path or bool({".", ".."} & {*path.lower().replace("%2e", ".").split("/")})


def _host(text: str) -> str | None:
    """A host's name in lower case as DNS has it."""
    if text.isascii():
        return text.lower()
    try:
        return text.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return None


def _followed(rule: Rule, host: str, path: str, query: str) -> PasteLink | None:
    for form in rule.forms:
        found = form.regex.fullmatch(path)
        if found:
            given = found.groupdict() | {"host": host, "query": query}
            addresses = tuple(replace(address, url=_filled(address.url, given)) for address in rule.addresses)
            return PasteLink(_name(host, form, given), addresses, is_paste=form.last != "path")
    return None


def _filled(url: str, given: dict[str, str]) -> str:
    return re.sub(r"\{([a-z]+)\}", lambda place: given[place[1]], url).removesuffix("?")


def _name(host: str, form: Form, given: dict[str, str]) -> str:
    if form.last == "path":
        return given["path"].rstrip("/").rpartition("/")[2][-_NAME_LENGTH:]
    key = given.get("key") or given[form.last]
    return f"{host}/{key}"
