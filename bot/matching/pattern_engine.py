"""The engine that compiles and scans here: Hyperscan where there is a wheel for the platform, else literals."""

from collections.abc import Sequence
from importlib import metadata
from typing import Any

from bot.matching.scanner import Scanner, Sought

try:
    from bot.matching import hyperscan_scanner
except ImportError:  # no wheel for this platform: the literal scanner does the work
    hyperscan_scanner = None  # type: ignore[assignment]

# What loading raises for a database of another processor or version.
ENGINE_ERRORS: tuple[type[Exception], ...] = () if hyperscan_scanner is None else (hyperscan_scanner.Error,)


def engine_name(*, hyperscan_wanted: bool = True) -> str:
    """The engine that compiles here, with its version."""
    if hyperscan_scanner is None or not hyperscan_wanted:
        return "ahocorasick"
    return f"hyperscan {metadata.version('hyperscan')}"


def compile_database(
    sought: Sequence[Sought], *, hyperscan_wanted: bool
) -> tuple[bytes, list[Sought], list[tuple[Sought, str]]]:
    """The serialised database, the regexes in it by id, and those it does not take with the reason.

    Without Hyperscan it takes none, for no reason of theirs.
    """
    if hyperscan_scanner is None or not hyperscan_wanted:
        return b"", [], [(one, "") for one in sought]
    return hyperscan_scanner.compile_database(sought)


def load_database(serialised: bytes) -> Any:
    """A database to scan with; raises one of ENGINE_ERRORS where it was compiled for another processor or version."""
    return hyperscan_scanner.load_database(serialised)


def scanner_of(databases: "Sequence[tuple[Any, hyperscan_scanner.Keys]]") -> Scanner:
    """A scanner over databases loaded here, with the keys of each."""
    return hyperscan_scanner.HyperscanScanner(databases)
