"""Masks: noise gives way to placeholders, and stays away."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.triage.masks import BadNoiseFile, mask, read_masks, shipped_masks

PIECES = st.sampled_from(
    [
        "/home/a/b.py:3",
        "C:\\x\\y.txt(3)",
        "10.0.0.1",
        ":5432",
        "0xdead",
        "'a b'",
        '"',
        "'",
        "`x`",
        "3.5s",
        "<ip>",
        "<",
        ">",
        "a1b2c3d4",
        "status 404",
        "port 80",
        "2026-01-02 03:04:05",
        "12:00:01",
        "\x1b[31m",
        "::1",
        "fe80::1",
        "e@x.org",
        "https://x.y/z?q",
        " ",
        "\n",
        "-",
        "+1",
        "é",
        "日本",
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=12).map("".join))


@given(TEXTS)
def test_masking_twice_is_masking_once(text: str) -> None:
    """H4: a masked text has nothing left to mask, so a fingerprint is stable."""
    once = mask(text, shipped_masks())

    assert mask(once, shipped_masks()) == once


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("2026-11-30T12:00:01.123Z start", "<time> start"),
        ("[12:00:01] start", "[<time>] start"),
        ("refused on 10.0.0.1:5432", "refused on <ip>:5432"),
        ("refused on 192.168.7.9:6379", "refused on <ip>:6379"),
        ("connect ::1 failed", "connect <ip> failed"),
        ('File "/home/me/app/x.py", line 3', "File <quoted>, line <number>"),
        ("at /srv/app/x.js:10:20 now", "at <path> now"),
        ("at C:\\Users\\me\\x.cs(10,20) now", "at <path> now"),
        ("see https://example.org/a?b=c.", "see <url>"),
        ("mail me@example.org", "mail <email>"),
        ("object 0x7f3a at 550e8400-e29b-41d4-a716-446655440000", "object <hex> at <uuid>"),
        ("commit d16f7ba2ed", "commit <hex>"),
        ("KeyError: 'name'", "KeyError: <quoted>"),
        ("can't open, won't start", "can't open, won't start"),
        ("took 12.5s for 300 items, 20 %", "took <duration> for <number> items, <number> %"),
        ("error TS2345: Argument", "error TS2345: Argument"),
        ("error[E0425]: cannot find", "error[E0425]: cannot find"),
        ("status code 404", "status code 404"),
        ("exit code 137", "exit code 137"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("Fehler: 数据 3 не найден", "Fehler: 数据 <number> не найден"),
    ],
)
def test_noise_gives_way_and_the_error_stays(text: str, masked: str) -> None:
    """What differs between two pastes of one error is masked; codes, ports and letters of any script are not."""
    assert mask(text, shipped_masks()) == masked


def test_what_is_kept_is_kept_from_later_masks() -> None:
    """A <keep> line protects its match, a <> line removes it."""
    masks = read_masks("m", "# a comment\n<keep>\tv\\d\n<>\tx+\n<number>\t\\d\n")

    assert mask("v1 2 xx", masks) == "v1 <number> "


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("<ip> \\d", "m:1: there is no tab"),
        ("\n<ip>\t(", "m:2: RE2 refuses"),
        ("ip\t\\d", "is not a placeholder"),
        ("<ip>\t\\d*", "matches nothing at all"),
        ("<ip>\t(?=x)", "RE2 refuses"),
    ],
)
def test_a_bad_line_is_named(content: str, complaint: str) -> None:
    """File, line and reason are told."""
    with pytest.raises(BadNoiseFile, match=complaint):
        read_masks("m", content)
