"""Which errors of a text are links of one chain, from the outermost to the root cause (B11).

Readers tell the role of each error and list them as they are printed: most runtimes print the cause below what wraps
it; Python's direct causes and PHP's previous exceptions stand above.
"""

from collections.abc import Sequence

from bot.pastes.readers.found import FoundError, Role

_CAUSE_ABOVE = frozenset({"python", "pytest", "php"})
_LINKED = frozenset({Role.WRAPPER, Role.ROOT_CAUSE})


def chains(errors: Sequence[FoundError]) -> list[tuple[FoundError, ...]]:
    """The chains of a text, each from the outermost error to its root cause; an error in none is one of itself.

    errors: in the order of the text, as `read_errors` returns them.
    """
    found: list[tuple[FoundError, ...]] = []
    at = 0
    while at < len(errors):
        end = _end_of_chain(errors, at)
        links = tuple(errors[at:end])
        found.append(links[::-1] if links[0].role is Role.ROOT_CAUSE else links)
        at = end
    return found


def depth_at(chain: Sequence[FoundError], line: int) -> int | None:
    """How deep the innermost link is that stands on this original line (0-based): 0 is the outermost; None for none."""
    depths = [depth for depth, link in enumerate(chain) if link.span.first <= line <= link.span.last]
    return max(depths, default=None)


def _end_of_chain(errors: Sequence[FoundError], start: int) -> int:
    first = errors[start]
    end = start + 1
    if first.role not in _LINKED:
        return end
    if first.role is Role.ROOT_CAUSE:
        while first.reader in _CAUSE_ABOVE and _follows(errors, end) and errors[end].role is Role.WRAPPER:
            end += 1
        return end
    while _follows(errors, end) and errors[end].role is Role.WRAPPER:
        end += 1
    return end + 1 if _follows(errors, end) and errors[end].role is Role.ROOT_CAUSE else end


def _follows(errors: Sequence[FoundError], at: int) -> bool:
    """Whether there is an error that the same reader found right behind the one before."""
    return at < len(errors) and errors[at].reader == errors[at - 1].reader
