"""Chains of errors: who is the cause, who wraps it."""

from bot.pastes.readers.found import Frame, Role
from bot.pastes.readers.links import Link, chain, number, status_in


def _link(message: str, role: Role | None = None) -> Link:
    return Link([message], 0, 0, error_class="E", role=role)


def test_the_deepest_link_is_the_root_cause() -> None:
    """Those above it are wrappers; one with a role of its own is no part of the chain."""
    links = [_link("outer"), _link("aside", Role.EARLIER), _link("middle"), _link("inner")]

    found = chain("java", links)

    assert [error.role for error in found] == [Role.WRAPPER, Role.EARLIER, Role.WRAPPER, Role.ROOT_CAUSE]


def test_an_error_alone_is_final() -> None:
    """What is suppressed beside it makes it no wrapper."""
    found = chain("java", [_link("only"), _link("aside", Role.EARLIER)])

    assert [error.role for error in found] == [Role.FINAL, Role.EARLIER]


def test_frames_are_turned_outermost_first_and_an_empty_message_is_the_class() -> None:
    """The tools of this family print the innermost frame first."""
    link = Link([""], 2, 5, error_class="NullPointerException", printed=[Frame("a.kt", 1), Frame("b.kt", 2)])

    found = link.found("java", Role.FINAL)

    assert [frame.file for frame in found.frames] == ["b.kt", "a.kt"]
    assert found.message == "NullPointerException"


def test_a_status_is_read_where_clients_put_it_and_nowhere_else() -> None:
    """A number among words is no status."""
    assert status_in("Response status code does not indicate success: 503 (Service Unavailable).") == 503
    assert status_in('404 : "no such dish"') == 404
    assert status_in("port 404 is taken") is None


def test_a_line_number_no_file_has_is_none() -> None:
    """Hostile digits become no huge integer."""
    assert number("12") == 12
    assert number("9" * 5000) is None
