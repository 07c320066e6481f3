"""Which Errata this is."""

from importlib import metadata

_DISTRIBUTION = "errata-bot"


def installed_version() -> str | None:
    """The installed version; None in a checkout that was never installed."""
    try:
        return metadata.version(_DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return None
