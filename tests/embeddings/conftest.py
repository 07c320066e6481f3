"""What all tests of the index share."""

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def without_waiting_for_the_disk() -> Iterator[None]:
    """Files are not forced onto the disk: that guards against a loss of power, which no test here brings about.

    A busy disk takes milliseconds for each of 25 files, and the laws build hundreds of indexes.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield
