"""What the terminal shows, against files somebody has looked at.

`ERRATA_ACCEPT_GOLDEN=1 pytest tests/cli` writes what is shown now; look at the files (`cat` shows their colours), then
commit them.
"""

import os

from tests.shared_data import REPOSITORY

_FOLDER = REPOSITORY / "tests" / "golden" / "terminal"


def assert_golden(name: str, shown: str) -> None:
    """Raise AssertionError where `shown` is not what the file of this name holds."""
    path = _FOLDER / name
    if os.environ.get("ERRATA_ACCEPT_GOLDEN") == "1":
        path.write_text(shown, encoding="utf-8", newline="\n")
    assert path.exists(), f"{path} is missing; ERRATA_ACCEPT_GOLDEN=1 writes it"
    assert shown == path.read_text(encoding="utf-8"), f"{path} differs; ERRATA_ACCEPT_GOLDEN=1 writes it anew"
