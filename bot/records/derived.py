"""A page as a record: what it does not tell is derived as upstream derives it, and said to be so."""

import re
from collections.abc import Collection, Iterable, Sequence

from bot.records.page import Page
from bot.records.record import ErrorType, Record
from bot.records.template import Literal, escape, parse_template

# A field of our own, for readers who want to know what nobody wrote. Upstream's readers pass over unknown fields.
DERIVED_FIELD = "errataDerived"
DERIVED = ("slug", "messagePattern", "errorType", "analyzedSha", "analyzedAt", "githubUrl")

# The lengths of upstream's slugs: a number behind one comes on top.
_LONGEST_SLUG = 60
_COMMIT_DIGITS = 40
_NOT_KEBAB = re.compile(r"[^a-z0-9]+")


def slug_of(message: str, otherwise: str) -> str:
    """A message in lowercase words joined by hyphens, without its placeholders, at most 60 characters.

    otherwise: what is taken instead where the message has no letter or digit of ASCII; it has to have one.
    """
    literals = " ".join(piece.text for piece in parse_template(message) if isinstance(piece, Literal))
    slug = _kebab(literals) or _kebab(otherwise)
    if not slug:
        raise ValueError("neither the message nor what is to stand for it has a letter or digit of ASCII")
    return slug


def unused_slug(slug: str, taken: Collection[str]) -> str:
    """The slug, or with the first number from 2 on behind it that makes it another than all of those taken."""
    number, unused = 1, slug
    while unused in taken:
        number += 1
        unused = f"{slug}-{number}"
    return unused


def pattern_as_upstream(message: str) -> str:
    """The literal parts escaped, each placeholder `(.+?)`."""
    pieces = parse_template(message.strip())
    return "".join(escape(piece.text) if isinstance(piece, Literal) else "(.+?)" for piece in pieces)


def record_of_page(page: Page, slug: str, commits: Iterable[str] = ()) -> Record:
    """The record that a page would be of, as far as the page tells.

    Its type is `error_code` where the page is headed by a code, else `exception`. The commit is that of `commits`, the
    known ones of the repository, that begins with the page's digits; where none does, zeros stand behind them. The
    address on GitHub has the page's digits alone, which GitHub resolves. Code whose purpose the page does not name, and
    related errors, go into fields of their own; the fields that were derived are listed in DERIVED_FIELD.
    """
    whole = next((commit for commit in sorted(commits) if commit.startswith(page.analyzed_sha)), None)
    own: dict[str, object] = {DERIVED_FIELD: list(DERIVED)}
    if page.snippets:
        own["snippets"] = list(page.snippets)
    if page.related_errors:
        own["relatedErrors"] = list(page.related_errors)
    return Record(
        id=page.id,
        repo=page.repo,
        slug=slug,
        error_message=page.error_message,
        message_pattern=pattern_as_upstream(page.error_message),
        error_type=ErrorType.ERROR_CODE if page.error_code else ErrorType.EXCEPTION,
        severity=page.severity,
        github_url=page.github_url or f"https://github.com/{page.repo}/tree/{page.analyzed_sha}",
        documentation=page.documentation,
        trigger_scenarios=page.trigger_scenarios,
        common_situations=page.common_situations,
        solutions=page.solutions,
        prevention_tips=page.prevention_tips,
        tags=(),
        analyzed_sha=whole or page.analyzed_sha.ljust(_COMMIT_DIGITS, "0"),
        analyzed_at=page.analyzed_at,
        error_code=page.error_code,
        error_class=page.error_class,
        file_path=page.file_path,
        line_number=page.line_number,
        source_code=page.source_code,
        example_fix=page.example_fix,
        unknown=own,
    )


def records_of_pages(pages: Iterable[Page], beside: Sequence[Record]) -> list[Record]:
    """A record for each page of one repository; none has the slug of another, nor of the records `beside` them."""
    slugs = {record.slug for record in beside}
    commits = {record.analyzed_sha for record in beside}
    records = []
    for page in sorted(pages, key=lambda one: one.id):
        slug = unused_slug(slug_of(page.error_message, page.error_code or page.id), slugs)
        slugs.add(slug)
        records.append(record_of_page(page, slug, commits))
    return records


def _kebab(text: str) -> str:
    return _NOT_KEBAB.sub("-", text.lower()).strip("-")[:_LONGEST_SLUG].rstrip("-")
