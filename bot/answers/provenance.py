"""Where a record's knowledge comes from, as far as it is shown."""

from urllib.parse import quote, urlsplit

from bot.answers.answer import Source
from bot.answers.cleaning import clean_line
from bot.answers.cutting import cut, length
from bot.locales.words import Words
from bot.records.entry import Entry
from bot.records.outline import Outline
from bot.records.record import Record

PUBLIC_PAGES = "https://errors.standardbeagle.com"
# Discord's limit for the address of a link button.
URL_LENGTH = 512
PLACE_LENGTH = 60
_COMMIT_DIGITS = 10  # as many as upstream's pages show


def source(entry: Entry, words: Words) -> Source:
    """Return where the error is raised, pinned to the analysed commit and dated; of an outline, the record's page."""
    if isinstance(entry, Outline):
        return Source(words("card-outline-source"), page_url(entry))
    place = _place(clean_line(entry.file_path or ""), entry.line_number) or words("card-no-location")
    commit = clean_line(entry.analyzed_sha)[:_COMMIT_DIGITS] or "?"
    label = words("card-source", place=place, commit=commit, date=entry.analyzed_at.date().isoformat())
    return Source(label, safe_url(entry.github_url))


def page_url(entry: Entry, base: str = PUBLIC_PAGES) -> str | None:
    """Return the address of the record's page; None where it has no slug."""
    if entry.slug is None:
        return None
    return safe_url(f"{base}/{quote(clean_line(entry.repo))}/{quote(clean_line(entry.slug))}/")


def ai_note(entry: Entry, words: Words) -> str | None:
    """Return the note that a machine helped to write this; None where the record itself denies it.

    All of upstream's records are; its format has no field for it, so a record of one's own says `"aiAssisted": false`.
    An outline shows nothing but what stands in the source.
    """
    denied = isinstance(entry, Outline) or (isinstance(entry, Record) and entry.unknown.get("aiAssisted") is False)
    return None if denied else words("card-ai-assisted")


def not_loaded(entry: Entry, words: Words) -> str:
    """Return the sentence that meaning and steps are not here yet; "" where they are."""
    return words("card-outline") if isinstance(entry, Outline) else ""


def safe_url(url: str | None) -> str | None:
    """Return the address if it may stand behind a button: https, a plain host, no credentials, at most 512 long."""
    if not url or url != clean_line(url):
        return None
    escaped = quote(url, safe="%/:?#[]@!$&'*+,;=~")
    try:
        parts = urlsplit(escaped)
        plain = parts.scheme == "https" and parts.hostname and "@" not in parts.netloc and parts.port in {None, 443}
    except ValueError:  # an address that cannot be taken apart is none
        return None
    return escaped if plain and "." in (parts.hostname or "") and len(escaped) <= URL_LENGTH else None


def language_of(entry: Entry) -> str:
    """Return the ending of the source file, as code fences name languages ("rs", "py"); "" where it has none."""
    _, dot, ending = clean_line(entry.file_path or "").rpartition("/")[2].lower().rpartition(".")
    return ending if dot and ending.isascii() and ending.isalnum() and len(ending) <= 10 else ""


def _place(path: str, line: int | None) -> str:
    """The end of a path says more than its beginning."""
    if not path:
        return ""
    suffix = f":{line}" if line is not None else ""
    room = PLACE_LENGTH - length(suffix)
    if length(path) > room:
        names = path.split("/")
        while len(names) > 1 and length("/".join(names)) > room - 2:
            del names[0]
        path = "…/" + cut("/".join(names), room - 2)
    return path + suffix
