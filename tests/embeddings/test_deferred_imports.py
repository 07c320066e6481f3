"""Packages that load when something of them is called."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared_data import REPOSITORY

_BEGIN = """
import sys
sys.path.insert(0, {packages!r})
sys.path.insert(0, {repository!r})
from embeddings.deferred_imports import DeferredImports
DeferredImports(["heavy"]).put_in_place()
"""


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder with a package that says when it is loaded."""
    (tmp_path / "heavy" / "deep").mkdir(parents=True)
    (tmp_path / "heavy" / "__init__.py").write_text("print('loaded')\n", encoding="ascii")
    (tmp_path / "heavy" / "deep" / "__init__.py").write_text(
        "def add(a, *, b): return a + b\nclass Thing:\n    kind = 'real'\n", encoding="ascii"
    )
    (tmp_path / "heavyweight.py").write_text("print('another')\n", encoding="ascii")
    return tmp_path


def said(packages: Path, code: str) -> list[str]:
    """What a fresh process prints that runs the code where the package is deferred."""
    begin = _BEGIN.format(packages=str(packages), repository=str(REPOSITORY))
    done = subprocess.run(
        [sys.executable, "-c", begin + code], check=True, stdout=subprocess.PIPE, text=True, timeout=60
    )
    return done.stdout.split()


def test_importing_loads_nothing(packages: Path) -> None:
    """In every form; a package whose name only begins like it is none of them."""
    code = "import heavy, heavy.deep as deep\nfrom heavy.deep import add, Thing\nimport heavyweight\nprint('end')\n"

    assert said(packages, code) == ["another", "end"]


def test_calling_loads_it_once(packages: Path) -> None:
    """Functions, classes and later imports are the real ones then."""
    code = (
        "from heavy.deep import add, Thing\n"
        "print(add(1, b=2), Thing().kind)\n"
        "import heavy.deep\n"
        "print(heavy.deep.Thing.kind, type(heavy.deep.__loader__).__name__)\n"
    )

    assert said(packages, code) == ["loaded", "3", "real", "real", "SourceFileLoader"]


def test_what_is_loaded_stays(packages: Path) -> None:
    """It is too late to defer it."""
    code = "sys.meta_path.pop(0)\nimport heavy\nDeferredImports(['heavy']).put_in_place()\nfrom heavy.deep import Thing\nprint(Thing.kind)\n"

    assert said(packages, code) == ["loaded", "real"]


def test_what_takes_more_than_a_call_fails(packages: Path) -> None:
    """So that whoever deferred it notices, and begins anew."""
    code = (
        "import heavy.deep\n"
        "try:\n    class Mine(heavy.deep.Thing): pass\nexcept TypeError: print('noticed')\n"
        "try:\n    heavy.deep.__version__\nexcept AttributeError: print('noticed')\n"
    )

    assert said(packages, code) == ["noticed", "noticed"]
