"""The payloads of our commands against Discord's own API description (its openapi.json), strictly."""

import json
import urllib.parse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot.errors import BotError

_OPERATION = "/applications/{application_id}/commands"
_URN = "urn:discord"
# Discord documents and accepts it; its description leaves it out.
_UNDESCRIBED = {"ApplicationCommandUpdateRequest": ("nsfw",)}


class DescriptionUnusable(BotError):
    """The description cannot be read or is another document, or there is no validator here."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} cannot be checked against: {why}")
        self.path, self.why = path, why


def problems(path: Path, commands: Sequence[dict[str, Any]]) -> list[str]:
    """What Discord's description does not allow in these commands, each as "place: what is wrong".

    A property that the description does not name is a problem, too.

    Raises DescriptionUnusable.
    """
    try:
        import jsonschema_rs  # noqa: PLC0415  # a development tool: a running bot needs none
    except ImportError as error:
        raise DescriptionUnusable(path, "jsonschema-rs is not installed (pip install 'errata-bot[dev]')") from error
    try:
        document = json.loads(path.read_text("utf-8"))
        schemas = document["components"]["schemas"]
        content = document["paths"][_OPERATION]["put"]["requestBody"]["content"]
        content["application/json"]["schema"]  # asked for, so that another document is told here
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DescriptionUnusable(path, f"it is not Discord's API description ({error!r})") from error
    close_objects(schemas)
    for schema, names in _UNDESCRIBED.items():
        for name in names:
            schemas.get(schema, {}).get("properties", {}).setdefault(name, {})
    parts = ("paths", _OPERATION, "put", "requestBody", "content", "application/json", "schema")
    pointer = "/" + "/".join(part.replace("~", "~0").replace("/", "~1") for part in parts)
    reference = f"{_URN}#{urllib.parse.quote(pointer, safe='/~')}"
    registry = jsonschema_rs.Registry([(_URN, document)])
    validator = jsonschema_rs.Draft202012Validator({"$ref": reference}, registry=registry)
    return [
        f"{'/'.join(map(str, error.instance_path)) or 'commands'}: {str(error.message)[:200]}"
        for error in validator.iter_errors(list(commands))
    ]


def close_objects(node: Any) -> None:
    """Objects of a JSON schema take no property beyond those they describe."""
    if isinstance(node, dict):
        described = node.get("type") == "object" and "properties" in node
        if described and "additionalProperties" not in node and "allOf" not in node:
            node["unevaluatedProperties"] = False
        for value in node.values():
            close_objects(value)
    elif isinstance(node, list):
        for value in node:
            close_objects(value)
