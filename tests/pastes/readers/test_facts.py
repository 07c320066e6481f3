"""Numbers a message states about itself."""

import pytest

from bot.pastes.readers.facts import with_facts
from bot.pastes.readers.found import FoundError, Role, Span


@pytest.mark.parametrize(
    ("message", "code", "status", "sqlstate"),
    [
        ("404 Client Error: Not Found for url: https://x", None, 404, None),
        ("Request failed with status code 502", None, 502, None),
        ("server answered HTTP/1.1 503 Service Unavailable", None, 503, None),
        ("429 Too Many Requests (error code: 0)", None, 429, None),
        ("SQLSTATE[42S02]: Base table or view not found", None, None, "42S02"),
        ("[Errno 13] Permission denied", "Errno 13", None, None),
        ("connect ECONNREFUSED 127.0.0.1:5432", "ECONNREFUSED", None, None),
        ("ORA-00942: table or view does not exist", "ORA-00942", None, None),
        ("Unhandled 0x80070005", "0x80070005", None, None),
        ("expected 404 rows, got 500 ms", None, None, None),
        ("HTTP 200", None, None, None),
    ],
)
def test_numbers_are_found(message: str, code: str | None, status: int | None, sqlstate: str | None) -> None:
    """And no number that only looks like one."""
    found = with_facts(FoundError("x", Role.FINAL, message, Span(0, 0)))

    assert (found.code, found.http_status, found.sqlstate) == (code, status, sqlstate)


def test_what_a_reader_has_named_stays() -> None:
    """The reader knows its tool better than a regex for all."""
    named = FoundError("x", Role.FINAL, "[Errno 2] status code 500", Span(0, 0), code="E1", http_status=418)

    assert with_facts(named) == named
