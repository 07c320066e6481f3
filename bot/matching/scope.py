"""What of the catalogue a question is put to."""

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Scope:
    """The records that are looked at: those of `repositories` and those of `families`; where neither is given, all.

    `within`: the repositories the whole process is held to, where it is; nothing outside is seen, whatever was chosen.
    Names of repositories are in lower case, for GitHub takes no notice of case; `scope_of` and `held_to` see to it.
    """

    repositories: frozenset[str] = frozenset()
    families: frozenset[str] = frozenset()
    within: frozenset[str] = frozenset()

    @property
    def is_everything(self) -> bool:
        """Whether no record is outside."""
        return not (self.repositories or self.families or self.within)

    @property
    def is_chosen(self) -> bool:
        """Whether somebody chose something, beside what the process is held to."""
        return bool(self.repositories or self.families)

    def holds(self, repo: str, family: str | None) -> bool:
        """Whether a record of this repository (`owner/name`, in any case) and family of errors is looked at."""
        name = repo.lower()
        if self.within and name not in self.within:
            return False
        return not self.is_chosen or name in self.repositories or family in self.families

    def held_to(self, repositories: Iterable[str]) -> "Scope":
        """The same, and besides nothing but these repositories; none means that nothing is held back."""
        return replace(self, within=_lowered(repositories))


EVERYTHING = Scope()


def scope_of(repositories: Iterable[str] = (), families: Iterable[str] = ()) -> Scope:
    """The scope of a choice: repositories as `owner/name` in any case, families as records name them."""
    return Scope(_lowered(repositories), frozenset(families))


def _lowered(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.lower() for name in names)
