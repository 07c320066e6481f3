"""Numbers a message states about itself, whatever tool printed it: HTTP status, SQLSTATE, errno."""

from dataclasses import replace

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import FoundError


def with_facts(error: FoundError) -> FoundError:
    """The error with the code, HTTP status and SQLSTATE of its message, where its reader has named none."""
    text = error.message[:_LONGEST]
    code = error.code or _first(_CODE, text)
    sqlstate = error.sqlstate or _first(_SQLSTATE, text)
    status = error.http_status
    if status is None and (digits := _first(_STATUS, text)):
        status = int(digits)
    if (code, sqlstate, status) == (error.code, error.sqlstate, error.http_status):
        return error
    return replace(error, code=code, sqlstate=sqlstate, http_status=status)


def _first(regex: Expression, text: str) -> str | None:
    found = regex.search(text)
    if found is None:
        return None
    return next((group for group in found.groups() if group), None)


# A message that says more has said its numbers by then.
_LONGEST = 4_000
_STATUS = Expression(
    r"\b([45]\d\d) (?:Client|Server) Error\b"
    r"|(?i:\bstatus(?: ?code)?(?: of)?[ :=]{1,3})([45]\d\d)\b"
    r"|(?i:\bHTTP(?:/[\d.]{1,3})?(?: error| response| code)?[ :]{1,2})([45]\d\d)\b"
    r"|\b([45]\d\d) (?:Unauthorized|Forbidden|Not Found|Too Many Requests|Internal Server Error|Bad Gateway"
    r"|Service Unavailable|Gateway Time-?out|Bad Request|Conflict|Unprocessable)"
)
_SQLSTATE = Expression(r"(?i:\bSQLSTATE)(?:\[|[:= ]{1,3})([0-9A-Z]{5})\b")
_CODE = Expression(
    r"\[(Errno -?\d{1,5}|WinError \d{1,5})\]|\b(E(?:ACCES|ADDRINUSE|AI_AGAIN|CONNREFUSED|CONNRESET|EXIST|ISDIR"
    r"|INTEGRITY|INVAL|MFILE|NOENT|NOSPC|NOTDIR|NOTEMPTY|NOTFOUND|PERM|PIPE|RESOLVE|TARGET|TIMEDOUT|AGAIN|HOSTUNREACH|NETUNREACH))\b"
    r"|\b(ORA-\d{5}|0x8[0-9A-Fa-f]{7})\b"
)
