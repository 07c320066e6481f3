"""What of the catalogue is looked at."""

import pytest

from bot.matching.scope import EVERYTHING, Scope, scope_of


@pytest.mark.parametrize(
    ("scope", "repo", "family", "is_held"),
    [
        (EVERYTHING, "a/b", None, True),
        (EVERYTHING, "a/b", "x", True),
        (scope_of(["a/b"]), "a/b", None, True),
        (scope_of(["A/b"]), "a/B", None, True),
        (scope_of(["a/b"]), "a/c", None, False),
        (scope_of(["a/b"]), "a/c", "x", False),
        (scope_of(families=["x"]), "a/c", "x", True),
        (scope_of(families=["x"]), "a/c", None, False),
        (scope_of(["a/b"], ["x"]), "a/b", None, True),
        (scope_of(["a/b"], ["x"]), "a/c", "x", True),
        (scope_of(["a/b"], ["x"]), "a/c", "y", False),
        (EVERYTHING.held_to(["a/b"]), "A/B", None, True),
        (EVERYTHING.held_to(["a/b"]), "a/c", "x", False),
        (scope_of(["a/c"], ["x"]).held_to(["a/b"]), "a/c", None, False),
        (scope_of(["a/c"], ["x"]).held_to(["a/b"]), "a/b", "x", True),
        (scope_of(["a/c"], ["x"]).held_to(["a/b"]), "a/b", None, False),
    ],
)
def test_a_record_is_in_by_its_repository_or_its_family(
    scope: Scope, repo: str, family: str | None, is_held: bool
) -> None:
    """Either choice lets a record in; what the process is held to keeps it out all the same; case says nothing."""
    assert scope.holds(repo, family) is is_held


def test_only_what_holds_everything_says_so() -> None:
    """A scope that is held back is not everything, and held back by nothing it is."""
    assert EVERYTHING.is_everything
    assert EVERYTHING.held_to(()).is_everything
    assert not EVERYTHING.held_to(["a/b"]).is_everything
    assert not scope_of(["a/b"]).is_everything
    assert not scope_of(families=["x"]).is_everything
