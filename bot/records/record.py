"""One documented error as ErrLookup publishes it (schema version 2)."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class ErrorType(StrEnum):
    """How the error reaches people."""

    EXCEPTION = "exception"
    ERROR_CODE = "error_code"
    CONSOLE = "console"
    HTTP = "http"
    VALIDATION = "validation"
    PANIC = "panic"


class Severity(StrEnum):
    """How bad it is, worst first."""

    CRITICAL = "critical"
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class HandlingStrategy(StrEnum):
    """What a caller can do about it in code."""

    TRY_CATCH = "try-catch"
    TYPE_GUARD = "type-guard"
    VALIDATION = "validation"
    RETRY = "retry"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A whole record. Field names are upstream's in snake case; dates are in UTC.

    `error_message` keeps its placeholders; `message_pattern` is an unanchored regex in JavaScript/RE2 syntax.
    `unknown` holds the fields this version does not know, as they came, so that an export loses nothing.
    """

    id: str
    repo: str
    slug: str
    error_message: str
    message_pattern: str
    error_type: ErrorType
    severity: Severity
    github_url: str
    documentation: str
    trigger_scenarios: str
    common_situations: str
    solutions: tuple[str, ...]
    prevention_tips: tuple[str, ...]
    tags: tuple[str, ...]
    analyzed_sha: str
    analyzed_at: datetime
    error_code: str | None = None
    error_class: str | None = None
    http_status: int | None = None
    file_path: str | None = None
    line_number: int | None = None
    source_code: str | None = None
    source_code_start: int | None = None
    source_code_end: int | None = None
    example_fix: str | None = None
    handling_strategy: HandlingStrategy | None = None
    validation_code: str | None = None
    type_guard: str | None = None
    try_catch_pattern: str | None = None
    background_tag: str | None = None
    content_changed_at: datetime | None = None
    schema_version: int = 2
    unknown: dict[str, object] = field(default_factory=dict, compare=False, hash=False)

    @property
    def related_errors(self) -> tuple[str, ...]:
        """A record names no related errors; its page does."""
        return ()

    @property
    def snippets(self) -> tuple[str, ...]:
        """Its defensive code, in upstream's order."""
        return tuple(code for code in (self.validation_code, self.type_guard, self.try_catch_pattern) if code)
