"""What a server chose from the catalogue, and what it could choose, as messages."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from discord import ui

from bot.answers.cleaning import clean_line
from bot.answers.cutting import cut
from bot.cogs.card_markdown import inline_code, line
from bot.locales.words import Words
from bot.store.guilds import GuildSettings

# Names have up to 200 characters, and a message of components 4,000.
MOST_LISTED = 30
_MOST_FOUND = 8
_NAME_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Counted:
    """The repositories and families there are, each with the number of its records."""

    repositories: Mapping[str, int]
    families: Mapping[str, int]

    def called(self, name: str) -> str | None:
        """The repository or family of this name, in whatever case, as the catalogue spells it."""
        wanted = name.strip().lower()
        return next((each for each in (*self.repositories, *self.families) if each.lower() == wanted), None)

    def records(self, name: str) -> int:
        """How many records a repository or family has."""
        return self.repositories.get(name, 0) if "/" in name else self.families.get(name, 0)


def choice_view(settings: GuildSettings, counted: Counted, seen: int, words: Words) -> ui.LayoutView:
    """Return what a server chose. seen: how many records that makes, a record of two choices counted once."""
    chosen = [*sorted(settings.repositories), *sorted(settings.families)]
    lines = [f"**{words('catalogue-title')}**"]
    if not chosen:
        lines.append(line(words("catalogue-everything", records=seen, repositories=len(counted.repositories))))
    lines += [f"- {choice_line(name, counted, words)}" for name in chosen[:MOST_LISTED]]
    if len(chosen) > MOST_LISTED:
        lines.append(f"-# {line(words('changes-more', count=len(chosen) - MOST_LISTED))}")
    if chosen:
        total = sum(counted.repositories.values())
        lines.append(line(words("catalogue-seen", records=seen, total=total)))
    return _view(lines)


def choice_line(name: str, counted: Counted, words: Words) -> str:
    """One repository or family with the number of its records, as Markdown."""
    key = "catalogue-repository" if "/" in name else "catalogue-family"
    return f"{name_text(name)} {line(words(key, records=counted.records(name)))}"


@dataclass(frozen=True, slots=True)
class Matching:
    """What fits a query: names that hold it, and how many records do, by repository."""

    query: str
    names: Sequence[str]
    records: Mapping[str, int]


def found_view(found: Matching, counted: Counted, chosen: Collection[str], words: Words) -> ui.LayoutView:
    """Return what can be chosen; what is already is marked."""
    lines = [f"**{line(words('catalogue-found', query=cut(clean_line(found.query), _NAME_LENGTH)))}**"]

    def marked(name: str, text: str) -> str:
        return f"- {text} · {line(words('catalogue-chosen'))}" if name in chosen else f"- {text}"

    lines += [marked(name, choice_line(name, counted, words)) for name in found.names[:_MOST_FOUND]]
    most_first = sorted(found.records.items(), key=lambda one: (-one[1], one[0]))
    for name, records in [one for one in most_first if one[0] not in found.names][:_MOST_FOUND]:
        text = line(words("catalogue-holds", records=records, total=counted.records(name)))
        lines.append(marked(name, f"{name_text(name)} {text}"))
    if len(lines) == 1:
        lines.append(line(words("catalogue-nothing-found")))
    return _view(lines)


def name_text(name: str) -> str:
    """A name of the catalogue, which nobody vouches for, as Markdown."""
    return inline_code(cut(clean_line(name), _NAME_LENGTH))


def _view(lines: Sequence[str]) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay("\n".join(lines)))
    return view
