"""What the bot may not do in a channel."""

from unittest.mock import MagicMock

import discord
import pytest

from bot.cogs.permissions import may_answer, missing, missing_comforts

NEEDED = discord.Permissions(view_channel=True, send_messages=True, read_message_history=True)
IN_THREADS = discord.Permissions(view_channel=True, send_messages_in_threads=True, read_message_history=True)


def channel(granted: discord.Permissions) -> MagicMock:
    made = MagicMock(spec=discord.TextChannel)
    made.permissions_for.return_value = granted
    return made


def thread(granted: discord.Permissions, *, locked: bool = False) -> MagicMock:
    made = MagicMock(spec=discord.Thread)
    made.permissions_for.return_value, made.locked = granted, locked
    return made


@pytest.mark.parametrize(
    ("granted", "in_thread", "lacking"),
    [
        (NEEDED, False, ()),
        (IN_THREADS, True, ()),
        (NEEDED, True, ("send_messages_in_threads",)),
        (IN_THREADS, False, ("send_messages",)),
        (discord.Permissions.none(), False, ("view_channel", "send_messages", "read_message_history")),
        (discord.Permissions.all(), True, ()),
    ],
)
def test_what_answering_lacks_is_named(granted: discord.Permissions, in_thread: bool, lacking: tuple[str, ...]) -> None:
    """E10: writing in a thread is a right of its own; each right that is missing is named, in the order to look for."""
    assert missing(granted, in_thread=in_thread) == lacking


def test_comforts_are_told_apart_from_needs() -> None:
    """E10: without files answers work; the admin reads that they would help."""
    assert missing_comforts(NEEDED) == ("attach_files",)
    assert missing_comforts(discord.Permissions.all()) == ()


@pytest.mark.parametrize("granted", [NEEDED, IN_THREADS])
def test_a_channel_and_a_thread_ask_for_different_rights(granted: discord.Permissions) -> None:
    """E10: no answer is tried where it would be refused."""
    assert may_answer(channel(granted)) is (granted == NEEDED)
    assert may_answer(thread(granted)) is (granted == IN_THREADS)


def test_a_locked_thread_is_for_those_who_manage_it() -> None:
    """E11: in a locked thread Discord refuses everybody else."""
    assert not may_answer(thread(IN_THREADS, locked=True))
    assert may_answer(thread(IN_THREADS | discord.Permissions(manage_threads=True), locked=True))


def test_where_nothing_is_known_it_is_tried() -> None:
    """Direct messages, and threads of a channel the bot does not see, are answered; Discord may still refuse."""
    orphan = thread(IN_THREADS)
    orphan.permissions_for.side_effect = discord.ClientException("Parent channel not found")

    assert may_answer(orphan)
    assert may_answer(MagicMock(spec=discord.DMChannel))
    assert may_answer(MagicMock(spec=discord.PartialMessageable))
