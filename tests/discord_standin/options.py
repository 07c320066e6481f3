"""What a person types into a command, as Discord sends it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.discord_standin.cdn import Cdn
from tests.discord_standin.interactions import NotOffered
from tests.discord_standin.payloads import Payload, Upload
from tests.discord_standin.world import World

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(1, 12)


@dataclass(slots=True)
class Resolved:
    """Collects what ids in an interaction stand for; `pick` returns the id."""

    world: World
    cdn: Cdn
    channel: Payload
    data: Payload = field(default_factory=dict)

    def user(self, user: Payload) -> str:
        self.data.setdefault("users", {})[user["id"]] = user
        guild_id = self.channel.get("guild_id")
        member = self.world.member(guild_id, user["id"]) if guild_id else None
        if member is not None:
            permissions = str(int(self.world.permissions(self.channel, user)))
            partial = {key: value for key, value in member.items() if key not in ("user", "deaf", "mute")}
            self.data.setdefault("members", {})[user["id"]] = partial | {"permissions": permissions}
        return str(user["id"])

    def role(self, role: Payload) -> str:
        self.data.setdefault("roles", {})[role["id"]] = role
        return str(role["id"])

    def for_channel(self, channel: Payload, asker: Payload) -> str:
        shown: Payload = {
            key: channel[key] for key in ("id", "type", "name", "parent_id", "thread_metadata") if key in channel
        }
        shown["permissions"] = str(int(self.world.permissions(channel, asker)))
        self.data.setdefault("channels", {})[channel["id"]] = shown
        return str(channel["id"])

    def attachment(self, upload: Upload) -> str:
        stored = self.cdn.store("ephemeral-attachments", self.channel["id"], upload)
        self.data.setdefault("attachments", {})[stored["id"]] = stored
        return str(stored["id"])

    def pick(self, value: Any, asker: Payload) -> str:
        """The id of a person, role, channel or file that is chosen."""
        if isinstance(value, Upload):
            return self.attachment(value)
        assert isinstance(value, dict), f"not a person, role, channel or file: {value!r}"
        if "username" in value:
            return self.user(value)
        return self.role(value) if "permissions" in value else self.for_channel(value, asker)


def descend(command: Payload, path: list[str]) -> list[Payload]:
    """The options along a subcommand path, outermost first. Raises NotOffered where there is no such subcommand."""
    found: list[Payload] = []
    options: list[Payload] = command.get("options") or []
    for name in path:
        node = next(
            (option for option in options if option["name"] == name and option["type"] in (SUBCOMMAND, GROUP)), None
        )
        if node is None:
            known = ", ".join(option["name"] for option in options)
            raise NotOffered(f"{command['name']} has no subcommand {name!r} here, only: {known}")
        found.append(node)
        options = node.get("options") or []
    if any(option["type"] in (SUBCOMMAND, GROUP) for option in options):
        raise NotOffered(f"/{command['name']} {' '.join(path)} needs a subcommand")
    return found


def nested(path: list[Payload], leaves: list[Payload]) -> list[Payload]:
    """The given options inside the subcommands that lead to them."""
    for node in reversed(path):
        leaves = [{"name": node["name"], "type": node["type"], "options": leaves}]
    return leaves


def fill(options: list[Payload], given: Mapping[str, Any], resolved: Resolved, asker: Payload) -> list[Payload]:
    """The given values as option payloads. Raises NotOffered for what the client would not let pass."""
    by_name = {option["name"]: option for option in options}
    unknown = set(given) - set(by_name)
    if unknown:
        raise NotOffered(f"no such options: {', '.join(sorted(unknown))}; there are: {', '.join(by_name)}")
    missing = [option["name"] for option in options if option.get("required") and option["name"] not in given]
    if missing:
        raise NotOffered(f"required options are empty: {', '.join(missing)}")
    filled = []
    for name, value in given.items():
        option = by_name[name]
        _check_value(option, value)
        sent = (
            resolved.pick(value, asker) if option["type"] in (USER, CHANNEL, ROLE, MENTIONABLE, ATTACHMENT) else value
        )
        filled.append({"name": name, "type": option["type"], "value": sent})
    return filled


def _check_value(option: Payload, value: Any) -> None:
    kind, name = option["type"], option["name"]
    kinds: dict[int, type | tuple[type, ...]] = {STRING: str, INTEGER: int, BOOLEAN: bool, NUMBER: (int, float)}
    if kind in kinds and not isinstance(value, kinds[kind]):
        raise NotOffered(f"{name} takes another kind of value than {value!r}")
    choices = [choice["value"] for choice in option.get("choices") or []]
    if choices and value not in choices:
        raise NotOffered(f"{name} offers {choices}, not {value!r}")
    if kind == STRING:
        size, least, most = len(value), option.get("min_length") or 0, option.get("max_length") or 6000
    elif kind in (INTEGER, NUMBER):
        size, least, most = value, option.get("min_value", float("-inf")), option.get("max_value", float("inf"))
    elif kind == CHANNEL:
        kinds_offered = option.get("channel_types") or [value["type"]]
        if value["type"] not in kinds_offered:
            raise NotOffered(f"{name} offers channels of types {kinds_offered}, not {value['type']}")
        return
    else:
        return
    if not least <= size <= most:
        raise NotOffered(f"{name} takes {least} to {most}, not {size}")
