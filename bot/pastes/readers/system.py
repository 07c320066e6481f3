"""Errors of the system itself: systemd units as the journal and `systemctl status` tell them, the kernel, nginx."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.found import Begins, CleanLine, FoundError, Role
from bot.pastes.readers.line_rules import RuleReader, rule
from bot.pastes.readers.starts import starts_in

# Journal prefixes are usually taken off before; where one is left it ends in the process and its id.
_FROM = r"^(?:[A-Z][a-z]{2} +\d+ [\d:]+ \S+ [^\s:]+(?:\[\d+\])?: )?"
_UNIT = r"[\w@.:\\-]+\.(?:service|socket|mount|timer|target|scope|path|swap|device|slice)"

# A unit's name looks like a logger's and may be gone; these wordings are systemd's even without it.
_MAYBE_UNIT = rf"(?:{_UNIT}: )?"

SYSTEMD = RuleReader(
    "systemd",
    (
        rule(
            rf"{_FROM}{_MAYBE_UNIT}(?P<message>(?:Main|Control|Start|Child)[\w -]* process[\w /-]*,? ?"
            r"code=\w+,? status=(?P<code>\d+(?:/\w+)?).*)$",
            role=Role.ROOT_CAUSE,
        ),
        rule(
            rf"{_FROM}{_MAYBE_UNIT}(?P<message>(?:Failed with result '(?P<code>[\w-]+)'|Failed at step .+|"
            r"Failed to locate executable .+|Start(?:-pre)? request repeated too quickly|"
            r"Start(?:-pre)? operation timed out|State '.+' timed out|Watchdog timeout .+|"
            r"A process of this unit has been killed by the OOM killer|Unit .+ not found)\.?.*)$",
        ),
        rule(
            rf"{_FROM}{_UNIT}: (?P<message>(?:Failed to .+|(?:Unable|Couldn't|Cannot|Can't) .+|"
            r"Service (?:has no|lacks) .+|Refusing to .+|Unbalanced quoting.*|Executable .+ not found.*|"
            r"Job .+ failed with result '.+'\.))$",
        ),
        # `systemctl status`
        rule(
            rf"^(?P<message>)[×●○x*] {_UNIT}(?: - .*)?$",
            also=r"^(?:(?:Loaded|Drop-In|Duration|TriggeredBy|Docs|Main PID|CPU|Tasks|Memory|CGroup|Invocation): .*|"
            r"(?:Active: |Process: \d+ ExecStart\w*=(?P<file>\S+).* )"
            r"(?P<message>failed \(Result: [\w-]+\)|\(code=\w+, status=(?P<code>[1-9]\d*/\w+|\w*[A-Z]\w*)\)).*)$",
        ),
        # systemd tells a faulty unit file with its line
        rule(
            rf"{_FROM}(?P<file>/\S+):(?P<line>\d+): (?P<message>(?:Unknown|Failed to|Invalid|Missing|Neither|"
            r"Executable|Unbalanced|Assignment|Ignoring|Bad|Special user) .+)$"
        ),
        rule(
            rf"{_FROM}(?P<message>Failed to (?:start|stop|restart|enable|disable|reload|mount|connect to bus|"
            r"list units|get properties|reload-or-restart|unmask|mask|open|set up|isolate|listen on)\b.+)$"
        ),
        rule(
            rf"^(?P<message>Job for {_UNIT} failed because .+|Job for {_UNIT} (?:failed|canceled|invalid)\..*)$",
            also=r"^See \"?systemctl status .+$",
        ),
        rule(rf"{_FROM}(?P<message>Dependency failed for .+)$"),
        rule(
            rf"^(?P<message>Unit {_UNIT} (?:could not be found|not found|is masked|"
            rf"has a bad unit file setting)\.?)$"
        ),
        rule(r"^Active: (?P<message>failed \(Result: (?P<code>[\w-]+)\)).*$", role=Role.EARLIER),
        rule(
            r"^(?:Main PID|Process): \d+ (?:ExecStart(?:Pre|Post)?=(?P<file>\S+).*)?"
            r"(?P<message>\(code=\w+, status=(?P<code>[1-9]\d*/\w+|\w*[A-Z]+\w*)\)).*$",
            role=Role.EARLIER,
        ),
        rule(
            rf"{_FROM}(?:\[[\d. ]+\] )?(?P<message>(?:Out of memory|"
            rf"Memory cgroup out of memory): Kill(?:ed)? process .+)$",
            code="OOM",
        ),
        rule(rf"{_FROM}(?:\[[\d. ]+\] )?(?P<message>\S+ invoked oom-killer: .+)$", role=Role.EARLIER, code="OOM"),
        rule(
            rf"{_FROM}(?:\[[\d. ]+\] )?(?P<message>[^\[\n]{{1,40}}\[\d+\]:? segfault at .+)$",
            code="SIGSEGV",
        ),
        rule(
            rf"{_FROM}(?:\[[\d. ]+\] )?"
            r"(?P<message>(?:traps: )?[^\[\n]{1,40}\[\d+\]:? (?:general protection|trap invalid opcode).+)$"
        ),
        rule(
            rf"{_FROM}(?:\[[\d. ]+\] )?(?P<message>(?:Kernel panic - not syncing|BUG): .+|EXT4-fs error .+|"
            r"I/O error, dev .+|INFO: task .+ blocked for more than \d+ seconds\.)$"
        ),
    ),
)

_NGINX_LEVEL = r"\[(?:emerg|alert|crit|error)\] "
_NGINX_TIME = r"(?:\d{4}/\d\d/\d\d \d\d:\d\d:\d\d )?"
# process, thread and connection
_NGINX_PROCESS = r"(?:\d+#\d+: )?(?:\*\d+ )?"
# Behind the message nginx lists whom it was serving.
_SERVING = r", client: [\w.:]+, server: .*$"
_TEST_FAILED = r"^nginx: configuration file \S+ test failed$"

_NGINX = RuleReader(
    "nginx",
    (
        rule(
            rf"^nginx: {_NGINX_LEVEL}(?P<message>.+) in (?P<file>/[^\s:]+|[A-Za-z]:[^:\n]+):(?P<line>\d+)$",
            also=_TEST_FAILED,
        ),
        rule(rf"^nginx: {_NGINX_LEVEL}(?P<message>.+\((?P<code>\d+): [^)\n]+\).*)$", also=_TEST_FAILED),
        rule(rf"^nginx: {_NGINX_LEVEL}(?P<message>.+)$", also=_TEST_FAILED),
        rule(
            rf"^{_NGINX_TIME}(?:{_NGINX_LEVEL})?{_NGINX_PROCESS}"
            rf"(?P<message>\S[^\n]*?\((?P<code>\d+): [^)\n]+\)[^,\n]*?){_SERVING}"
        ),
        rule(rf"^{_NGINX_TIME}(?:{_NGINX_LEVEL})?{_NGINX_PROCESS}(?P<message>\S[^\n]*?){_SERVING}"),
        rule(
            r"^(?:<html>)?(?:<head>)?<title>(?P<message>(?P<status>[45]\d\d) [\w -]{2,60})</title>.*$",
            also=r"^(?:</?(?:head|body|center|hr|h1|html)\b.*)$",
        ),
    ),
)
_AT_START = RuleReader(
    "nginx",
    (
        rule(
            r"^(?:\d+#\d+: )?(?P<message>.+) in (?P<file>/[^\s:]+\.conf|/etc/nginx/[^\s:]+):(?P<line>\d+)$",
            also=_TEST_FAILED,
        ),
        rule(
            r"^(?P<message>(?:bind|open|mkdir|stat|unlink|rename|SSL_\w+|setrlimit|socket|listen|chmod|chown)\(\).+"
            r"\((?P<code>\d+): [^)\n]+\).*)$"
        ),
        rule(
            r"^(?P<message>(?:cannot load certificate|host not found in upstream|unknown directive|no live upstreams|"
            r"still could not bind|worker process \d+ exited on signal|\d+ worker_connections are not enough).*)$"
        ),
    ),
)
_LEVELS = frozenset({"EMERG", "ALERT", "CRIT", "CRITICAL", "ERROR"})


class NginxReader:
    """Lines of the error log, with or without what stands before the message, and the page of an error."""

    name = "nginx"

    begins = Begins((*_NGINX.begins.lines, *_AT_START.begins.lines))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        starts = starts_in(lines, self.name)
        at = starts.from_(0)
        while at < len(lines):
            found = _NGINX.at(lines, at)
            if found is None and lines[at].level in _LEVELS:
                found = _AT_START.at(lines, at)
            if found:
                yield found[0]
            at = starts.from_(found[1] if found else at + 1)


NGINX = NginxReader()
