"""Pastes with secrets planted in them: every kind F1 names, made anew for each paste.

Nothing here has the form of a secret by itself: prefixes are put together when a test runs, so that no scanner for
leaked keys stops at this file.
"""

import base64
import json
import string
from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st

_ALNUM = string.ascii_letters + string.digits
_CONSONANTS = "bdfghjklmnpqrtvwxz"  # no word of ours can be made of them
_PIECE = 8  # so many characters of a secret in a row are a leak


@dataclass(frozen=True, slots=True)
class Plant:
    """A text with a secret in it; `pieces` of the secret may be seen nowhere. `credential`: its owner is warned."""

    kind: str
    text: str
    pieces: tuple[str, ...]
    credential: bool = True


@dataclass(frozen=True, slots=True)
class PlantedPaste:
    """A message with secrets: as its text or as a file of this name."""

    text: str
    file_name: str | None
    plants: tuple[Plant, ...]


def _chars(least: int, most: int | None = None, alphabet: str = _ALNUM) -> st.SearchStrategy[str]:
    return st.text(alphabet, min_size=least, max_size=most or least)


def _pieces(secret: str) -> tuple[str, ...]:
    """All runs of eight characters, or the secret itself where it is shorter."""
    return tuple({secret[at : at + _PIECE] for at in range(max(1, len(secret) - _PIECE + 1))})


def _made(kind: str, form: str, secret: st.SearchStrategy[str], *, credential: bool = True) -> st.SearchStrategy[Plant]:
    """`form` holds the secret at its braces; what stands around it is nobody's secret."""
    return secret.map(lambda one: Plant(kind, form.replace("{}", one), _pieces(one), credential))


def _jwt(claims: tuple[str, str]) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return ".".join([part({"alg": "HS256", "typ": "JWT"}), part({"sub": claims[0]}), claims[1]])


def _pem(body: str) -> Plant:
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    text = "\n".join(["-----BEGIN RSA PRIVATE " + "KEY-----", *lines, "-----END RSA PRIVATE " + "KEY-----"])
    return Plant("private key", text, tuple(piece for line in lines if len(line) >= _PIECE for piece in _pieces(line)))


# What people choose: letters, digits and signs in between; a digit makes sure that it is no word of a sentence.
_PASSWORDS = st.builds(
    lambda first, middle, last: first + middle + last,
    _chars(3),
    _chars(1, 12, _ALNUM + "!@#^*_+-./:~,%"),
    _chars(3, alphabet=string.digits),
)
_NAMES = st.builds(lambda first, rest: f"q{first}{rest}", _chars(1, alphabet="wxz"), _chars(7, 12, _CONSONANTS))
_DISCORD = st.builds(
    lambda first, day, rest: f"M{first}.G{day}.{rest}", _chars(25), _chars(5), _chars(38, alphabet=_ALNUM + "_-")
)
_EMAILS = st.builds(lambda name, host: f"{name}@{host}.example", _NAMES, _NAMES)
_IPV4 = st.builds(lambda a, b, c: f"203.{a}.{b}.{c}", *[st.integers(100, 255)] * 3)
_IPV6 = st.builds(lambda a, b, c: f"2001:db8:{a}::8a2e:{b}:{c}", *[_chars(4, alphabet="123456789abcdef")] * 3)

KINDS: dict[str, st.SearchStrategy[Plant]] = {
    "discord token": _made("discord token", "client.login('{}')", _DISCORD),
    "discord webhook": _made(
        "discord webhook", "https://discord.com/api/webhooks/123456789012345678/{}", _chars(68, alphabet=_ALNUM + "_-")
    ),
    "github": _made("github token", "remote: gh" + "p_{} was refused", _chars(36)),
    "github, fine-grained": _made("github token", "github_" + "pat_{}", _chars(60)),
    "aws id": _made("aws key", "using AK" + "IA{} now", _chars(16, alphabet=string.ascii_uppercase + string.digits)),
    "aws secret": _made("secret", "aws_secret_access_key={}", _chars(40, alphabet=_ALNUM + "/+")),
    "openai": _made("openai key", "Incorrect API key provided: s" + "k-{}.", _chars(48)),
    "slack": _made("slack token", "xo" + "xb-123456789012-{}", _chars(24)),
    "stripe": _made("stripe key", "s" + "k_live_{}", _chars(24)),
    "npm": _made("npm token", "//registry.npmjs.org/:_authToken=np" + "m_{}", _chars(36)),
    "pypi": _made("pypi token", "py" + "pi-{}", _chars(80)),
    "jwt": _made("jwt", "got {} here", st.tuples(_chars(12), _chars(43)).map(_jwt)),
    "pem": _chars(256, 600, _ALNUM + "+/").map(_pem),
    "password": _made("secret", "password={}", _PASSWORDS),
    "password, shouted": _made("secret", "export DB_PASSWORD={}", _PASSWORDS),
    "password, quoted": _made("secret", 'password = "{}"', _PASSWORDS),
    "password, json": _made("secret", '{"user": "x", "password": "{}"}', _PASSWORDS),
    "password, yaml": _made("secret", "  password: {}", _PASSWORDS),
    "password, sentence": _made("secret", "trying with password: {} again", _PASSWORDS),
    "password, letters": _made("secret", "trying with password: {} again", _NAMES),
    "password, like a call": _made("secret", "password={} ", _NAMES.map(lambda name: f"{name[:4]}({name[4:]}")),
    "connection url": _made("credentials", "postgres://{}@db:5432/app", st.builds("{}:{}".format, _NAMES, _chars(12))),
    "url, token alone": _made("credentials", "cloning https://{}@git.invalid/repo.git", _chars(20)),
    "cookie": _made("cookie", "Cookie: sid={}; theme=dark", _chars(32)),
    "set-cookie": _made("cookie", "< set-cookie: sid={}; HttpOnly", _chars(32)),
    "bearer": _made("authorization", "Authorization: Bearer {}", _chars(40)),
    "email": _made("email", "mailed {} in vain", _EMAILS, credential=False),
    "ipv4": _IPV4.map(lambda one: Plant("ip", f"connect to {one}:5432 refused", (one,), credential=False)),
    "ipv6": _IPV6.map(lambda one: Plant("ip", f"connect to [{one}]:5432 refused", (one,), credential=False)),
    "home": _made("user", '  File "/home/{}/app/main.py", line 3, in run', _NAMES, credential=False),
    "home, mac": _made("user", "    at run (/Users/{}/app/main.js:3:7)", _NAMES, credential=False),
    "home, windows": _made("user", "   at Run() in C:\\Users\\{}\\app\\Main.cs:line 3", _NAMES, credential=False),
}
# Errors a seed documents, errors nobody does, and none at all; the secrets stand before, inside and after.
_AROUND: tuple[str, ...] = (
    "{}",
    "why does this not work?\n```\n{}\n```",
    ("thread 'main' panicked at crates/burn-remote/src/client/service.rs:179:18:\n"
    "Server disconnected during initialization\n{}"),
    ("{}\nthread '<unnamed>' panicked at crates/burn-backend/src/backend/distributed/client.rs:34:27:\n"
    "Gradient sync server disconnected.: RecvError"),
    "Gradient sync server disconnected.: {}",
    'Traceback (most recent call last):\n  File "main.py", line 1, in <module>\nValueError: silo underrun {}',
    "2026-09-05T13:19:14Z ERROR [worker] {}\n2026-09-05T13:19:14Z FATAL giving up: {}",
    "error: the silo ran dry: {}",
    "\x1b[31mERROR\x1b[0m {}",
)  # fmt: skip


@st.composite
def pastes(draw: st.DrawFn) -> PlantedPaste:
    """Pastes of one to four secrets, each on lines of its own or at the end of an error's line; some as a file."""
    makers = [draw(st.sampled_from(sorted(KINDS))) for _ in range(draw(st.integers(1, 4)))]
    plants = tuple(draw(KINDS[maker]) for maker in makers)
    text = draw(st.sampled_from(_AROUND)).replace("{}", "\n".join(plant.text for plant in plants))
    file_name = draw(st.sampled_from([None, None, "run.log", "named"]))
    if file_name == "named":
        owner = draw(KINDS["email"])
        return PlantedPaste(text, f"{owner.text.split()[1]}.log", (*plants, owner))
    return PlantedPaste(text, file_name, plants)


def leaks(plants: tuple[Plant, ...], seen: Callable[[str], bool]) -> list[tuple[str, str]]:
    """The kinds and pieces of plants that `seen` finds."""
    return [(plant.kind, piece) for plant in plants for piece in plant.pieces if seen(piece)]
