"""All that is known about a record, in the order a person needs it."""

from bot.answers.answer import CodeFile, Details, Section
from bot.answers.cleaning import clean, clean_code, clean_line
from bot.answers.compose import solutions, title
from bot.answers.cutting import cut, cut_prose, length
from bot.answers.provenance import PUBLIC_PAGES, ai_note, language_of, not_loaded, page_url, source
from bot.locales.words import Words
from bot.records.article import Article
from bot.records.entry import Entry

# Code beyond this is easier to read in an editor than in a chat, and half of it is no use to anybody.
INLINE_CODE_LENGTH = 1200
INLINE_CODE_LINES = 40
FILE_BYTES = 1_000_000  # Discord takes 10 MB a file; code of this length is nobody's example
# An article is about many errors; what is said of it beside one of them must not outgrow what is said of that.
ARTICLE_ITEMS = 3
_ARTICLE_TITLE_LENGTH = 120
_ARTICLE_SUMMARY_LENGTH = 500
_ARTICLE_ITEM_LENGTH = 200


def compose_details(
    entry: Entry, words: Words, pages: str = PUBLIC_PAGES, *, article: Article | None = None
) -> Details:
    """Return everything but the card's own lines: all solutions, the fix, when it happens, how to prevent it.

    Code longer than about 1,200 characters goes into files whole. Sections without content are left out.
    `pages` is where records have their pages. `article` is on the family of the error: its title, its summary and its
    first causes and fixes come last, shortened.
    """
    language = language_of(entry)
    files: list[CodeFile] = []

    def code(name: str, *pieces: str | None) -> tuple[str, tuple[str, ...]]:
        """The sentence that names the file, or the pieces themselves."""
        cleaned = tuple(piece for piece in (clean_code(piece or "") for piece in pieces) if piece)
        whole = "\n\n".join(cleaned)
        if length(whole) <= INLINE_CODE_LENGTH and whole.count("\n") < INLINE_CODE_LINES:
            return "", cleaned
        file = CodeFile(f"{name}.{language or 'txt'}", _bounded(whole))
        files.append(file)
        return words("details-in-file", name=file.name), ()

    fix_text, fix = code("example_fix", entry.example_fix)
    snippets_text, snippets = code("defensive_code", *entry.snippets)
    source_text, excerpt = code("source", entry.source_code)
    where = source(entry, words)
    sections = (
        Section(words("details-meaning"), _paragraphs(entry.documentation) or not_loaded(entry, words)),
        Section(words("details-solutions"), items=solutions(entry), numbered=True),
        Section(words("details-example-fix"), fix_text, code=fix),
        Section(words("details-triggers"), _paragraphs(entry.trigger_scenarios)),
        Section(words("details-situations"), _paragraphs(entry.common_situations)),
        Section(words("details-prevention"), items=_lines(entry.prevention_tips)),
        Section(words("details-snippets"), snippets_text, code=snippets),
        Section(words("details-related"), items=_lines(entry.related_errors)),
        Section(words("details-source"), source_text, code=excerpt),
        *(_background(article, words) if article else ()),
    )
    return Details(
        record_id=entry.id,
        title=title(entry),
        repo=clean_line(entry.repo),
        severity=entry.severity,
        language=language,
        sections=tuple(section for section in sections if section.text or section.items or section.code),
        files=tuple(files),
        source=where,
        page_url=page_url(entry, pages),
        ai_note=ai_note(entry, words),
    )


def _background(article: Article, words: Words) -> tuple[Section, ...]:
    """What the errors of the family have in common. All texts stay out of headings, which are shown as they are."""
    title = cut(clean_line(article.title), _ARTICLE_TITLE_LENGTH)
    summary = cut_prose(clean_line(article.summary), _ARTICLE_SUMMARY_LENGTH)
    causes = tuple(": ".join(filter(None, (one.cause, one.detail))) for one in article.common_causes)
    return (
        Section(words("details-background"), "\n".join(filter(None, (title, summary)))),
        Section(words("details-background-causes"), items=_first(causes)),
        Section(words("details-background-fixes"), items=_first(article.fixes)),
    )


def _first(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(cut_prose(text, _ARTICLE_ITEM_LENGTH) for text in _lines(texts)[:ARTICLE_ITEMS])


def _paragraphs(text: str) -> str:
    return "\n".join(line for line in map(clean_line, clean(text).split("\n")) if line)


def _lines(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text for text in map(clean_line, texts) if text)


def _bounded(code: str) -> bytes:
    data = code.encode()
    if len(data) <= FILE_BYTES:
        return data + b"\n"
    # "ignore" drops a character the cut went through; the last line is dropped with it.
    return data[:FILE_BYTES].decode(errors="ignore").rpartition("\n")[0].encode() + "\n…\n".encode()
