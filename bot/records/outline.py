"""What the compact index tells of a record: enough to recognise the error, not enough to explain it."""

from dataclasses import dataclass
from datetime import UTC, datetime

from bot.records.record import ErrorType, HandlingStrategy, Record, Severity

_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A record of which only the compact form is known here.

    It matches as the whole record would. Attributes that only a record has answer as if nothing had been written into
    them, so that all entries can be shown by one piece of code.
    """

    id: str
    repo: str
    slug: str
    error_message: str
    message_pattern: str
    error_type: ErrorType
    severity: Severity
    tags: tuple[str, ...]
    error_code: str | None = None
    error_class: str | None = None

    @property
    def documentation(self) -> str:
        return ""

    @property
    def trigger_scenarios(self) -> str:
        return ""

    @property
    def common_situations(self) -> str:
        return ""

    @property
    def solutions(self) -> tuple[str, ...]:
        return ()

    @property
    def prevention_tips(self) -> tuple[str, ...]:
        return ()

    @property
    def snippets(self) -> tuple[str, ...]:
        return ()

    @property
    def related_errors(self) -> tuple[str, ...]:
        return ()

    @property
    def http_status(self) -> int | None:
        return None

    @property
    def file_path(self) -> str | None:
        return None

    @property
    def line_number(self) -> int | None:
        return None

    @property
    def source_code(self) -> str | None:
        return None

    @property
    def source_code_start(self) -> int | None:
        return None

    @property
    def example_fix(self) -> str | None:
        return None

    @property
    def handling_strategy(self) -> HandlingStrategy | None:
        return None

    @property
    def background_tag(self) -> str | None:
        return None

    @property
    def github_url(self) -> str | None:
        return None

    @property
    def analyzed_sha(self) -> str:
        """Empty: the compact index does not say which commit was read."""
        return ""

    @property
    def analyzed_at(self) -> datetime:
        """The earliest moment there is, so that whatever says more counts as later."""
        return _NEVER


def outline_of(record: Record) -> Outline:
    """The compact form of a whole record."""
    return Outline(
        id=record.id,
        repo=record.repo,
        slug=record.slug,
        error_message=record.error_message,
        message_pattern=record.message_pattern,
        error_type=record.error_type,
        severity=record.severity,
        tags=record.tags,
        error_code=record.error_code,
        error_class=record.error_class,
    )
