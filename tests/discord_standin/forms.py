"""What a person fills into a modal, as Discord sends it."""

from collections.abc import Mapping
from typing import Any

from tests.discord_standin.interactions import NotOffered
from tests.discord_standin.options import Resolved
from tests.discord_standin.payloads import Payload, Upload, walk

ROW, STRING_SELECT, TEXT_INPUT, CHANNEL_SELECT, TEXT_DISPLAY, LABEL = 1, 3, 4, 8, 10, 18
ENTITY_SELECTS = (5, 6, 7, CHANNEL_SELECT)
FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 19, 21, 22, 23


def fill_in(components: list[Payload], given: Mapping[str, Any], resolved: Resolved, asker: Payload) -> list[Payload]:
    """The components of a submitted modal.

    Values are given by custom_id or by the text of their label; what is not given keeps its default.
    Raises NotOffered for values the client would not let pass and for names the modal does not have.
    """
    names = {part.get("custom_id") for part in walk(components)} | {part.get("label") for part in walk(components)}
    if strangers := set(given) - names:
        raise NotOffered(f"the modal has no {sorted(strangers)}, only {sorted(filter(None, names))}")
    filled = []
    for number, part in enumerate(components, 1):
        answer: Payload = {"type": part["type"], "id": part.get("id") or number}
        if part["type"] == LABEL:
            answer["component"] = _answer(part["component"], part["label"], given, resolved, asker) | {
                "id": 100 + number
            }
        elif part["type"] == ROW:
            inputs = [_answer(one, one.get("label") or "", given, resolved, asker) for one in part["components"]]
            answer["components"] = [one | {"id": 100 + number} for one in inputs]
        filled.append(answer)
    return filled


def _answer(part: Payload, label: str, given: Mapping[str, Any], resolved: Resolved, asker: Payload) -> Payload:
    name, kind = part["custom_id"], part["type"]
    said = name in given or label in given
    value = given.get(name, given.get(label))
    required = part.get("required") is not False
    answer: Payload = {"type": kind, "custom_id": name}
    if kind == TEXT_INPUT:
        return answer | {"value": _text(part, value if said else part.get("value") or "", required=required)}
    if kind == CHECKBOX:
        return answer | {"value": bool(value if said else part.get("default"))}
    if kind == RADIO_GROUP:
        chosen = _defaults(part) if not said else [value] if value else []
        _check_offered(part, chosen, required=required)
        return answer | {"value": chosen[0] if chosen else None}
    if kind in (STRING_SELECT, CHECKBOX_GROUP):
        chosen = list(value) if said else _defaults(part)
        _check_offered(part, chosen, required=required)
        return answer | {"values": chosen}
    if kind in ENTITY_SELECTS or kind == FILE_UPLOAD:
        picked = list(value) if said else _default_entities(part, resolved)
        _check_count(part, len(picked), required=required)
        if any(isinstance(one, Upload) != (kind == FILE_UPLOAD) for one in picked):
            raise NotOffered(f"{label or name} takes another kind of thing")
        _check_channel_types(part, picked)
        return answer | {"values": [resolved.pick(one, asker) for one in picked]}
    raise NotOffered(f"a modal has no component of type {kind}")


def choose(select: Payload, values: list[Any], resolved: Resolved, asker: Payload) -> list[str]:
    """The `values` of a select in a message. Raises NotOffered for what the client would not let pass."""
    if select["type"] == STRING_SELECT:
        _check_offered(select, values, required=True)
        return [str(value) for value in values]
    _check_count(select, len(values), required=True)
    _check_channel_types(select, values)
    return [resolved.pick(value, asker) for value in values]


def _text(part: Payload, text: str, *, required: bool) -> str:
    least, most = part.get("min_length") or 0, part.get("max_length") or 4000
    if (required and not text) or len(text) > most or (text and len(text) < least):
        raise NotOffered(f"{part['custom_id']} takes {least} to {most} characters, not {len(text)}")
    return text


def _defaults(part: Payload) -> list[str]:
    return [option["value"] for option in part.get("options") or [] if option.get("default")]


def _default_entities(part: Payload, resolved: Resolved) -> list[Payload]:
    found = []
    for entry in part.get("default_values") or []:
        wanted = str(entry["id"])
        guild = resolved.world.guilds.get(resolved.channel.get("guild_id", ""))
        pools = {
            "user": [resolved.world.users.get(wanted)],
            "channel": [resolved.world.channels.get(wanted)],
            "role": [role for role in (guild["roles"] if guild else []) if role["id"] == wanted],
        }
        found += [entity for entity in pools[entry["type"]] if entity is not None]  # one that is gone is not shown
    return found


def _check_offered(part: Payload, chosen: list[Any], *, required: bool) -> None:
    offered = [option["value"] for option in part["options"]]
    if not set(chosen) <= set(offered):
        raise NotOffered(f"{part['custom_id']} offers {offered}, not {chosen}")
    _check_count(part, len(chosen), required=required)


def _check_count(part: Payload, count: int, *, required: bool) -> None:
    least, most = part.get("min_values"), part.get("max_values") or 1
    least = 1 if least is None else least
    if part["type"] == CHECKBOX_GROUP and not part.get("max_values"):
        most = len(part["options"])
    if count == 0 and not required:
        return
    if not least <= count <= most:
        raise NotOffered(f"{part['custom_id']} takes {least} to {most} values, not {count}")


def _check_channel_types(part: Payload, picked: list[Any]) -> None:
    kinds = part.get("channel_types")
    if kinds and any(channel["type"] not in kinds for channel in picked):
        raise NotOffered(f"{part['custom_id']} offers channels of types {kinds}")
