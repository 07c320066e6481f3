"""`python -m bot` is the `errata` command."""

from bot.cli.main import run

if __name__ == "__main__":
    run()
