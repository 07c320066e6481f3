"""A paste, read once."""

from hypothesis import example, given
from hypothesis import strategies as st

from bot.matching.reading import read
from bot.pastes.paste import Part, Paste
from tests.matching.by_hand import reading_of

TRACEBACK = (
    "Traceback (most recent call last):\n"
    '  File "app.py", line 3, in <module>\n'
    "    pull()\n"
    "hawser.TensionError: the line is too short"
)


def test_parts_are_read_apart_and_their_evidence_together() -> None:
    """A message and its log are two texts of one question."""
    reading = read(Paste((Part("what is this?"), Part(TRACEBACK, "message.txt"))))

    assert [part.signs.is_error for part in reading.parts] == [False, True]
    assert reading.is_error
    assert reading.evidence.ecosystems == {"python"}
    assert "tensionerror" in reading.evidence.classes


def test_why_it_is_an_error_is_said_of_the_part_that_is_one() -> None:
    """The sentence names the line and what it is."""
    assert "head of a traceback" in read(Paste((Part("hi"), Part(TRACEBACK)))).why_error
    assert "no line looks like" in reading_of("good morning").why_error
    assert read(Paste(())).why_error == "there is no text"


def test_the_strongest_sign_is_named_every_time() -> None:
    """Which sign is named depends on nothing but the text (A11)."""
    text = "2026-01-01 12:00:00 ERROR a\nValueError: b\nTraceback (most recent call last):\n  File 'x', line 1"

    assert "line 3 is the head" in reading_of(text).why_error


def test_the_last_errors_of_a_log_are_asked_first() -> None:
    """What a program says when it dies matters more than what it survived."""
    text = "\n".join(f"2026-01-01 12:00:0{second} ERROR grain {second} is wet" for second in range(9))

    queries = reading_of(text).queries()

    assert "grain 8" in queries[0]
    assert len(queries) <= 7


def test_a_question_is_asked_as_it_stands() -> None:
    """A sentence without any sign is one query."""
    assert reading_of("my silo is empty\nand the hopper starves").queries() == [
        "my silo is empty and the hopper starves"
    ]


def test_what_follows_the_head_of_a_panic_is_asked() -> None:
    """The message of a panic stands on the line behind its head."""
    assert "hopper starved" in reading_of("thread 'main' panicked at src/hopper.rs:1:1:\nhopper starved").queries()


def test_prefixes_of_a_log_are_no_part_of_a_question() -> None:
    """Timestamps and levels are near every log."""
    assert reading_of("2026-01-01 12:00:00 ERROR the hopper starved again").queries()[0] == "the hopper starved again"


def test_frames_are_not_asked() -> None:
    """Texts that share only stack frames are not alike (A9)."""
    queries = reading_of("\n".join(f'  File "lib{n}.py", line {n}' for n in range(400)) + "\n" + TRACEBACK).queries()

    assert queries[0] == "the line is too short"
    assert not any("lib3" in query for query in queries)


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=2_000))
@example("\ud800 Error: \udfff half a pair")
def test_any_text_can_be_read(text: str) -> None:
    """Reading never fails, not even for half a surrogate pair; queries are short and few."""
    reading = reading_of(text)

    assert all(len(query) <= 1_500 and query.strip() for query in reading.queries())
    assert len(reading.queries()) <= 7
    assert reading.why_error
