"""Background articles of the dataset: the list of them, and single ones."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from bot.records import rules
from bot.records.article import Article, Cause
from bot.sources.dataset_errors import InvalidDataset
from bot.sources.errors import InvalidSource
from bot.sources.json_text import parse_json

_ids = rules.list_of(rules.record_id)


def decode_article_list(data: bytes, origin: str) -> dict[str, str]:
    """The slugs in the list of articles, each with a digest of its line, which is another one when the article changed.

    The list may also be the one field of an object. Raises InvalidDataset.
    """
    document = _parsed(data, origin)
    if isinstance(document, dict):
        lists = [value for value in document.values() if isinstance(value, list)]
        document = lists[0] if len(lists) == 1 else document
    if not isinstance(document, list):
        raise InvalidDataset((f"{origin}: document: is {rules.kind_of(document)}, not a list of articles",))
    digests: dict[str, str] = {}
    for number, line in enumerate(document):
        try:
            slug = rules.kebab(line.get("slug") if isinstance(line, dict) else line)
        except rules.Refused as refused:
            raise InvalidDataset((f"{origin}[{number}]: slug: {refused.problem}",)) from refused
        digests[slug] = hashlib.sha256(json.dumps(line, sort_keys=True).encode()).hexdigest()[:16]
    return digests


def decode_article(data: bytes, slug: str, origin: str) -> Article:
    """The article in these bytes. Only what names it is required; fields nobody here knows are passed over.

    Raises InvalidDataset with all problems at once, also where it is not the article of this slug.
    """
    document = _parsed(data, origin)
    if not isinstance(document, dict):
        raise InvalidDataset((f"{origin}: document: is {rules.kind_of(document)}, not an object",))
    problems: list[str] = []

    def field(name: str, rule: Callable[[object], Any], otherwise: Any, *, required: bool = False) -> Any:
        value = document.get(name)
        if value is None and not required:
            return otherwise
        try:
            return rule(value)
        except rules.Refused as refused:
            problems.append(f"{origin}: {name}: {refused.problem}")
            return otherwise

    article = Article(
        slug=field("slug", rules.kebab, "", required=True),
        cluster_key=field("clusterKey", rules.filled_text, "", required=True),
        title=field("title", rules.filled_text, "", required=True),
        summary=field("summary", rules.text, ""),
        background=field("background", rules.text, ""),
        common_causes=field("commonCauses", _causes, ()),
        fixes=field("fixes", _fixes, ()),
        error_ids=field("errorIds", _ids, ()),
        generated_at=field("generatedAt", rules.moment, None),
    )
    if not problems and article.slug != slug:
        problems.append(f"{origin}: slug: is {article.slug}, not {slug}")
    if problems:
        raise InvalidDataset(tuple(problems))
    return article


def encode_article(article: Article) -> dict[str, object]:
    """The article as upstream writes it."""
    return {
        "slug": article.slug,
        "clusterKey": article.cluster_key,
        "title": article.title,
        "summary": article.summary,
        "background": article.background,
        "commonCauses": [{"cause": one.cause, "detail": one.detail} for one in article.common_causes],
        "fixes": list(article.fixes),
        "errorIds": list(article.error_ids),
        "generatedAt": rules.written(article.generated_at) if article.generated_at else None,
    }


def _parsed(data: bytes, origin: str) -> object:
    try:
        return parse_json(data, origin)
    except InvalidSource as invalid:
        raise InvalidDataset(invalid.problems) from invalid


def _causes(value: object) -> tuple[Cause, ...]:
    if not isinstance(value, list):
        raise rules.Refused(f"is {rules.kind_of(value)}, not a list")
    return tuple(_cause(item, index) for index, item in enumerate(value))


def _cause(item: object, index: int) -> Cause:
    if not isinstance(item, Mapping):
        raise rules.Refused(f"holds {rules.kind_of(item)}, not an object", index)
    return Cause(rules.text(item.get("cause")), rules.text(item.get("detail") or ""))


def _fixes(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise rules.Refused(f"is {rules.kind_of(value)}, not a list")
    # The contract shows causes in two parts and leaves open what a fix is: a sentence, or parts of one.
    return tuple(
        ": ".join(rules.text(part) for part in item.values() if part) if isinstance(item, Mapping) else rules.text(item)
        for item in value
    )
