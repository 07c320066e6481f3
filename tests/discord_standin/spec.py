"""Bodies against Discord's own API description, by jsonschema-rs."""

import copy
import json
import re
import urllib.parse
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import jsonschema_rs

from bot.cli.api_description import close_objects
from tests.discord_standin.payloads import Payload

Side = Literal["request", "response"]
_URN = "urn:discord"
_METHODS = ("get", "post", "put", "patch", "delete")

# What discord.py 2.7.1 sends that the description does not list. Each is a fact to check again on an upgrade.
KNOWN_EXTRAS = {
    "ApplicationCommandUpdateRequest": ("nsfw",),  # documented by Discord, absent from the request schema
    "ApplicationCommandCreateRequest": ("nsfw",),  # the same
    "RichEmbed": ("flags",),  # Embed.to_dict() includes flags=0
    # sent as false on every edit that carries a view
    "MessageEditRequestPartial": ("tts",),
    "IncomingWebhookUpdateRequestPartial": ("tts",),
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial": ("tts",),
}


@dataclass(frozen=True, slots=True)
class Violation:
    """A body that Discord's description, or one of its unwritten limits, does not allow."""

    where: Literal["request", "response", "limit"]
    operation: str
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.where} {self.operation} at {self.path or '/'}: {self.message}"


@dataclass(frozen=True, slots=True)
class _Operation:
    method: str
    pattern: re.Pattern[str]
    template: str
    body: Payload


class Spec:
    """Discord's OpenAPI document, compiled as it is used; one serves a whole test session.

    Requests are closed: a property the description does not name is a violation.
    `seen` counts the operations asked about, by operationId.
    """

    def __init__(self, path: Path) -> None:
        self._document: Payload = json.loads(path.read_text("utf-8"))
        self._registries = {
            "request": jsonschema_rs.Registry([(_URN, _for_requests(self._document))]),
            "response": jsonschema_rs.Registry([(_URN, _for_responses(self._document))]),
        }
        self._validators: dict[tuple[Side, str], Any] = {}
        self._operations = [
            _Operation(method.upper(), _template_pattern(template), template, operation)
            for template, item in self._document["paths"].items()
            for method, operation in item.items()
            if method in _METHODS
        ]
        self._operations.sort(key=lambda operation: operation.template.count("{"))  # literal segments win
        self.seen: Counter[str] = Counter()

    def request(self, method: str, path: str, body: Any) -> list[Violation]:
        """What is wrong with a request; the JSON part of a multipart body counts as the body."""
        operation = self._find(method, path)
        if operation is None:
            return [Violation("request", f"{method} {path}", "", "no such operation in the API description")]
        self.seen[operation.body["operationId"]] += 1
        if body is None or "application/json" not in operation.body.get("requestBody", {}).get("content", {}):
            return []
        pointer = _pointer(
            "paths", operation.template, method.lower(), "requestBody", "content", "application/json", "schema"
        )
        return self._check("request", f"{method} {operation.template}", pointer, body)

    def response(self, method: str, path: str, status: int, body: Any) -> list[Violation]:
        """What is wrong with one of the stand-in's own answers."""
        operation = self._find(method, path)
        if operation is None:
            return []
        name = f"{method} {operation.template}"
        for key in (str(status), f"{status // 100}XX"):
            described = operation.body["responses"].get(key)
            if described is None:
                continue
            base: tuple[str, ...] = ("paths", operation.template, method.lower(), "responses", key)
            if "$ref" in described:
                base = ("components", "responses", described["$ref"].rsplit("/", 1)[1])
                described = self._document["components"]["responses"][base[-1]]
            if "application/json" not in described.get("content", {}):
                return []
            pointer = _pointer(*base, "content", "application/json", "schema")
            return self._check("response", f"{name} {status}", pointer, body)
        return [Violation("response", name, "", f"status {status} is not described")]

    def check_schema(self, name: str, body: Any) -> list[Violation]:
        """What is wrong with a body against one named schema, strictly as in a request."""
        return self._check("request", name, _pointer("components", "schemas", name), body)

    def _find(self, method: str, path: str) -> _Operation | None:
        fitting = (o for o in self._operations if o.method == method and o.pattern.match(path))
        return next(fitting, None)

    def _check(self, side: Side, operation: str, pointer: str, body: Any) -> list[Violation]:
        validator = self._validators.get((side, pointer))
        if validator is None:
            # braces of path templates must be quoted, or the URI is refused
            reference = f"{_URN}#{urllib.parse.quote(pointer, safe='/~')}"
            validator = jsonschema_rs.Draft202012Validator({"$ref": reference}, registry=self._registries[side])
            self._validators[side, pointer] = validator
        if validator.is_valid(body):
            return []
        problems = [_drill(error) for error in validator.iter_errors(body)]
        return [Violation(side, operation, "/".join(map(str, path)), message) for path, message in problems]


def _template_pattern(template: str) -> re.Pattern[str]:
    return re.compile("^" + re.sub(r"\\\{[^}]+\\\}", "([^/]+)", re.escape(template)) + "$")


def _pointer(*parts: str) -> str:
    return "/" + "/".join(part.replace("~", "~0").replace("/", "~1") for part in parts)


def _for_requests(document: Payload) -> Payload:
    closed = copy.deepcopy(document)
    schemas = closed["components"]["schemas"]
    # Discord takes integers for snowflakes; discord.py sends them in message_reference and attachments
    schemas["SnowflakeType"] = {
        "oneOf": [{"type": "string", "pattern": "^(0|[1-9][0-9]*)$"}, {"type": "integer", "minimum": 0}]
    }
    for schema, names in KNOWN_EXTRAS.items():
        for name in names:
            schemas[schema]["properties"].setdefault(name, {})
    close_objects(schemas)
    return closed


def _for_responses(document: Payload) -> Payload:
    lenient = copy.deepcopy(document)
    # the description types the code of a field error as integer; Discord sends strings like BASE_TYPE_CHOICES
    lenient["components"]["schemas"]["InnerErrors"]["properties"]["_errors"]["items"] = {
        "type": "object",
        "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
        "required": ["code", "message"],
    }
    # the description knows replies (0) only, Discord also answers with forwards (1)
    forward = {"title": "FORWARD", "const": 1}
    lenient["components"]["schemas"]["MessageReferenceType"]["oneOf"].append(forward)
    return lenient


def _drill(error: Any, depth: int = 0) -> tuple[list[Any], str]:
    """The problem inside the alternative that was meant: the one whose `type` fits, then the one with fewest errors."""
    context = getattr(error.kind, "context", None)
    if depth < 12 and context and error.kind.name in ("oneOf", "anyOf"):

        def strangeness(branch: list[Any]) -> tuple[bool, int]:
            own = len(error.instance_path)
            wrong_type = any(
                [str(part) for part in inner.instance_path][own:] == ["type"]
                or (inner.kind.name == "type" and len(inner.instance_path) == own)
                for inner in branch
            )
            return wrong_type, len(branch)

        best = min(context, key=strangeness)
        if best:
            return _drill(best[0], depth + 1)
    return list(error.instance_path), str(error.message)[:300]
