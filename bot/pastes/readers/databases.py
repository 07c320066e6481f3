"""Errors of MySQL and MariaDB, Redis and MongoDB; PostgreSQL has its own file."""

import json
from collections.abc import Iterator, Sequence

from bot.pastes.readers.found import Begins, CleanLine, FoundError, Role, Span
from bot.pastes.readers.line_rules import RuleReader, rule
from bot.pastes.readers.starts import LONGEST_READ, starts_in

_STATE = r"(?P<sqlstate>[0-9A-Z]{5})"

MYSQL = RuleReader(
    "mysql",
    (
        rule(
            rf"^(?:ERROR )?(?P<code>\d{{4}}) \({_STATE}\)(?: at line (?P<line>\d+)(?: in file: "
            rf"'(?P<file>[^']+)')?)?: "
            r"(?P<message>.+)$"
        ),
        rule(r"^ERROR (?P<code>[12]\d{3}): (?:\d{4}: )?(?P<message>.+)$"),
        rule(rf"^Error (?P<code>[1-4]\d{{3}})(?: \({_STATE}\))?: (?P<message>.+)$"),
        rule(rf"^SQLSTATE\[{_STATE}\] \[(?P<code>[12]\d{{3}})\] (?P<message>.+?)$"),
        rule(
            rf"^SQLSTATE\[{_STATE}\]: (?P<class>[A-Z][\w ]{{2,60}}): (?P<code>[1-4]\d{{3}}) "
            rf"(?P<message>.+?)"
            r"(?: \((?:Connection|SQL): .*)?$"
        ),
        rule(
            r"^(?:mysqldump|mysqladmin|mysqlimport|mysqlcheck|mysqlpump|mysql): (?:Got error: )?(?P<code>\d{4}): "
            r"(?:\d{4}: )?(?:\"(?P<message>[^\"\n]+)\".*)$"
        ),
        rule(
            r"^(?:mysqldump|mysqladmin|mysqlimport|mysqlcheck|mysqlpump|mysql|mariadb-dump): Got error: "
            r"(?P<code>\d{4}): (?P<message>.+)$"
        ),
        rule(r"^error: '(?P<message>(?:Access denied|Can't connect|Host '|Lost connection).+)'$"),
        rule(r"^(?:.{0,40}\[(?:ERROR|Error)\] )?(?:\[ERROR\] )?\[(?P<code>MY-\d{6})\] \[\w+\] (?P<message>.+)$"),
        rule(
            r"^(?:\d+ )?(?:\[ERROR\] )?(?P<message>(?:InnoDB: (?:Error|Unable|Cannot|Operating system error|Fatal|"
            r"Assertion|Corrupt|Database page corruption|mmap|Plugin)|(?:mysqld|mariadbd): (?:Can't|Error|unknown|"
            r"Table|File|Got|Out of|Character set)|Can't start server: |Fatal error: Can't open and lock |"
            r"Plugin '\w+' (?:registration|init)).*)$"
        ),
        rule(r"^(?:ER_\w+: )(?P<message>.+)$"),
    ),
)

_REDIS_CODE = (
    r"(?P<code>WRONGTYPE|NOAUTH|WRONGPASS|NOPERM|MISCONF|LOADING|READONLY|OOM|CLUSTERDOWN|MOVED|ASK|CROSSSLOT|"
    r"TRYAGAIN|"
    r"BUSY|BUSYGROUP|NOSCRIPT|NOGROUP|MASTERDOWN|NOREPLICAS|EXECABORT|BUSYKEY|UNKILLABLE|NOPROTO|DENIED|INPROG|"
    r"NOTBUSY)"
)
_REDIS_LOG = r"\d+:[MSCX] (?:\d{1,2} \w{3} \d{4} [\d:.]+ )?"

REDIS = RuleReader(
    "redis",
    (
        rule(rf"^(?:\(error\) |-)?(?P<message>{_REDIS_CODE} \S.+)$"),
        rule(r"^(?:\(error\) |-)(?P<message>(?P<code>ERR) .+)$"),
        # without its `(error)`, which is taken for a level
        rule(
            r"^(?P<message>(?P<code>ERR) (?:unknown|wrong number|value is|syntax error|no such|invalid|index out|"
            r"DB index|Protocol error|max number|increment|Client sent|AUTH|EXEC|MULTI|operation|timeout|hash value|"
            r"This instance|The ID|Error|string exceeds|bit offset|min or max|source and|only \(P\)).*)$"
        ),
        rule(r"^\(error\) (?P<message>.+)$"),
        rule(r"^(?P<message>Could not connect to Redis at .+)$"),
        rule(
            rf"^{_REDIS_LOG}# (?P<message>(?:Could not|Fatal|Can't|Failed|Error|Bad|Short read|Unrecoverable|"
            rf"Wrong|Guru|"
            r"Redis \S+ crashed|Warning: Could not|Out Of Memory|Internal error|DB .* corrupt).*)$"
        ),
        rule(
            r"^(?P<message>)\*\*\* FATAL CONFIG FILE ERROR(?: \(Redis [\d.]+\))? \*\*\*$",
            also=r"^(?:Reading the configuration file, at line (?P<line>\d+)|"
            r"(?:>>> )?(?P<message>'.+'|[A-Z][\w ',/().:-]{3,99}))$",
        ),
    ),
)

_MONGO = RuleReader(
    "mongodb",
    (
        rule(
            r"^(?:Uncaught:? ?)?(?P<class>MongoServerError|MongoBulkWriteError|BulkWriteError|WriteError|"
            r"DuplicateKeyError)(?:\[(?:\w+)\])?: (?P<message>(?P<code>E\d{5}) .+)$"
        ),
        rule(
            r"^(?:Uncaught:? ?)?(?:Error: )?(?P<class>Mongo[A-Z]\w*Error|Mongoose\w*Error|MongooseError|MongoError)"
            r"(?:\[(?P<code>\w+)\])?: (?P<message>.+)$",
            also=r"^(?:codeName: '(?P<code>\w+)',?|code: \d+,?|ok: 0,?)$",
        ),
        rule(r"^(?P<message>(?P<code>E\d{5}) duplicate key error .+)$"),
        rule(r"^(?:.{0,60}E\s+(?:QUERY|NETWORK|STORAGE|CONTROL|ACCESS|COMMAND)\s+\[\w+\] )(?P<message>.+)$"),
        rule(
            r"^(?:exception: |Error: )(?P<message>(?:couldn't connect to server|connect failed|Authentication failed|"
            r"network error while attempting).*)$"
        ),
        rule(
            r"^(?:\S+\s)?Failed: (?P<message>(?:error connecting to db server|can't create session|error restoring|"
            r"error parsing|cannot decode|.*server selection error).*)$"
        ),
        rule(r"^(?P<class>uncaught exception): (?P<message>.+)$"),
    ),
)


class MongodbReader:
    """What clients print, and the server's log: a JSON object a line, its severity `E` or `F`."""

    name = "mongodb"

    begins = Begins((*_MONGO.begins.lines, r'^\{"t":\{"\$date"'))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        starts = starts_in(lines, self.name)
        at = starts.from_(0)
        while at < len(lines):
            logged = self._logged(lines[at])
            if logged is not None:
                at = starts.from_(at + 1)
                yield logged
                continue
            found = _MONGO.at(lines, at)
            if found:
                yield found[0]
            at = starts.from_(found[1] if found else at + 1)

    def _logged(self, line: CleanLine) -> FoundError | None:
        text = line.text.strip()
        if not text.startswith('{"t":{"$date"') or len(text) > LONGEST_READ:
            return None
        try:
            entry = json.loads(text)
        except (ValueError, RecursionError):
            return None  # cut off, or quoted by hand: the generic reader still shows the line
        if not isinstance(entry, dict) or entry.get("s") not in {"E", "F"}:
            return None
        attributes = entry.get("attr")
        error = attributes.get("error") if isinstance(attributes, dict) else None
        told = error if isinstance(error, dict) else {}
        detail = told.get("errmsg") if told else error
        message = "\n".join(str(part) for part in (entry.get("msg"), detail) if part)
        if not message.strip():
            return None
        code = told.get("codeName")
        return FoundError(
            reader=self.name,
            role=Role.FINAL if entry["s"] == "F" else Role.EARLIER,
            message=message,
            span=Span(line.number, line.number),
            code=str(code) if code else None,
        )


MONGODB = MongodbReader()
