"""`python -m tests.card_picture OUT.png CARD.json`: a picture of the components in a JSON file."""

import json
import sys
from pathlib import Path

from tests.card_picture.picture import BrowserMissing, save_picture


def main(arguments: list[str]) -> int:
    """Write the picture; 2 on wrong use or where there is no browser."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    target, card = map(Path, arguments)
    try:
        save_picture(json.loads(card.read_text("utf-8")), target)
    except BrowserMissing as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
