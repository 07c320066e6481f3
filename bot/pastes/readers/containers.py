"""Errors of Docker, BuildKit and Compose."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.line_rules import RuleReader, readable, rule
from bot.pastes.readers.starts import starts_in

_HELP = r"^(?:See 'docker .+|Run 'docker .+|For more help on .+|)$"

_DOCKER = RuleReader(
    "docker",
    (
        rule(
            r"^(?P<message>)Unable to find image '.+' locally$",
            also=r"^(?:\S+: Pulling from .+|(?:docker: )?Error response from daemon: (?P<message>.+?)\.?|"
            r"(?:See|Run) 'docker .+)$",
        ),
        rule(
            r"^(?:docker: |ERROR: |error: )?Error response from daemon: (?P<message>.+?)\.?$",
            also=r"^See 'docker .+|^Run 'docker .+",
        ),
        rule(
            r"^(?:ERROR: )?(?P<message>failed to (?:solve|build|compute cache key|fetch|read dockerfile|resolve)\b.+"
            r"(?:exit code: (?P<code>\d+)))$"
        ),
        rule(r"^(?:ERROR: )?(?P<message>failed to solve\b.+: unexpected status\b.* (?P<status>[45]\d\d) .+)$"),
        rule(
            r"^(?:ERROR: )?(?P<message>failed to (?:solve|compute cache key|read dockerfile|build: |"
            r"resolve source metadata)\b.+)$"
        ),
        rule(r"^(?P<message>The command '.+' returned a non-zero code: (?P<code>\d+))$"),
        rule(r"^(?:docker: |ERROR: )?(?P<message>Cannot connect to the Docker daemon at .+)$", also=_HELP),
        rule(
            r"^(?:docker: |ERROR: )?(?P<message>(?:Got )?permission denied while trying to connect to the "
            r"Docker .+)$",
            also=_HELP,
        ),
        rule(r"^(?:docker: |ERROR: )?(?P<message>error during connect: .+)$", also=_HELP),
        rule(
            r"^(?:docker: )?(?P<message>(?:OCI runtime (?:create|exec) failed|invalid reference format|"
            r"unknown shorthand flag: .+ in -).*)$",
            also=_HELP,
        ),
        rule(
            r"^(?:ERROR: )?(?P<code>unauthorized|denied|toomanyrequests|manifest unknown|name unknown): "
            r"(?P<message>(?:authentication required|incorrect username|requested access|manifest|repository|"
            r"You have|access forbidden|permission|installation|Your authorization|pull rate).*)$"
        ),
        rule(r"^standard_init_linux\.go:\d+: (?P<message>exec user process caused.+)$"),
        rule(r"^exec (?P<message>/\S+: (?:no such file or directory|exec format error|permission denied))$"),
        rule(
            r"^(?:ERROR: )?(?P<message>(?:COPY|ADD) failed: .+|Dockerfile parse error .+|"
            r"dockerfile parse error .+)$"
        ),
    ),
)
_DOCKERFILE = Expression(r"^(?P<file>[\w./\\-]*(?:Docker|Container)file[\w.-]*):(?P<line>\d+)$")
# BuildKit shows five lines around the instruction before it says what went wrong.
_EXCERPT_LINES = 14


class DockerReader:
    """Docker's own errors; a failed build knows the line of its Dockerfile from the excerpt above it."""

    name = "docker"

    begins = Begins((*_DOCKER.begins.lines, _DOCKERFILE.pattern))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        starts = starts_in(lines, self.name)
        at, place, seen = starts.from_(0), None, 0
        while at < len(lines):
            if "file" in lines[at].text and (here := _DOCKERFILE.search(readable(lines[at]))):
                place, seen = Frame(here["file"], int(here["line"][:9])), at
            found = _DOCKER.at(lines, at)
            if found is None:
                at = starts.from_(at + 1)
                continue
            error, after = found
            if place is not None and at - seen <= _EXCERPT_LINES and error.message.startswith("failed to solve"):
                error, place = replace(error, frames=(place,)), None
            at = starts.from_(after)
            yield error


DOCKER = DockerReader()

COMPOSE = RuleReader(
    "compose",
    (
        rule(r"^(?:ERROR: )?for \S+\s+(?P<message>Cannot (?:start|create) service .+)$", role=Role.EARLIER),
        rule(
            r"^(?:ERROR: )?(?P<message>The Compose file '(?P<file>[^']+)' is invalid because:)$",
            also=r"^(?P<message>\S.+)$",
        ),
        rule(r"^(?:parsing (?P<file>\S+): )?(?P<message>yaml: line (?P<line>\d+): .+)$"),
        rule(r"^(?P<message>yaml: unmarshal errors:.*)$", also=r"^(?P<message>line (?P<line>\d+): .+)$"),
        rule(r"^validating (?P<file>\S+): (?P<message>.+)$"),
        rule(
            r"^(?P<message>service \".+\" (?:refers to undefined|depends on undefined|has neither an image|"
            r"can't be used).+)$"
        ),
        rule(r"^(?P<message>no configuration file provided: not found|no such service: .+|no service selected)$"),
        rule(r"^(?P<message>(?:env file|couldn't find env file:?) .+)$"),
        rule(r"^(?:invalid interpolation format for|error while interpolating) [\w.\[\]\"-]+[.:] ?(?P<message>.+)$"),
        rule(
            r"^(?P<message>)\W{0,3}Container \S+\s+(?:Error|Unhealthy)(?:\s+[\d.]+s)?$",
            also=r"^(?:\W{0,3}(?:Container|Network|Volume) \S+\s+\w+(?:\s+[\d.]+s)?|"
            r"(?P<message>dependency failed to start: .+))$",
        ),
        rule(r"^(?P<message>dependency failed to start: .+)$"),
        rule(r"^(?P<message>[\w.-]{1,80} exited with code (?P<code>[1-9]\d*)(?: \(.+\))?)$", role=Role.EARLIER),
        rule(r"^(?:ERROR: )?(?P<message>Service '.+' failed to build ?:.+)$"),
        rule(r"^(?P<message>(?:network|volume) \S+ declared as external, but could not be found.*)$"),
        rule(r"^(?:ERROR: )?(?P<message>Couldn't connect to Docker daemon.+|Version in \".+\" is unsupported\..+)$"),
    ),
)
