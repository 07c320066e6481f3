"""What the text of an error page tells: less than a record, and a little more."""

from dataclasses import dataclass
from datetime import UTC, date, datetime

from bot.records.record import ErrorType, HandlingStrategy, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page read back into fields.

    A page has no slug, no type and only the first ten digits of the commit; its pattern is derived from the message.
    In exchange it lists related errors. Attributes that only a record has answer with None, so that both can be shown
    by one piece of code.
    """

    id: str
    repo: str
    severity: Severity
    title: str
    error_message: str
    message_pattern: str
    documentation: str = ""
    error_class: str | None = None
    file_path: str | None = None
    line_number: int | None = None
    source_code: str | None = None
    solutions: tuple[str, ...] = ()
    example_fix: str | None = None
    snippets: tuple[str, ...] = ()
    prevention_tips: tuple[str, ...] = ()
    trigger_scenarios: str = ""
    common_situations: str = ""
    related_errors: tuple[str, ...] = ()
    analyzed_sha: str
    analyzed_on: date

    @property
    def slug(self) -> None:
        return None

    @property
    def error_code(self) -> str | None:
        """The title, where the page is headed by a code instead of the message."""
        message = " ".join(self.error_message.split())
        return None if message.startswith(" ".join(self.title.rstrip("….").split())) else self.title

    @property
    def error_type(self) -> ErrorType | None:
        return None

    @property
    def http_status(self) -> None:
        return None

    @property
    def handling_strategy(self) -> HandlingStrategy | None:
        return None

    @property
    def background_tag(self) -> None:
        return None

    @property
    def tags(self) -> tuple[str, ...]:
        return ()

    @property
    def source_code_start(self) -> None:
        return None

    @property
    def analyzed_at(self) -> datetime:
        """Midnight UTC of the day the page names."""
        return datetime.combine(self.analyzed_on, datetime.min.time(), UTC)

    @property
    def github_url(self) -> str | None:
        """Where the error is raised. GitHub resolves the short commit."""
        if self.file_path is None:
            return None
        line = f"#L{self.line_number}" if self.line_number else ""
        return f"https://github.com/{self.repo}/blob/{self.analyzed_sha}/{self.file_path}{line}"
