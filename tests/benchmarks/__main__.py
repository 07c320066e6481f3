"""`python -m tests.benchmarks [NAME…]`: run the named benchmarks, by default all.

A benchmark is a module of this folder with `measure()`; what that returns, one thing or a list, is printed.
"""

import sys
from importlib import import_module
from pathlib import Path


def names() -> list[str]:
    """The benchmarks there are."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))


def main(wanted: list[str]) -> int:
    """Print the results; 2 when there is no benchmark of a name."""
    if unknown := set(wanted) - set(names()):
        print(f"no such benchmark: {', '.join(sorted(unknown))}; there are: {', '.join(names())}", file=sys.stderr)
        return 2
    for name in wanted or names():
        result = import_module(f"tests.benchmarks.{name}").measure()
        for line in result if isinstance(result, list) else [result]:
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
