"""The list of paste sites, in the form link_hosts.txt explains: what links look like, and where the texts are."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from bot.errors import BotError

LIST_NAME = "link_hosts.txt"
LOGIN = "login"
_ALSO = "also"
_HOST = re.compile(r"(?=.{4,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?")
_PLACE = re.compile(r"\{([a-z]+)(?::(\d{1,2})(-?)(\d{0,2}))?\}")
# What may stand in a path beside places, and for {path}; brackets end a link in most texts.
_PATH_CHARACTERS = r"[A-Za-z0-9._~%!$&'*+,;=:@/-]"
_LITERAL = re.compile(rf"{_PATH_CHARACTERS}*")
_LONGEST_WORD = 64
_FIELDS = frozenset({"each", "name", "text", "url", "cut"})
_ENDING = r"(?:\.[A-Za-z0-9]{1,12})?/?"


class BadLinkHosts(BotError):
    """A list of paste sites cannot be used; `line_number` is 1-based."""

    def __init__(self, name: str, line_number: int, why: str) -> None:
        super().__init__(f"{name}:{line_number}: {why}")
        self.name, self.line_number, self.why = name, line_number, why


@dataclass(frozen=True, slots=True)
class Members:
    """Where in a JSON answer the texts of a paste of several files are; each a path of names, () where there is none.

    cut: what is true in a file whose text is not whole, so that its `url` is asked.
    """

    each: tuple[str, ...] = ()
    name: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    url: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Address:
    """An address to fetch; in a rule still with places in it. `members` where the answer is JSON."""

    url: str
    members: Members | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """What a link's path may look like. `last` is the name of its last place."""

    regex: re.Pattern[str]
    places: frozenset[str]
    last: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the list; no addresses where the site shows its texts to people alone who are signed in."""

    hosts: tuple[str, ...]
    forms: tuple[Form, ...]
    addresses: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class LinkHosts:
    """The lines of a list in their order; `led_to` are hosts that the others may lead to and no link names."""

    rules: tuple[Rule, ...] = ()
    led_to: frozenset[str] = frozenset()

    def __add__(self, other: "LinkHosts") -> "LinkHosts":
        """Both; the lines of the first are tried first."""
        return LinkHosts(self.rules + other.rules, self.led_to | other.led_to)


def is_host_name(text: str) -> bool:
    """Whether this is a host's name in lower case as DNS has it; no address, no port, no single word."""
    return _HOST.fullmatch(text) is not None


def read_link_hosts(name: str, content: str) -> LinkHosts:
    """The sites of a list in the form that link_hosts.txt explains. Raises BadLinkHosts."""
    rules: list[Rule] = []
    led_to: set[str] = set()
    for line_number, line in enumerate(content.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        first, *columns = (column.strip() for column in line.split("\t"))
        try:
            if first == _ALSO:
                led_to |= {*_hosts(" ".join(columns))}
            else:
                rules.append(_rule(first, columns))
        except ValueError as error:
            raise BadLinkHosts(name, line_number, str(error)) from error
    return LinkHosts(tuple(rules), frozenset(led_to))


@cache
def shipped_link_hosts() -> LinkHosts:
    """The sites of the list that comes with the bot."""
    return read_link_hosts(LIST_NAME, (files("bot.pastes") / LIST_NAME).read_text(encoding="utf-8"))


def own_rule(host: str) -> Rule:
    """The rule for a server's own paste site, which is taken for a hastebin. Raises ValueError for no host name."""
    if not is_host_name(host):
        raise ValueError(f"{host!r} is not a host's name")
    return _rule(host, ["/{key} /raw/{key}", "https://{host}/raw/{key}"])


def _rule(hosts: str, columns: list[str]) -> Rule:
    if len(columns) < 2:
        raise ValueError("there are not three columns with tabs between them: hosts, paths, addresses")
    paths, *addresses = columns
    forms = tuple(_form(path) for path in paths.split())
    if not forms:
        raise ValueError("there is no path")
    if addresses == [LOGIN]:
        return Rule(_hosts(hosts), forms, ())
    # Every form of the line has to give what the addresses need.
    known = frozenset.intersection(*(form.places for form in forms)) | {"host", "query"}
    return Rule(_hosts(hosts), forms, tuple(_address(address, known) for address in addresses if address))


def _hosts(text: str) -> tuple[str, ...]:
    hosts = tuple(text.split())
    for host in hosts:
        if not is_host_name(host):
            raise ValueError(f"{host!r} is not a host's name in lower case, such as paste.example.org")
    if not hosts:
        raise ValueError("there is no host")
    return hosts


def _form(path: str) -> Form:
    if not path.startswith("/"):
        raise ValueError(f"the path {path!r} does not begin with a slash")
    pieces: list[str] = []
    places: list[str] = []
    for literal, place in _apart(path):
        if not _LITERAL.fullmatch(literal):
            raise ValueError(f"{literal!r} in the path {path!r} is neither a {{word}} nor what a path may hold")
        pieces.append(re.escape(literal))
        if place is not None:
            places.append(place[1])
            pieces.append(_expression(place, is_folder=path.startswith("/", place.end())))
    if not places or len({*places}) < len(places):
        raise ValueError(f"the path {path!r} has no {{word}} in it, or one twice")
    if "host" in places or "query" in places:
        raise ValueError("{host} and {query} stand in addresses alone")
    ending = _ENDING if path.endswith("}") and places[-1] not in {"path", "file"} else "/?"
    return Form(re.compile("".join(pieces) + ending), frozenset(places), places[-1])


def _expression(place: re.Match[str], *, is_folder: bool) -> str:
    """What may stand for a place. A path of n characters is matched in n steps, squared at worst."""
    name, least, dash, most = place.groups()
    if name == "path":
        return rf"(?P<path>{_PATH_CHARACTERS}+?)"
    characters = "[A-Za-z0-9._~-]" if name == "file" or is_folder else "[A-Za-z0-9_-]"
    first = int(least or 1)
    last = int(most or _LONGEST_WORD) if dash or least is None else first
    if not 0 < first <= last <= _LONGEST_WORD:
        raise ValueError(f"{place[0]} is no length between 1 and {_LONGEST_WORD}")
    return rf"(?P<{name}>{characters}{{{first},{last}}})"


def _address(text: str, known: frozenset[str]) -> Address:
    url, *fields = text.split()
    host, slash, path = url.removeprefix("https://").partition("/")
    if not url.startswith("https://") or not slash or not (host == "{host}" or is_host_name(host)):
        raise ValueError(f"{url!r} is not an address such as https://paste.example.org/raw/{{key}}")
    for literal, place in _apart(path):
        if place is not None and place[1] not in known:
            raise ValueError(f"{place[0]} in {url!r} does not stand in each of the paths")
        if not re.fullmatch(r"[A-Za-z0-9._~%!$&'*+,;=:@/?-]*", literal):
            raise ValueError(f"{literal!r} in {url!r} is not what an address may hold")
    return Address(url, _members(fields) if fields else None)


def _members(fields: list[str]) -> Members:
    found: dict[str, tuple[str, ...]] = {}
    for field in fields:
        name, sign, path = field.partition("=")
        if name not in _FIELDS or not sign or not all(path.split(".")):
            raise ValueError(f"{field!r} is not each=, name=, text=, url= or cut= with a path such as a.b")
        found[name] = tuple(path.split("."))
    if "each" not in found or not {"text", "url"} & {*found}:
        raise ValueError("an answer in JSON needs each=, and text= or url=")
    return Members(**found)


def _apart(text: str) -> Iterator[tuple[str, re.Match[str] | None]]:
    """The literal pieces of a text, each with the place behind it; the last has none."""
    end = 0
    for place in _PLACE.finditer(text):
        yield text[end : place.start()], place
        end = place.end()
    yield text[end:], None
