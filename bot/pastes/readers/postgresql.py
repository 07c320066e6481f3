"""Errors of PostgreSQL as psql, the server's log and the drivers print them, with SQLSTATE where it is told."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError
from bot.pastes.readers.line_rules import RuleReader, readable, rule
from bot.pastes.readers.starts import starts_in

_WHERE = r"(?:(?:psql|pg_dump|pg_restore|pg_dumpall|pg_basebackup|createdb|initdb|pg_ctl|pg_upgrade): )?"
_ALSO = (
    r"^(?:LINE (?P<line>\d+): .*|\^|DETAIL: .*|HINT: .*|CONTEXT: .*|STATEMENT: .*|QUERY: .*|LOCATION: .*|"
    r"SQL [Ss]tate: (?P<sqlstate>[0-9A-Z]{5})|Character: \d+|SCHEMA NAME: .*|TABLE NAME: .*|COLUMN NAME: .*|"
    r"CONSTRAINT NAME: .*|Command was: .*|Is the server running .*|connections on Unix domain socket.*)$"
)
_STATE_BEHIND = r"(?: \(SQLSTATE (?P<sqlstate>[0-9A-Z]{5})\))?"
# Said when the label was taken for a log level; the words are PostgreSQL's own.
_KNOWN = (
    r"(?:(?:relation|column|role|database|schema|type|constraint|index|table|extension|sequence|view|"
    r"prepared statement|"
    r"cursor|savepoint|trigger|policy) .+ (?:does not exist|already exists)|function .+\) does not exist|"
    r"duplicate key value violates unique constraint .+|insert or update on table .+|update or delete on table .+|"
    r"null value in column .+ violates not-null constraint|new row for relation .+|"
    r"syntax error at (?:or near .+|end of input)|"
    r"permission denied for (?:table|schema|relation|database|sequence|function) .+|invalid input syntax for .+|"
    r"value too long for type .+|deadlock detected|canceling statement due to .+|could not serialize access .+|"
    r"current transaction is aborted, .+|password authentication failed for user .+|no pg_hba\.conf entry for .+|"
    r"sorry, too many clients already|remaining connection slots are reserved .+|"
    r"the database system is (?:starting up|"
    r"shutting down|in recovery mode)|terminating connection due to .+|could not extend file .+|out of shared memory|"
    r"database files are incompatible with server|could not locate a valid checkpoint record|"
    r"operator does not exist: .+|division by zero|numeric field overflow|integer out of range|"
    r"cached plan must not change result type|must be owner of .+|Peer authentication failed for user .+|"
    r"lock file \"postmaster\.pid\" already exists|could not bind IPv[46] address .+)"
)
_LABEL = r"(?:ERROR|FATAL|PANIC)"

_RULES = RuleReader(
    "postgresql",
    (
        rule(
            rf"^{_WHERE}(?:psql:)?(?:(?P<file>[^\s:]+):(?P<line>\d+): "
            rf")?{_LABEL}:\s{{1,4}}(?P<sqlstate>[0-9A-Z]{{5}}): (?P<message>.+)$",
            also=_ALSO,
        ),
        rule(rf"^(?:psql:)(?P<file>[^\s:]+):(?P<line>\d+): {_LABEL}:\s+(?P<message>.+)$", also=_ALSO),
        rule(rf"^{_WHERE}{_LABEL}:\s{{2,4}}(?P<message>.+?){_STATE_BEHIND}$", also=_ALSO),
        rule(rf"^{_LABEL}: (?P<message>.+?) \(SQLSTATE (?P<sqlstate>[0-9A-Z]{{5}})\)$", also=_ALSO),
        rule(rf"^{_WHERE}error: FATAL:\s+(?P<message>.+)$", also=_ALSO),
        rule(
            rf"^{_WHERE}(?:error: )(?P<message>(?:connection to server|could not (?:connect|translate)|"
            rf"query failed:).+)$",
            also=_ALSO,
        ),
        rule(r"^(?P<message>connection to server (?:at|on socket) .+ failed: .+)$", also=_ALSO),
        rule(
            r"^(?:pg_restore|pg_dump|initdb|pg_ctl|pg_basebackup): (?:error: )?(?P<message>(?:could not|\[archiver|"
            r"server version|connection|directory|aborting because|invalid|unsupported|input file).+?)$",
            also=_ALSO,
        ),
        # PDO: the class of the condition stands between the state and the server's words
        rule(
            r"^SQLSTATE\[(?P<sqlstate>[0-9A-Z]{5})\](?: \[7\])?:? ?(?P<class>[A-Z][\w ]{2,60})?: ?7 "
            r"(?:ERROR|FATAL):\s+(?P<message>.+?)$",
            also=_ALSO,
        ),
        rule(r"^pq: (?P<message>.+?)(?: \((?P<sqlstate>[0-9A-Z]{5})\))?$"),
        rule(rf"^{_WHERE}{_LABEL}:\s+(?P<message>{_KNOWN}){_STATE_BEHIND}$", also=_ALSO),
    ),
)
_EXPLAINED = Expression(r"^(?:LINE \d+: |DETAIL: |HINT: |STATEMENT: |SQL [Ss]tate: )")
_EXPLAINED_RULE = RuleReader("postgresql", (rule(r"^(?:(?:ERROR|FATAL|PANIC):\s+)?(?P<message>\S.+)$", also=_ALSO),))
_LABELS = frozenset({"ERROR", "FATAL", "PANIC", "DETAIL", "HINT", "STATEMENT", "CONTEXT"})


class PostgresqlReader:
    """Also takes an error nobody listed, where the line behind it is one that only PostgreSQL prints."""

    name = "postgresql"

    begins = Begins((*_RULES.begins.lines, "^(?:ERROR|FATAL|PANIC): "), levels=_LABELS)

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        starts = starts_in(lines, self.name)
        at = starts.from_(0)
        lines = [_relabelled(line) for line in lines] if at < len(lines) else []
        while at < len(lines):
            found = _RULES.at(lines, at)
            if found is None and _explained(lines, at):
                found = _EXPLAINED_RULE.at(lines, at)
            if found:
                yield found[0]
            at = starts.from_(found[1] if found else at + 1)


def _relabelled(line: CleanLine) -> CleanLine:
    """With the label that was taken for a level; to PostgreSQL it is part of the form."""
    return replace(line, text=f"{line.level}: {line.text}") if line.level in _LABELS else line


def _explained(lines: Sequence[CleanLine], at: int) -> bool:
    return (
        lines[at].text.startswith(("ERROR: ", "FATAL: ", "PANIC: "))
        and at + 1 < len(lines)
        and _EXPLAINED.search(readable(lines[at + 1])) is not None
    )


POSTGRESQL = PostgresqlReader()
