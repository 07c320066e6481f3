"""The records the bot knows on its first day."""

from pathlib import Path

import bot

_PACKAGE = Path(bot.__file__).resolve().parent


def shipped_seeds() -> Path:
    """The folder with the shipped documents: inside an installed package, or `seeds/` of a checkout.

    Raises FileNotFoundError where neither is there, which means that the package was put together wrongly.
    """
    for folder in (_PACKAGE / "shipped_seeds", _PACKAGE.parent / "seeds"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the shipped records are missing: neither {_PACKAGE / 'shipped_seeds'} nor a checkout")
