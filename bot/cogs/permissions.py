"""What the bot may not do in a channel, in words."""

import discord

# What answering needs, in the order an admin would look for it. A card is text and buttons: it embeds no link.
_NEEDED = ("view_channel", "send_messages", "read_message_history")
_NEEDED_IN_THREADS = ("view_channel", "send_messages_in_threads", "read_message_history")
# Without it answers work, and long code behind "More" does not reach people where Discord counts it as the bot's.
_WANTED = ("attach_files",)
# Only where a server wants messages that show secrets to be deleted.
_NEEDED_TO_DELETE = ("view_channel", "manage_messages")


def missing(granted: discord.Permissions, *, in_thread: bool) -> tuple[str, ...]:
    """discord.py's names of the permissions that answering needs and does not have."""
    return tuple(name for name in (_NEEDED_IN_THREADS if in_thread else _NEEDED) if not getattr(granted, name))


def missing_comforts(granted: discord.Permissions) -> tuple[str, ...]:
    """The names of those that answering can do without."""
    return tuple(name for name in _WANTED if not getattr(granted, name))


def missing_to_delete(granted: discord.Permissions) -> tuple[str, ...]:
    """The names of those that taking away other people's messages needs."""
    return tuple(name for name in _NEEDED_TO_DELETE if not getattr(granted, name))


def may_delete(channel: object) -> bool:
    """Whether other people's messages can be taken away here, as far as the bot knows; of an unknown channel, yes."""
    if not isinstance(channel, discord.Thread | discord.abc.GuildChannel):
        return True
    try:
        return not missing_to_delete(channel.permissions_for(channel.guild.me))
    except discord.ClientException:
        # A thread whose parent is not known.
        return True


def may_answer(channel: object) -> bool:
    """Whether a reply can be posted here, as far as the bot knows; of a channel it does not know, yes."""
    if not isinstance(channel, discord.Thread | discord.abc.GuildChannel):
        return True
    try:
        granted = channel.permissions_for(channel.guild.me)
    except discord.ClientException:
        # A thread whose parent is not known.
        return True
    in_thread = isinstance(channel, discord.Thread)
    if isinstance(channel, discord.Thread) and channel.locked and not granted.manage_threads:
        return False
    return not missing(granted, in_thread=in_thread)
