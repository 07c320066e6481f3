"""The laws hold for what people send, and for every input that has broken one before."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.pastes.redaction import redact
from tests.fuzzing import laws
from tests.fuzzing.targets import TARGETS

# What fuzzing found, as `python -m tests.fuzzing` prints it; each was a fault, and has its own test beside the fixed file.
KNOWN: tuple[tuple[str, bytes], ...] = (
    ("spelling", b"&lt\x00;"),
    ("spelling", "＆lt;".encode()),
    ("signs", b"\xff"),
    ("redaction", b"me" + b"/home/t" * 20),
    ("readers", b"CMake Warning (dev) at C:\n"),
    ("readers", b"In-Rod: Response status code does not indicate success: 639"),
    ("readers", b'{"t":{"$date":""},"s":"E","":""}'),
    ("readers", b"thread '' panicked at s:1:5:\n---"),
    ("readers", b"r: \nat d (s:6:1 {\n{\n}\nstatus: 804"),
)


@pytest.mark.parametrize(("name", "data"), KNOWN)
def test_what_was_found_stays_fixed(name: str, data: bytes) -> None:
    """An input that broke a law once does so no more."""
    TARGETS[name].law(data)


@pytest.mark.parametrize("name", TARGETS)
def test_laws_hold_for_all_seeds(name: str) -> None:
    """Fuzzing begins with inputs that fit: a fault found later is one of a change."""
    seeds = TARGETS[name].seeds()

    for seed in seeds:
        TARGETS[name].law(seed)
    assert len(seeds) >= 3
    assert any(len(seed) > 100 for seed in seeds)


@settings(max_examples=60, deadline=None)
@given(st.data())
@pytest.mark.parametrize("name", TARGETS)
def test_laws_hold_for_changed_seeds(name: str, data: st.DataObject) -> None:
    """E1: no seed that was cut, overwritten or joined with another breaks a law; nothing is raised."""
    seeds = st.sampled_from(TARGETS[name].seeds())
    first, second = data.draw(seeds)[:2_000], data.draw(seeds)[:500]
    at, length = data.draw(st.integers(0, len(first))), data.draw(st.integers(0, 40))
    between = data.draw(st.binary(max_size=20))

    TARGETS[name].law(first[:at] + between + second + first[at + length :])


@given(st.sampled_from(laws.TOKENS), st.text(max_size=60), st.text(max_size=60))
@example(laws.TOKENS[0], "password: ", "'")
def test_a_token_in_white_space_is_found_in_any_text(token: str, before: str, after: str) -> None:
    """F1: whatever stands around it, and in whatever script."""
    redacted = redact(f"{before} {token} {after}")

    assert token not in redacted.text
    assert any(finding.credential for finding in redacted.findings)


def _leaving(text: str) -> object:
    return type("Left", (), {"text": text, "findings": ()})()


@pytest.mark.parametrize(
    ("name", "door", "broken"),
    [
        ("redaction", "redact", _leaving),
        ("spelling", "normalise_line", lambda text: f"{text} "),
        ("decoding", "decode", lambda data: "x" * (len(data) + 1)),
    ],
)
def test_a_law_is_broken_by_a_door_that_does_nothing(
    monkeypatch: pytest.MonkeyPatch, name: str, door: str, broken: object
) -> None:
    """A law that no fault can break would find none."""
    monkeypatch.setattr(laws, door, broken)

    with pytest.raises(laws.BrokenLaw):
        TARGETS[name].law(b"\0\x80an error of some words\nand another line")
