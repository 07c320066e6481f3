"""`errata show`."""

import pytest

from tests.cli.errata_command import Errata
from tests.cli.golden_terminal import assert_golden


@pytest.mark.parametrize(
    "reference",
    [
        "48d4adaa22bdcf4f",
        "tracel-ai/burn/gradient-sync-server-disconnected",
        "https://errors.standardbeagle.com/tracel-ai/burn/gradient-sync-server-disconnected/",
    ],
)
def test_a_record_is_shown_by_each_of_its_names(errata: Errata, reference: str) -> None:
    """Id, name and the address of its page all mean the same record, which is shown whole."""
    ended = errata("show", reference)

    assert ended.code == 0
    assert_golden("show.txt", ended.out)


def test_json_is_the_record_as_it_came(errata: Errata) -> None:
    """Field names are upstream's."""
    ended = errata("show", "48d4adaa22bdcf4f", "--json")

    assert ended.json["id"] == "48d4adaa22bdcf4f"
    assert ended.json["errorMessage"] == "Gradient sync server disconnected."


def test_an_unknown_record_is_not_known(errata: Errata) -> None:
    """The code is 1, and the sentence says how to find one."""
    ended = errata("show", "nobody/nothing/never")

    assert (ended.code, ended.out) == (1, "")
    assert "errata search" in ended.err
