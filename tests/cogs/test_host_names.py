"""Host names as admins type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cogs.host_names import MOST_HOSTS, BadHost, TooManyHosts, hosts_in


@pytest.mark.parametrize(
    ("typed", "hosts"),
    [
        ("", ()),
        ("  \n ", ()),
        ("Paste.Example.ORG", ("paste.example.org",)),
        ("paste.example.org.", ("paste.example.org",)),
        ("a.dev, b.dev;c.dev\nd.dev  a.dev", ("a.dev", "b.dev", "c.dev", "d.dev")),
        ("bücher.de", ("xn--bcher-kva.de",)),
        ("xn--bcher-kva.de", ("xn--bcher-kva.de",)),
    ],
)
def test_names_are_taken_as_dns_spells_them(typed: str, hosts: tuple[str, ...]) -> None:
    """E6: lower case, without the dot at the end, each once."""
    assert hosts_in(typed) == hosts


@pytest.mark.parametrize(
    "typed",
    [
        "https://paste.example.org",
        "paste.example.org/x",
        "paste.example.org:8080",
        "me@paste.example.org",
        "localhost",
        "nas",
        "printer.local",
        "wiki.corp",
        "router.home.arpa",
        "db.internal",
        "127.0.0.1",
        "10.0.0.7",
        "0x7f.1",
        "[::1]",
        "::1",
        "-a.dev",
        "a..dev",
        "a_b.dev",
        "*.dev",
        f"{'a' * 64}.dev",
        ".".join(["a" * 60] * 5) + ".dev",
    ],
)
def test_what_is_no_public_name_is_refused_by_its_name(typed: str) -> None:
    """E6: schemes, ports, paths, users, addresses and private names; the error says which one it was."""
    with pytest.raises(BadHost) as refused:
        hosts_in(f"fine.dev {typed}")

    assert refused.value.host == typed


def test_ten_hosts_are_enough() -> None:
    """E5: what is kept has a bound; the same name twice counts once."""
    ten = [f"paste{number}.dev" for number in range(MOST_HOSTS)]

    assert hosts_in(" ".join([*ten, ten[0]])) == tuple(ten)
    with pytest.raises(TooManyHosts):
        hosts_in(" ".join([*ten, "one.more.dev"]))


@given(st.text())
def test_whatever_is_typed_gives_names_or_a_refusal(typed: str) -> None:
    """E1, E6: no text raises anything else, and what comes out goes in again unchanged."""
    try:
        hosts = hosts_in(typed)
    except (BadHost, TooManyHosts):
        return

    assert hosts_in(" ".join(hosts)) == hosts
    assert all(host == host.lower() and "." in host and host.isascii() for host in hosts)
