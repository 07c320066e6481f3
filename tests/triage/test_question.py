"""A kept question points to its message and to nothing else."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.triage.question import NotAJumpLink, Question, jump_url

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
IDS = st.integers(1, 2**63 - 1)


def question(url: str) -> Question:
    return Question(message_id=1, guild_id=2, channel_id=3, author_id=4, fingerprint="f", jump_url=url, asked_at=NOW)


@given(guild=st.none() | IDS, channel=IDS, message=IDS)
def test_a_jump_link_is_accepted(guild: int | None, channel: int, message: int) -> None:
    """F5: the link made of ids is one a question takes, in a guild and in direct messages."""
    assert question(jump_url(guild, channel, message)).jump_url.startswith("https://discord.com/channels/")


@pytest.mark.parametrize(
    "url",
    [
        "https://cdn.discordapp.com/attachments/1/2/log.txt?ex=a&is=b&hm=c",
        "https://media.discordapp.net/attachments/1/2/x.png",
        "https://discord.com/channels/1/2/3?ex=1",
        "https://discord.com/channels/1/2",
        "https://discord.com.evil.example/channels/1/2/3",
        "http://discord.com/channels/1/2/3",
        "https://discord.com/channels/1/2/3\nhttps://cdn.discordapp.com/x",
        "",
    ],
)
def test_any_other_address_is_refused(url: str) -> None:
    """F5: files and look-alikes are refused, and the refusal does not repeat the address."""
    with pytest.raises(NotAJumpLink) as refused:
        question(url)

    assert "cdn" not in str(refused.value)
