"""Records by words of their message."""

import random
import re
import tracemalloc
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import suggesting
from bot.matching.facts import Facts
from bot.matching.scope import scope_of
from bot.suggesting import Suggestions, near_names
from tests.fakes import invented_facts

FACTS = [
    invented_facts("1" * 16, "Cannot open gate {name}", repo="a/gates", slug="cannot-open-gate"),
    invented_facts("2" * 16, "Cannot open the northern gate because it is frozen", repo="a/gates"),
    invented_facts("3" * 16, "Gate timeout", repo="b/timers", error_code="ETIMEDOUT", error_class="TimeoutError"),
    invented_facts("4" * 16, "x" * 300, repo="b/timers"),
    invented_facts("5" * 16, "Превышено\nвремя ожидания", repo="c/slova"),
]
SUGGESTIONS = Suggestions(FACTS)


def ids(text: str, **more: object) -> list[str]:
    return [found.record_id[0] for found in SUGGESTIONS.search(text, **more)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gate", ["1", "3", "2"]),
        ("open gate", ["1", "2"]),
        ("GATE Open", ["1", "2"]),
        ("gate tim", ["3"]),
        ("etimed", ["3"]),
        ("timeouterr", ["3"]),
        ("frozen nothing", ["2"]),
        ("время", ["5"]),
        ("cannot-open-gate", ["1", "2"]),
        ("zzz", []),
    ],
)
def test_records_that_hold_most_words_come_with_the_shortest_first(text: str, expected: list[str]) -> None:
    """Words are looked up by how they begin, in message, code, class and slug, in any script (B8)."""
    assert ids(text) == expected


def test_a_repository_narrows() -> None:
    """Only its own records."""
    assert ids("gate", repo="b/timers") == ["3"]
    assert ids("gate", repo="nobody/nothing") == []


def test_nothing_typed_finds_the_first_ones() -> None:
    """Autocomplete shows something before the first letter."""
    assert len(ids("", limit=3)) == 3
    assert ids("", repo="c/slova") == ["5"]


def test_at_most_so_many() -> None:
    """Discord takes 25 choices."""
    assert len(ids("gate", limit=1)) == 1
    assert len(Suggestions(invented_facts(f"{n:016x}", f"gate {n}") for n in range(99)).search("gate")) == 25


def test_titles_are_one_short_line() -> None:
    """A choice's name is at most 100 characters; the code goes in front."""
    titles = {found.record_id[0]: found.title for found in SUGGESTIONS.search("", limit=9)}

    assert titles["3"] == "ETIMEDOUT: Gate timeout"
    assert titles["4"].endswith("…")
    assert len(titles["4"]) == 100
    assert titles["5"] == "Превышено время ожидания"


def test_the_order_of_the_catalogue_makes_no_difference() -> None:
    """Equal titles are ordered by id (A11)."""
    assert Suggestions(FACTS[::-1]).search("gate") == SUGGESTIONS.search("gate")


def test_repositories_are_found_by_any_part_of_their_name() -> None:
    """In the order of the alphabet."""
    assert SUGGESTIONS.repositories("S") == ["a/gates", "b/timers", "c/slova"]
    assert SUGGESTIONS.repositories("TIM", limit=5) == ["b/timers"]
    assert SUGGESTIONS.repositories("", limit=2) == ["a/gates", "b/timers"]


WORDS = ("gate", "gates", "gated", "open", "opens", "Öffnen", "a", "ab", "abc", "frozen", "ß", "1", "12")


def read_through(facts: Sequence[Facts], text: str, most_for_a_word: int) -> list[str]:
    """What `search` finds, by reading all words of all records for each word of the text."""
    words_of = {one.id: {word.casefold() for word in re.findall(r"[^\W_]+", one.message)} for one in facts}
    counts = dict.fromkeys(words_of, 0)
    for typed in (word.casefold() for word in re.findall(r"[^\W_]+", text)):
        holding: set[str] = set()
        for known in sorted(set().union(*words_of.values())):
            if known.startswith(typed) and len(holding) <= most_for_a_word:
                holding |= {record_id for record_id, words in words_of.items() if known in words}
        for record_id in holding:
            counts[record_id] += 1
    most = max(counts.values(), default=0)
    best = [one for one in facts if counts[one.id] == most and (most or not text.split())]
    return [one.id for one in sorted(best, key=lambda one: (len(one.message), one.id))]


@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), max_size=12),
    st.lists(st.sampled_from((*WORDS, "g", "o", "zz")), max_size=4).map(" ".join),
    st.integers(0, 5),
)
def test_finds_what_reading_all_would_find(messages: list[str], text: str, most_for_a_word: int) -> None:
    """The index changes nothing but the time it takes, also where a word begins more records than are looked at."""
    facts = [invented_facts(f"{number:016x}", message) for number, message in enumerate(messages)]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(suggesting, "_MOST_FOR_A_WORD", most_for_a_word)
        known = Suggestions(facts)
        first, again = known.search(text), known.search(text)

    assert [found.record_id for found in first] == read_through(facts, text, most_for_a_word)
    assert again == first


def test_a_record_takes_little_memory() -> None:
    """153,000 records are to stay below 40 MB: 240 bytes each, for a slug of 40 characters, a title of 54 and 10 words."""
    chance = random.Random(7)
    vocabulary = [f"{chance.randrange(16**4):04x}" for _ in range(500)]
    messages = (" ".join(chance.choices(vocabulary, k=11)) for _ in range(20_000))
    named = (
        invented_facts(f"{number:016x}", message, slug=message[:40].replace(" ", "-"))
        for number, message in enumerate(messages)
    )
    tracemalloc.start()
    try:
        known = Suggestions(named)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert len(known) == 20_000
    assert kept / len(known) < 240


@given(st.text(max_size=100))
def test_no_text_is_too_strange(text: str) -> None:
    """Whatever is typed."""
    assert all(0 < len(found.title) <= 100 for found in SUGGESTIONS.search(text))


def test_a_scope_hides_everything_else() -> None:
    """Records, repositories and families outside are neither suggested nor counted among those that hold most words."""
    known = Suggestions(
        [
            invented_facts("1" * 16, "disk quota exceeded", repo="a/disks", family="quota"),
            invented_facts("2" * 16, "disk quota exceeded for user", repo="b/users", family="quota"),
            invented_facts("3" * 16, "disk is gone", repo="a/disks"),
        ]
    )

    assert [one.record_id for one in known.search("quota user", scope=scope_of(["a/disks"]))] == ["1" * 16]
    assert [one.record_id for one in known.search("", scope=scope_of(families=["quota"]))] == ["1" * 16, "2" * 16]
    assert known.repositories("", scope=scope_of(["b/users"])) == ["b/users"]
    assert known.repositories("S") == ["a/disks", "b/users"]
    assert known.families("QUO") == ["quota"]
    assert known.families("", scope=scope_of(["c/d"])) == []


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("burn", ["tracel-ai/burn"]),
        ("tracel/burn", ["tracel-ai/burn"]),
        ("Tracel-AI/bum", ["tracel-ai/burn"]),
        ("djangoo/django", ["django/django"]),
        ("zzz", []),
        (" ", []),
        ("x/", []),
    ],
)
def test_names_that_may_have_been_meant(typed: str, near: list[str]) -> None:
    """Such as hold what was typed, such as end like it, such as look like it."""
    assert near_names(typed, ["tracel-ai/burn", "django/django", "pallets/flask"]) == near
