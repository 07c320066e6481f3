"""What buttons remember."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.answers.answer import Candidate
from bot.cogs.card_ids import MOST_CANDIDATES, TEMPLATE, Action, CardId, InvalidCardId
from bot.matching.verdict import Tier
from tests.strategies import record_ids

_candidates = st.builds(Candidate, record_ids, st.sampled_from(list(Tier)), st.integers(0, 99)) | st.builds(
    Candidate, record_ids, st.just(Tier.PATTERN), st.integers(0, 99), st.just(True)
)
_card_ids = st.builds(
    CardId,
    st.sampled_from(list(Action)),
    record_ids,
    st.integers(0, (1 << 64) - 1),
    st.lists(_candidates, max_size=MOST_CANDIDATES).map(tuple),
)


@given(_card_ids)
def test_reading_back_gives_what_was_written(card_id: CardId) -> None:
    """A button that outlived the process says all it said when it was sent (E9)."""
    assert CardId.parse(str(card_id)) == card_id


@given(_card_ids)
def test_every_id_fits_and_is_recognised(card_id: CardId) -> None:
    """A custom_id has at most 100 characters and matches the template of the DynamicItem."""
    assert len(str(card_id)) <= 100
    assert TEMPLATE.fullmatch(str(card_id))


def test_candidates_beyond_the_room_are_left_out() -> None:
    """Too many candidates shorten the list, not the message."""
    many = tuple(Candidate(f"{number:016x}", Tier.NEAREST, 50) for number in range(9))

    written = str(CardId(Action.WRONG, "0" * 16, (1 << 64) - 1, many))

    assert CardId.parse(written).candidates == many[:MOST_CANDIDATES]


@pytest.mark.parametrize(
    "custom_id",
    ["", "errata:1:more:x:0:", "errata:2:more:48d4adaa22bdcf4f:0:", "errata:1:eat:48d4adaa22bdcf4f:0:", "other"],
)
def test_foreign_ids_are_refused(custom_id: str) -> None:
    """Another bot's button, a damaged one, or one of a version we do not know."""
    with pytest.raises(InvalidCardId):
        CardId.parse(custom_id)


@pytest.mark.parametrize(("record_id", "ref"), [("", 0), ("48D4ADAA22BDCF4F", 0), ("0" * 16, -1), ("0" * 16, 1 << 64)])
def test_what_cannot_be_read_back_is_not_written(record_id: str, ref: int) -> None:
    """A broken button is worse than an error here."""
    with pytest.raises(InvalidCardId):
        str(CardId(Action.MORE, record_id, ref))


@given(st.text())
def test_any_other_text_is_refused(text: str) -> None:
    """Parsing never fails in another way."""
    with pytest.raises(InvalidCardId):
        CardId.parse(text)
