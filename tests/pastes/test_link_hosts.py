"""The list of paste sites is read whole, or refused with its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pastes.link_hosts import (
    Address,
    BadLinkHosts,
    LinkHosts,
    Members,
    is_host_name,
    own_rule,
    read_link_hosts,
    shipped_link_hosts,
)
from bot.pastes.links import LinkFinder

GOOD = "paste.example.org\t/{key} /raw/{key}\thttps://{host}/raw/{key}"


def found(line: str, link: str) -> list[str]:
    return [address.url for link in LinkFinder(read_link_hosts("l", line)).find(link) for address in link.addresses]


def test_the_shipped_list_is_good() -> None:
    """B5: the list that comes with the bot reads, and asks nothing but https."""
    known = shipped_link_hosts()

    assert len(known.rules) > 30
    assert all(address.url.startswith("https://") for rule in known.rules for address in rule.addresses)


def test_comments_and_empty_lines_say_nothing() -> None:
    """The manual stands in the list itself."""
    assert len(read_link_hosts("l", f"# a comment\n\n   \n{GOOD}\n").rules) == 1


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("paste.example.org", "three columns"),
        ("paste.example.org /{key} https://paste.example.org/{key}", "three columns"),
        ("paste.example.org\t/{key}", "three columns"),
        ("\t/{key}\thttps://a.example.org/{key}", "no host"),
        ("Paste.example.org\t/{key}\thttps://a.example.org/{key}", "lower case"),
        ("*.example.org\t/{key}\thttps://a.example.org/{key}", "not a host's name"),
        ("example\t/{key}\thttps://a.example.org/{key}", "not a host's name"),
        ("127.0.0.1\t/{key}\thttps://a.example.org/{key}", "not a host's name"),
        ("a.example.org:8080\t/{key}\thttps://a.example.org/{key}", "not a host's name"),
        ("a.example.org\t\thttps://a.example.org/{key}", "no path"),
        ("a.example.org\t{key}\thttps://a.example.org/{key}", "begin with a slash"),
        ("a.example.org\t/raw\thttps://a.example.org/raw", "no {word}"),
        ("a.example.org\t/{key}/{key}\thttps://a.example.org/{key}", "twice"),
        ("a.example.org\t/{path}/x/{path}\thttps://a.example.org/{path}", "twice"),
        ("a.example.org\t/{host}\thttps://a.example.org/{host}", "in addresses alone"),
        ("a.example.org\t/{key:0}\thttps://a.example.org/{key}", "no length"),
        ("a.example.org\t/{key:9-8}\thttps://a.example.org/{key}", "no length"),
        ("a.example.org\t/{key:5-99}\thttps://a.example.org/{key}", "no length"),
        ("a.example.org\t/{Key}\thttps://a.example.org/{key}", "neither a {word}"),
        ("a.example.org\t/{key\thttps://a.example.org/x", "neither a {word}"),
        ("a.example.org\t/(a+)+{key}\thttps://a.example.org/{key}", "neither a {word}"),
        ("a.example.org\t/{key}\thttp://a.example.org/{key}", "not an address"),
        ("a.example.org\t/{key}\thttps://a.example.org", "not an address"),
        ("a.example.org\t/{key}\thttps://user@a.example.org/{key}", "not an address"),
        ("a.example.org\t/{key}\thttps://a.example.org:80/{key}", "not an address"),
        ("a.example.org\t/{key}\thttps://{key}/raw", "not an address"),
        ("a.example.org\t/{key}\thttps://{key}.example.org/raw", "not an address"),
        ("a.example.org\t/{key}\thttps://127.0.0.1/{key}", "not an address"),
        ("a.example.org\t/{key}\tlogin\thttps://a.example.org/{key}", "not an address"),
        ("a.example.org\t/{key}\thttps://a.example.org/{id}", "in each of the paths"),
        ("a.example.org\t/{key} /{id}\thttps://a.example.org/{id}", "in each of the paths"),
        ("a.example.org\t/{key}\thttps://a.example.org/{key}#x", "may hold"),
        ("a.example.org\t/{key}\thttps://a.example.org/{key} files", "each=, name="),
        ("a.example.org\t/{key}\thttps://a.example.org/{key} each=a..b text=c", "each=, name="),
        ("a.example.org\t/{key}\thttps://a.example.org/{key} text=c", "needs each="),
        ("a.example.org\t/{key}\thttps://a.example.org/{key} each=a", "needs each="),
        ("also\texample", "not a host's name"),
        ("also", "no host"),
    ],
)
def test_a_bad_line_is_refused_by_its_number(line: str, why: str) -> None:
    """G1: whoever writes the list is told where it is wrong, and why."""
    with pytest.raises(BadLinkHosts, match=r"^mine\.txt:3: ") as refused:
        read_link_hosts("mine.txt", f"# mine\n{GOOD}\n{line}\n")

    assert why in str(refused.value)
    assert (refused.value.name, refused.value.line_number) == ("mine.txt", 3)


@pytest.mark.parametrize(
    ("path", "link", "key"),
    [
        ("/{key}", "/abc", "abc"),
        ("/{key}", "/abc.py", "abc"),
        ("/{key}", "/abc/", "abc"),
        ("/{key}", "/a.b.c", None),
        ("/{key}", "/abc/def", None),
        ("/{key}", "/" + "a" * 65, None),
        ("/{key:3}", "/abc", "abc"),
        ("/{key:3}", "/ab", None),
        ("/{key:3}", "/abcd", None),
        ("/{key:2-3}", "/abcd", None),
        ("/{key:2-}", "/abcd", "abcd"),
        ("/{key:2-}", "/a", None),
        ("/{key}/raw", "/abc/raw", "abc"),
        ("/{key}/raw", "/a.b/raw", "a.b"),
        ("/{key}/raw", "/abc/raw.txt", None),
        ("/x.y/{key}", "/x.y/abc", "abc"),
        ("/x.y/{key}", "/xzy/abc", None),
    ],
)
def test_a_path_is_what_its_places_say(path: str, link: str, key: str | None) -> None:
    """B5: lengths, endings and slashes are as the manual tells."""
    line = f"a.example.org\t{path}\thttps://a.example.org/-/{{key}}"

    assert found(line, f"https://a.example.org{link}") == ([] if key is None else [f"https://a.example.org/-/{key}"])


def test_files_and_paths_keep_their_endings() -> None:
    """B5: where the ending is part of the address."""
    line = "a.example.org\t/f/{file} /p/{path}\thttps://a.example.org/x"

    (file,) = LinkFinder(read_link_hosts("l", line)).find("https://a.example.org/f/a.tar.gz")
    (path,) = LinkFinder(read_link_hosts("l", line)).find("https://a.example.org/p/a/b.c/d.log")

    assert (file.name, file.is_paste) == ("a.example.org/a.tar.gz", True)
    assert (path.name, path.is_paste) == ("d.log", False)


def test_an_answer_in_json_is_described_in_the_line() -> None:
    """B5: pastes of several files need no code."""
    line = "a.example.org\t/{key}\thttps://a.example.org/{key} each=r.files name=n text=c.v url=u cut=t"

    (rule,) = read_link_hosts("l", line).rules

    members = Members(each=("r", "files"), name=("n",), text=("c", "v"), url=("u",), cut=("t",))
    assert rule.addresses == (Address("https://a.example.org/{key}", members),)


def test_the_first_of_two_lists_is_tried_first() -> None:
    """An operator's line goes before the shipped one of the same host."""
    mine = read_link_hosts("mine", "pastebin.com\t/{key:8}\thttps://mirror.example.org/{key}\nalso\tc.example.org")
    finder = LinkFinder(mine + shipped_link_hosts())

    (link,) = finder.find("https://pastebin.com/AbCd1234")

    assert link.addresses[0].url == "https://mirror.example.org/AbCd1234"
    assert {"mirror.example.org", "c.example.org", "mclo.gs"} <= finder.hosts()


def test_two_empty_lists_are_one() -> None:
    """Nothing added is nothing changed."""
    assert LinkHosts() + shipped_link_hosts() == shipped_link_hosts()


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("a.bc", True),
        ("paste.example.org", True),
        ("xn--bcher-kva.example", True),
        ("a-b.example.org", True),
        ("localhost", False),
        ("127.0.0.1", False),
        ("1.2.3.0x4", False),
        ("0x7f000001", False),
        ("a..b", False),
        ("-a.example.org", False),
        ("a-.example.org", False),
        ("a.example.org.", False),
        ("A.example.org", False),
        ("a.example.org\n", False),
        ("a.example.org/", False),
        ("a@example.org", False),
        ("a.example.org:443", False),
        ("[::1]", False),
        ("bücher.example", False),
        ("a" * 64 + ".example", False),
        (("a" * 60 + ".") * 5 + "example", False),
        ("", False),
    ],
)
def test_what_is_a_host_name(name: str, is_one: bool) -> None:
    """E6: addresses in any spelling, single words, ports and users are none."""
    assert is_host_name(name) is is_one
    if not is_one:
        with pytest.raises(ValueError, match="host"):
            own_rule(name)


@given(
    st.lists(
        st.sampled_from([*"\t\n {}:/-.", "paste.example.org", "https://", "{key}", "{path}", "a", "login", "also"])
    )
)
def test_any_list_is_read_or_refused(pieces: list[str]) -> None:
    """E1: whatever stands in the file, it is a list or a BadLinkHosts, and never anything worse."""
    try:
        known = read_link_hosts("l", "".join(pieces))
    except BadLinkHosts:
        return
    assert all(is_host_name(host) for host in LinkFinder(known).hosts())
