"""The errors of a text: every reader is asked, and what several have read is told once."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate

from bot.pastes.readers.c_compilers import CCompilerReader
from bot.pastes.readers.c_runtime import CRuntimeReader
from bot.pastes.readers.cargo import CargoReader
from bot.pastes.readers.cleaning import clean_lines
from bot.pastes.readers.cmake import CMakeReader
from bot.pastes.readers.containers import COMPOSE, DOCKER
from bot.pastes.readers.dart import DartReader
from bot.pastes.readers.databases import MONGODB, MYSQL, REDIS
from bot.pastes.readers.dotnet import DotnetReader
from bot.pastes.readers.elixir import ElixirReader
from bot.pastes.readers.facts import with_facts
from bot.pastes.readers.found import CleanLine, FoundError, Reader, Role
from bot.pastes.readers.generic import GenericReader
from bot.pastes.readers.git_ssh import GIT, SSH
from bot.pastes.readers.go import GoReader
from bot.pastes.readers.go_compiler import GoCompilerReader
from bot.pastes.readers.go_errors import GoErrorReader
from bot.pastes.readers.gradle_maven import GradleMavenReader
from bot.pastes.readers.java import JavaReader
from bot.pastes.readers.javascript import JavaScriptReader
from bot.pastes.readers.kubernetes import HELM, KUBERNETES
from bot.pastes.readers.lua import LuaReader
from bot.pastes.readers.notebooks import NotebookReader
from bot.pastes.readers.npm import NpmReader
from bot.pastes.readers.php import PhpReader
from bot.pastes.readers.pip_ import PipReader
from bot.pastes.readers.postgresql import POSTGRESQL
from bot.pastes.readers.powershell import POWERSHELL
from bot.pastes.readers.pytest_ import PytestReader
from bot.pastes.readers.python import PythonReader
from bot.pastes.readers.ruby import RubyReader
from bot.pastes.readers.rust import RustReader
from bot.pastes.readers.shells import SHELL
from bot.pastes.readers.spring import SpringReader
from bot.pastes.readers.starts import Gate, GatedLines
from bot.pastes.readers.swift import SwiftReader
from bot.pastes.readers.system import NGINX, SYSTEMD
from bot.pastes.readers.terraform import TERRAFORM
from bot.pastes.readers.typescript import TypeScriptReader

# The more specific first: where two have read the same lines, the earlier is believed. The generic one stays last.
READERS: tuple[Reader, ...] = (
    # before pip, which marks its errors with the cross of a failed unit, and cargo, which has the same `error:`
    *(SYSTEMD, NGINX, GIT, SSH),
    PytestReader(),
    *(NotebookReader(), PythonReader()),
    *(RustReader(), CargoReader(), GoReader(), GoCompilerReader(), SwiftReader()),
    # bundlers and package managers print stacks of JavaScript too
    *(TypeScriptReader(), NpmReader(), SpringReader(), GradleMavenReader()),
    *(JavaReader(), DotnetReader(), JavaScriptReader()),
    PipReader(),
    # what a database said to PDO is part of an exception of PHP
    *(PhpReader(), RubyReader(), ElixirReader(), DartReader(), LuaReader()),
    # tools written in Go word their errors as Go does
    *(TERRAFORM, HELM, KUBERNETES, COMPOSE, DOCKER),
    *(POSTGRESQL, MYSQL, REDIS, MONGODB),
    *(POWERSHELL, SHELL),
    *(CMakeReader(), CCompilerReader(), CRuntimeReader()),
    # Docker, Helm and others are written in Go and known better
    GoErrorReader(),
    GenericReader(),
)


def read_errors(text: str) -> tuple[FoundError, ...]:
    """The errors of the text in the order they stand in it; none where it tells of none.

    No two readers tell of the same lines. At most one error is FINAL: of several, those before the last are EARLIER.
    Raises nothing, whatever the text holds; time is linear in it.
    """
    return errors_of_lines(clean_lines(text))


def errors_of_lines(lines: Sequence[CleanLine]) -> tuple[FoundError, ...]:
    """As `read_errors`, of lines that are clean already."""
    if not lines:
        return ()
    lines = GatedLines(lines, shared_gate())
    size = lines[-1].number + 1
    taken = [0] * (size + 1)  # taken[n]: how many of the lines before n somebody has read
    owned = bytearray(size)
    kept: list[FoundError] = []
    for reader in READERS:
        fresh = [one for one in reader.read(lines) if taken[one.span.last + 1] == taken[one.span.first]]
        done = -1
        for one in sorted(fresh, key=lambda each: each.span.first):
            start = max(one.span.first, done + 1)
            if start <= one.span.last:
                owned[start : one.span.last + 1] = b"\x01" * (one.span.last + 1 - start)
                done = one.span.last
        if fresh:
            taken = [0, *accumulate(owned)]
        kept += fresh
    kept.sort(key=lambda one: (one.span.first, -one.span.last))  # what wraps another stands before it
    return tuple(with_facts(_sound(one, lines)) for one in _one_final(kept))


@cache
def shared_gate() -> Gate:
    """The gate of all readers; it takes some hundredths of a second to make."""
    return Gate(READERS)


def _one_final(errors: Sequence[FoundError]) -> Iterable[FoundError]:
    finals = [index for index, one in enumerate(errors) if one.role is Role.FINAL]
    for index, one in enumerate(errors):
        yield replace(one, role=Role.EARLIER) if one.role is Role.FINAL and index != finals[-1] else one


def _sound(error: FoundError, lines: Sequence[CleanLine]) -> FoundError:
    """The error, saying something: where it was cut before its message, the line that announces it; and no odd status.

    Tools print numbers beside "status" that are none of HTTP's.
    """
    if error.http_status is not None and not 100 <= error.http_status <= 599:
        error = replace(error, http_status=None)
    if error.message.strip():
        return error
    start = bisect_left(lines, error.span.first, key=lambda line: line.number)
    end = bisect_right(lines, error.span.last, key=lambda line: line.number)
    first = next((line.text for line in lines[start:end] if line.text), "")
    return replace(error, message=error.error_class or first)
