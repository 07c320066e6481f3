"""What goes back to the author of a deleted message."""

from hypothesis import given
from hypothesis import strategies as st

from bot.cogs.given_back import INLINE_LENGTH, MOST_BYTES, MOST_FILES, given_back
from bot.cogs.replies import Shown
from tests.cogs.test_leaks import KEY


def shown(text: str, name: str | None = None) -> Shown:
    return Shown(text, 1, 2, name)


def test_a_short_text_is_shown() -> None:
    """F3: as it was, without the credential."""
    back = given_back([shown(f"a {KEY} b")])

    assert (back.text, back.files, back.left_out) == ("a [github token] b", (), 0)


def test_a_long_text_is_a_file() -> None:
    """F3: whole, before the message's own files; a text with a fence in it would break the one around it."""
    for text in (f"{KEY}\n" + "x" * INLINE_LENGTH, f"```\n{KEY}\n```"):
        back = given_back([shown(text), shown("y", "run.log")])

        assert back.text == ""
        assert [file.name for file in back.files] == ["message.txt", "run.log"]
        assert back.files[0].data.decode() == text.replace(KEY, "[github token]")


def test_names_are_safe_and_their_own() -> None:
    """C5, E6: no path, no mark, no secret in a name, and no two of one name."""
    names = [
        "../../etc/passwd",
        "a.zip/x/run.log",
        "b.zip/run.log",
        "RUN.LOG",
        f"{KEY}.txt",
        "@everyone\u202e.py",
        "///",
    ]

    back = given_back([shown("x", name) for name in names])

    assert [file.name for file in back.files] == [
        "passwd.txt",
        "run.log",
        "run-2.log",
        "RUN.log",
        "github_token_.txt",
        "everyone.py.txt",
        "file.txt",
    ]


def test_what_is_too_much_is_counted() -> None:
    """E5: Discord takes ten files, and so much at once."""
    many = given_back([shown("x", f"{number}.log") for number in range(MOST_FILES + 3)])
    large = given_back([shown("x" * (MOST_BYTES - 5), "a.log"), shown("y" * 10, "b.log"), shown("z", "c.log")])

    assert (len(many.files), many.left_out) == (MOST_FILES, 3)
    assert ([file.name for file in large.files], large.left_out) == (["a.log", "c.log"], 1)


@given(st.lists(st.tuples(st.text(max_size=200), st.none() | st.text(max_size=80)), max_size=14))
def test_nothing_planted_comes_back(texts: list[tuple[str, str | None]]) -> None:
    """F1, F3: whatever stands around it and whatever the files are called, the key is nowhere in what is sent."""
    back = given_back([shown(f"{text} {KEY} {text}", name) for text, name in texts])

    assert "a1B2c3D4" not in back.text
    assert not any(b"a1B2c3D4" in file.data for file in back.files)
    names = [file.name for file in back.files]
    assert len(set(names)) == len(names) <= MOST_FILES
    assert all(0 < len(name) <= 80 and "/" not in name and name.isascii() for name in names)
