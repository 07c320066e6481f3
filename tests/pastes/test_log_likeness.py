"""Which files read like a program's output."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pastes.log_likeness import reads_like_output
from tests.pastes.packing import LOG, README, SOURCE

PYTHON = 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    run()\nValueError: no store\n'
JOURNAL = "Mar 04 10:11:12 host app[12]: starting\nMar 04 10:11:13 host app[12]: ready\n" * 9
CONTAINERS = "web-1  | 2026-03-04T10:11:12.123Z listening\nweb-1  | 2026-03-04T10:11:13.124Z GET /\n" * 9
LEVELS = "INFO: loading\nWARNING: slow disk\nINFO: done\n" * 9
BUILD = "   Compiling widget v0.1.0\nerror[E0308]: mismatched types\n --> src/main.rs:3:5\n"
CALM = "10:00:01.123 [main] INFO starting\n\tdetails of it\n10:00:02,456 DEBUG more\n" * 9


@pytest.mark.parametrize("text", [LOG, PYTHON, JOURNAL, CONTAINERS, LEVELS, BUILD, CALM])
def test_output_reads_like_output(text: str) -> None:
    """B4: a log need not show an error, and an error need not stand in a log."""
    assert reads_like_output(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        README,
        SOURCE,
        f"# Troubleshooting\n\nIf you see this:\n\n```\n{PYTHON}```\n\n## Fix\n\nInstall it.\n",
        "time,open,close\n2026-03-04 10:11:12,1.5,2\n2026-03-04 10:11:13,1.6,3\n" * 30,
        "body { color: red; }\n.error { color: blue; }\n" * 9,
        "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\n",
        '{"name": "widget", "version": "1.2.3", "scripts": {"build": "tsc"}}',
        "numpy==2.1\nrequests>=2\n",
        "At 10:00 we meet.\nBring your laptop; the error is known.\n",
        'fn main() {\n    panic!("no");\n}\n',
    ],
)
def test_documents_sources_and_tables_do_not(text: str) -> None:
    """A6: what merely speaks of errors, or could raise one, is no output."""
    assert not reads_like_output(text)


@pytest.mark.parametrize("place", ["head", "middle", "tail"])
def test_a_death_is_found_anywhere(place: str) -> None:
    """B1: in a long text without stamps a traceback counts wherever it stands."""
    noise = "step is done and the next one is begun\n" * 20_000
    text = {"head": PYTHON + noise, "middle": noise + PYTHON + noise, "tail": noise + PYTHON}[place]

    assert reads_like_output(text)
    assert not reads_like_output(noise)


@given(st.text(max_size=500))
def test_nothing_raises(text: str) -> None:
    """E1: every text reads like output or does not."""
    assert reads_like_output(text) in {True, False}
