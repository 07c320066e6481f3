"""Records by words of their message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
