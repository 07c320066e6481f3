"""Links to pastes are found in texts, and become the addresses of the raw texts."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pastes.link_hosts import LinkHosts, read_link_hosts, shipped_link_hosts
from bot.pastes.links import LinkFinder, PasteLink

FINDER = LinkFinder(shipped_link_hosts())
SHA = "0123456789abcdef0123456789abcdef01234567"
GIST = "0123456789abcdef0123456789abcdef"
PASTE_GG = "https://api.paste.gg/v1/pastes/{}?full=true"
AZURE = "productionresultssa7.blob.core.windows.net"

# What a link looks like, and the addresses its text is looked for at, in their order.
TABLE: dict[str, tuple[str, ...]] = {
    "https://pastebin.com/AbCd1234": ("https://pastebin.com/raw/AbCd1234",),
    "https://www.pastebin.com/AbCd1234": ("https://pastebin.com/raw/AbCd1234",),
    "https://pastebin.com/raw/AbCd1234": ("https://pastebin.com/raw/AbCd1234",),
    "https://pastebin.com/dl/AbCd1234": ("https://pastebin.com/raw/AbCd1234",),
    "https://hastebin.com/ohiwoxotib": ("https://hastebin.com/raw/ohiwoxotib",),
    "https://www.hastebin.com/ohiwoxotib": ("https://hastebin.com/raw/ohiwoxotib",),
    "https://hastebin.com/share/ohiwoxotib.rust": ("https://hastebin.com/raw/ohiwoxotib",),
    "https://www.toptal.com/developers/hastebin/raw/abc": ("https://www.toptal.com/developers/hastebin/raw/abc",),
    "https://toptal.com/developers/hastebin/abc.sql": ("https://www.toptal.com/developers/hastebin/raw/abc",),
    "https://hst.sh/oqevumujij.properties": ("https://hst.sh/raw/oqevumujij",),
    "https://hasteb.in/raw/abc": ("https://hasteb.in/raw/abc",),
    "https://paste.md-5.net/diyajatuto.sql": ("https://paste.md-5.net/raw/diyajatuto",),
    "https://paste.helpch.at/abc": ("https://paste.helpch.at/raw/abc",),
    "https://paste.ivr.fi/abc": ("https://paste.ivr.fi/raw/abc",),
    "https://haste.zneix.eu/abc": ("https://haste.zneix.eu/raw/abc",),
    "https://bin.birdflop.com/abc": ("https://bin.birdflop.com/raw/abc",),
    f"https://gist.github.com/ann/{GIST}": (
        f"https://api.github.com/gists/{GIST}",
        f"https://gist.github.com/ann/{GIST}/raw",
    ),
    f"https://gist.github.com/ann/{GIST}/raw": (
        f"https://api.github.com/gists/{GIST}",
        f"https://gist.github.com/ann/{GIST}/raw",
    ),
    f"https://gist.github.com/ann/{GIST}#file-build-log": (
        f"https://api.github.com/gists/{GIST}",
        f"https://gist.github.com/ann/{GIST}/raw",
    ),
    f"https://gist.github.com/{GIST}": (
        f"https://api.github.com/gists/{GIST}",
        f"https://gist.github.com/{GIST}/raw",
    ),
    f"https://gist.github.com/ann/{GIST}/{SHA}": (
        f"https://api.github.com/gists/{GIST}/{SHA}",
        f"https://gist.github.com/ann/{GIST}/raw/{SHA}",
    ),
    f"https://gist.githubusercontent.com/ann/{GIST}/raw": (f"https://gist.githubusercontent.com/ann/{GIST}/raw",),
    f"https://gist.githubusercontent.com/ann/{GIST}/raw/{SHA}/build.log": (
        f"https://gist.githubusercontent.com/ann/{GIST}/raw/{SHA}/build.log",
    ),
    f"https://gist.github.com/ann/{GIST}/raw/{SHA}/build.log": (
        f"https://gist.githubusercontent.com/ann/{GIST}/raw/{SHA}/build.log",
    ),
    "https://mclo.gs/qLHAQBz": ("https://api.mclo.gs/1/raw/qLHAQBz",),
    "https://mclo.gs/qLHAQBz#L12": ("https://api.mclo.gs/1/raw/qLHAQBz",),
    "https://www.mclo.gs/raw/qLHAQBz": ("https://api.mclo.gs/1/raw/qLHAQBz",),
    "https://api.mclo.gs/1/raw/qLHAQBz": ("https://api.mclo.gs/1/raw/qLHAQBz",),
    "https://pastes.dev/AbCd12": ("https://api.pastes.dev/AbCd12",),
    "https://api.pastes.dev/AbCd12": ("https://api.pastes.dev/AbCd12",),
    "https://bytebin.lucko.me/AbCd12": ("https://bytebin.lucko.me/AbCd12",),
    "https://paste.lucko.me/AbCd12": ("https://paste.lucko.me/raw/AbCd12",),
    "https://paste.ee/p/pLpR9": ("https://paste.ee/r/pLpR9",),
    "https://paste.ee/d/pLpR9": ("https://paste.ee/r/pLpR9",),
    "https://paste.ee/r/pLpR9/0": ("https://paste.ee/r/pLpR9/0",),
    f"https://paste.gg/p/anonymous/{GIST}": (PASTE_GG.format(GIST),),
    f"https://paste.gg/p/ann/{GIST}/files/{GIST}/raw": (f"https://paste.gg/p/ann/{GIST}/files/{GIST}/raw",),
    f"https://paste.gg/{GIST}": (PASTE_GG.format(GIST),),
    "https://bpa.st/ABCD": ("https://bpa.st/api/v1/paste/ABCD", "https://bpa.st/raw/ABCD"),
    "https://bpa.st/show/ABCD": ("https://bpa.st/api/v1/paste/ABCD", "https://bpa.st/raw/ABCD"),
    "https://bpaste.net/raw/ABCD": ("https://bpaste.net/api/v1/paste/ABCD", "https://bpaste.net/raw/ABCD"),
    "https://paste.pythondiscord.com/ABCD": (
        "https://paste.pythondiscord.com/api/v1/paste/ABCD",
        "https://paste.pythondiscord.com/raw/ABCD",
    ),
    "https://rentry.co/my-log": ("https://rentry.co/my-log/raw",),
    "https://rentry.org/my_log/raw": ("https://rentry.co/my_log/raw",),
    "https://www.rentry.co/mylog": ("https://rentry.co/mylog/raw",),
    "https://0x0.st/HxYz.txt": ("https://0x0.st/HxYz.txt",),
    "https://0x0.st/s/AbCdEf/HxYz.log": ("https://0x0.st/s/AbCdEf/HxYz.log",),
    "https://x0.at/abc.txt": ("https://x0.at/abc.txt",),
    "https://ttm.sh/abc.txt": ("https://ttm.sh/abc.txt",),
    "https://envs.sh/abc.txt": ("https://envs.sh/abc.txt",),
    "https://termbin.com/a1b2": ("https://termbin.com/a1b2",),
    "http://ix.io/4abc": ("https://ix.io/4abc",),
    "http://ix.io/4abc/rust": ("https://ix.io/4abc",),
    "http://sprunge.us/AbCdEf?py": ("https://sprunge.us/AbCdEf",),
    "https://clbin.com/AbCdE": ("https://clbin.com/AbCdE",),
    "https://paste.rs/AbC.rs": ("https://paste.rs/AbC",),
    "https://p.ip.fi/AbCd": ("https://p.ip.fi/AbCd",),
    "https://dpaste.com/ABCDEF123": ("https://dpaste.com/ABCDEF123.txt",),
    "https://dpaste.com/ABCDEF123.txt": ("https://dpaste.com/ABCDEF123.txt",),
    "https://dpaste.org/AbCd": ("https://dpaste.org/AbCd/raw",),
    "https://dpaste.org/AbCd/raw": ("https://dpaste.org/AbCd/raw",),
    "https://paste.debian.net/1234567/": ("https://paste.debian.net/plain/1234567",),
    "https://paste.debian.net/hidden/abcdef12/": ("https://paste.debian.net/plainh/abcdef12",),
    "https://paste.opensuse.org/pastes/c6b44a4e7ec3": ("https://paste.opensuse.org/pastes/c6b44a4e7ec3/raw",),
    "https://paste.centos.org/view/ee98ba05": ("https://paste.centos.org/view/raw/ee98ba05",),
    "https://paste.mozilla.org/AbCd": ("https://paste.mozilla.org/AbCd/raw",),
    "https://pastebin.mozilla.org/AbCd/raw": ("https://paste.mozilla.org/AbCd/raw",),
    "https://paste.myst.rs/jchfytgr": ("https://paste.myst.rs/api/v2/paste/jchfytgr",),
    "https://mystb.in/AbCdEf": ("https://mystb.in/api/paste/AbCdEf",),
    "https://github.com/o/r/actions/runs/123": (),
    "https://github.com/o/r/actions/runs/123/job/456?pr=7#step:4:17": (),
    "https://github.com/o/r/runs/123": (),
    f"https://github.com/o/r/commit/{SHA}/checks/123/logs/4": (),
    **{
        f"https://productionresultssa{number}.blob.core.windows.net/actions-results/a-b/job-logs.txt?se=1%3A2&sig=a%3D": (
            f"https://productionresultssa{number}.blob.core.windows.net/actions-results/a-b/job-logs.txt?se=1%3A2&sig=a%3D",
        )
        for number in range(20)
    },
    "https://github.com/o/r/blob/main/logs/build.log?plain=1": (
        "https://raw.githubusercontent.com/o/r/main/logs/build.log",
    ),
    "https://github.com/o/r.x/raw/main/a.log": ("https://raw.githubusercontent.com/o/r.x/main/a.log",),
    "https://github.com/o/r/files/123/crash.txt": ("https://github.com/o/r/files/123/crash.txt",),
    "https://github.com/user-attachments/files/123/crash.log": (
        "https://github.com/user-attachments/files/123/crash.log",
    ),
    "https://raw.githubusercontent.com/o/r/main/a%20b.log": ("https://raw.githubusercontent.com/o/r/main/a%20b.log",),
    "https://gitlab.com/-/snippets/123": ("https://gitlab.com/-/snippets/123/raw",),
    "https://gitlab.com/snippets/123": ("https://gitlab.com/-/snippets/123/raw",),
    "https://gitlab.com/group/sub/repo/-/snippets/123/raw": ("https://gitlab.com/group/sub/repo/-/snippets/123/raw",),
    "https://gitlab.com/group/repo/-/jobs/123": ("https://gitlab.com/group/repo/-/jobs/123/raw",),
    "https://gitlab.com/group/repo/-/jobs/123/raw": ("https://gitlab.com/group/repo/-/jobs/123/raw",),
}
DISGUISES = {
    "alone": "{}",
    "in a sentence": "see {}, please",
    "full stop": "it is here: {}.",
    "question": "what about {}?",
    "exclamation": "{}!!",
    "brackets": "(log: {})",
    "square brackets": "[{}]",
    "no preview": "<{}>",
    "markdown link": "[my log]({})",
    "markdown link without preview": '[my log](<{}> "title")',
    "bold": "**{}**",
    "italics": "_{}_",
    "struck out": "~~{}~~",
    "spoiler": "||{}||",
    "inline code": "`{}`",
    "quoted": '"{}"',
    "smart quotes": "„{}“",
    "ellipsis": "{}…",
    "quote": "> {}\n> thanks",
    "list": "- {}\n- that was it",
    "next line": "log:\n{}\nhelp",
    "another script": "ログ：{}、お願いします",
}


def addresses(links: tuple[PasteLink, ...]) -> list[tuple[str, ...]]:
    return [tuple(address.url for address in link.addresses) for link in links]


@pytest.mark.parametrize("link", TABLE)
def test_a_link_becomes_the_addresses_of_its_text(link: str) -> None:
    """B5: each host in each of its forms."""
    (found,) = FINDER.find(link)

    assert addresses((found,)) == [TABLE[link]]
    assert found.needs_login == (not TABLE[link])


def test_every_host_of_the_list_stands_in_the_table() -> None:
    """B5: a line of the list that no link of the table goes by would be proven by nothing."""
    for rule in shipped_link_hosts().rules:
        linked = [link.partition("://")[2].partition("/") for link in TABLE]
        paths = ["/" + path.partition("?")[0].partition("#")[0] for host, _, path in linked if host in rule.hosts]

        assert {*rule.hosts} <= {host for host, _, _ in linked}
        assert any(form.regex.fullmatch(path) for form in rule.forms for path in paths), rule


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_link_is_found_whatever_stands_around_it(disguise: str) -> None:
    """B5: punctuation, brackets, `<url>`, a markdown link and formatting belong to the text, not to the link."""
    for link, expected in TABLE.items():
        assert addresses(FINDER.find(DISGUISES[disguise].format(link))) == [expected], link


@pytest.mark.parametrize("link", [link for link in TABLE if "?" not in link and "#" not in link])
def test_a_query_and_an_anchor_are_passed_over(link: str) -> None:
    """B5: what sites and clients put behind a link changes nothing."""
    for tail in ("?utm_source=discord", "#L10-L20", "?a=b#c", "?", "#"):
        assert addresses(FINDER.find(link + tail)) == [TABLE[link]], tail


@pytest.mark.parametrize("link", TABLE)
def test_letter_case_of_scheme_and_host_makes_no_difference(link: str) -> None:
    """E6: a host is what DNS takes it for."""
    scheme, _, rest = link.partition("://")
    host, slash, path = rest.partition("/")

    assert addresses(FINDER.find(f"{scheme.upper()}://{host.upper()}{slash}{path}")) == [TABLE[link]]


@pytest.mark.parametrize(
    "link",
    [
        "https://pastebin.com.evil.example/AbCd1234",
        "https://evil-pastebin.com/AbCd1234",
        "https://sub.pastebin.com/AbCd1234",
        "https://pastebin.com@evil.example/AbCd1234",
        "https://user@pastebin.com/AbCd1234",
        "https://user:password@pastebin.com/AbCd1234",
        "https://evil.example\\@pastebin.com/AbCd1234",
        "https://evil.example/https://pastebin.com",
        "https://pastebin.com:8443/AbCd1234",
        "https://pastebin.com:443/AbCd1234",
        "https://pastebin.com./AbCd1234",
        "https://pastebin.com%2f@evil.example/AbCd1234",
        "https://pastebin.com%00.evil.example/AbCd1234",
        "https://pastebin\u00ad.evil.example/AbCd1234",
        "https://xn--pastebin.com/AbCd1234",
        "https://127.0.0.1/AbCd1234",
        "https://[::1]/AbCd1234",
        "ftp://pastebin.com/AbCd1234",
        "file://pastebin.com/AbCd1234",
        "pastebin.com/AbCd1234",
        "https:/pastebin.com/AbCd1234",
        "https:pastebin.com/AbCd1234",
        "https://pastebin.com",
        "https://pastebin.com/",
        "https://pastebin.com/archive",
        "https://pastebin.com/u/somebody",
        "https://pastebin.com/raw/../AbCd1234",
        "https://pastebin.com//AbCd1234",
        "https://hst.sh/%2e%2e/raw",
        "https://hst.sh/a%2fb",
        "https://gist.github.com/ann",
        "https://github.com/o/r",
        "https://github.com/o/r/issues/5",
        "https://github.com/o/r/actions",
        "https://raw.githubusercontent.com/o/r/../../x/y/z.log",
        "https://raw.githubusercontent.com/o/r/%2E%2E/z.log",
        "https://other.blob.core.windows.net/actions-results/a/job-logs.txt",
        "https://discord.com/channels/1/2/3",
        "https://cdn.discordapp.com/attachments/1/2/a.log",
    ],
)
def test_what_only_looks_like_a_paste_is_none(link: str) -> None:
    """E6: the host is compared whole; users, ports, other schemes and other pages of a site lead nowhere."""
    assert FINDER.find(link) == ()


def test_a_host_in_other_letters_that_dns_takes_for_it_is_asked_by_its_own_name() -> None:
    """E6: wide letters are folded as DNS does it; the address is built from the list, not from the link."""
    assert addresses(FINDER.find("https://ｐａｓｔｅｂｉｎ.com/AbCd1234")) == [("https://pastebin.com/raw/AbCd1234",)]
    assert FINDER.find("https://pаstebin.com/AbCd1234") == ()  # the first "а" is Cyrillic


def test_links_come_in_their_order_each_paste_once() -> None:
    """C1: the same paste, linked as itself and as raw text, is one."""
    found = FINDER.find("https://hst.sh/b.py https://hst.sh/raw/a https://hst.sh/raw/b https://hst.sh/a?x")

    assert [link.name for link in found] == ["hst.sh/b", "hst.sh/a"]


def test_a_program_that_prints_where_it_downloads_from_links_to_no_file() -> None:
    """In a code block the address of a file is output; a paste is what people put into one by habit."""
    text = (
        "```\nerror: could not fetch https://raw.githubusercontent.com/o/r/main/install.txt\n"
        "log at https://hst.sh/abc\n```\nand https://raw.githubusercontent.com/o/r/main/build.log"
    )

    assert [link.name for link in FINDER.find(text)] == ["hst.sh/abc", "build.log"]
    assert [link.name for link in FINDER.find(text.replace("\n```\n", "\n"))] == ["hst.sh/abc"]  # it is never closed


def test_names_say_where_a_text_comes_from() -> None:
    """A paste is called by host and key, a file by its own name."""
    links = [
        "https://paste.ee/r/abc/0",
        f"https://gist.github.com/ann/{GIST}",
        "https://github.com/o/r/raw/main/x/a.log",
    ]

    assert [(link.name, link.is_paste) for link in FINDER.find(" ".join(links))] == [
        ("paste.ee/abc", True),
        (f"gist.github.com/{GIST}", True),
        ("a.log", False),
    ]


def test_a_servers_own_host_is_taken_for_a_hastebin() -> None:
    """B5: a name is enough; it holds for who has set it alone, and what is no host name is passed over."""
    text = "https://paste.example.org/abc.log https://paste.example.org/raw/def https://Bücher.example.org/x"
    own = ("paste.example.org", "xn--bcher-kva.example.org", "10.0.0.1", "localhost", "https://x", "a b", "")

    assert FINDER.find(text) == ()
    assert addresses(FINDER.find(text, own)) == [
        ("https://paste.example.org/raw/abc",),
        ("https://paste.example.org/raw/def",),
        ("https://xn--bcher-kva.example.org/raw/x",),
    ]
    assert FINDER.hosts(own) - FINDER.hosts() == {"paste.example.org", "xn--bcher-kva.example.org"}


def test_a_known_host_cannot_be_made_another() -> None:
    """A server that names a known site as its own changes nothing of how it is read."""
    found = FINDER.find("https://mclo.gs/qLHAQBz", ("mclo.gs",))

    assert addresses(found) == [("https://api.mclo.gs/1/raw/qLHAQBz",)]


def test_hosts_are_those_of_links_addresses_and_what_they_lead_to() -> None:
    """E6: what may be asked is what the list says."""
    known = read_link_hosts(
        "list", "a.example.org\t/{key}\thttps://b.example.org/{key}\thttps://{host}/{key}\nalso\tc.example.org\n"
    )

    assert LinkFinder(known).hosts() == {"a.example.org", "b.example.org", "c.example.org"}
    assert LinkFinder(LinkHosts()).hosts() == frozenset()


_PIECES = [
    *TABLE,
    *DISGUISES.values(),
    "https://",
    "http://user@",
    "@",
    ":443",
    "\\",
    "%2e",
    "..",
    "\0",
    "```",
    "#",
    "?",
]
_TEXTS = st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=8)), max_size=8).map("".join)


@given(_TEXTS, st.lists(st.one_of(st.text(max_size=20), st.just("paste.example.org")), max_size=3))
def test_no_text_leads_anywhere_but_to_the_hosts_of_the_list(text: str, own: list[str]) -> None:
    """E1, E6: whatever is written, nothing raises, and every address is https at a host that may be asked."""
    hosts = FINDER.hosts(own)
    assert hosts - FINDER.hosts() <= {*own}

    for link in FINDER.find(text, own):
        assert link.name.isascii()
        assert link.name.isprintable()
        for address in link.addresses:
            host, slash, path = address.url.removeprefix("https://").partition("/")
            assert address.url.startswith("https://")
            assert host in hosts
            assert slash
            assert ".." not in path.split("/")
            assert path.isascii()
            assert not {*path} & {*' \\<>"{}\r\n\t'}


@pytest.mark.parametrize(
    "text",
    ["https://gitlab.com/" + "a/-/jobs/" * 400, "https://" * 5000, "https://github.com/" + "a/" * 2000, "http" * 9999],
)
def test_a_long_link_takes_no_long_time(text: str) -> None:
    """E3: nothing a message may hold keeps the event loop for a noticeable time."""
    begun = time.process_time()
    FINDER.find(text)

    # Milliseconds; a search that backtracks takes minutes.
    assert time.process_time() - begun < 2
