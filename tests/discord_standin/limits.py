"""Discord's limits that its API description does not write down."""

import re
from collections import Counter
from collections.abc import Sequence

from tests.discord_standin.payloads import MessageFlag, Payload, Upload, form_error, walk

CONTENT_CHARACTERS = 2000
EMBEDS_TOTAL_CHARACTERS = 6000
V2_COMPONENTS = 40
V2_CHARACTERS = 4000
FILES = 10
FILE_BYTES = 10 * 1024 * 1024
CHOICES = 25
MODAL_COMPONENTS = 5
COMMANDS = {1: 100, 2: 15, 3: 15}  # slash, user menus, message menus
COMMAND_CHARACTERS = 8000  # names, descriptions and choice values of one command
_LEGACY = ("content", "embeds", "poll", "sticker_ids")
_V2_ONLY = (9, 10, 11, 12, 13, 14, 17)
_SELECTS = (3, 5, 6, 7, 8)


def check_message(body: Payload, files: Sequence[Upload] = (), *, flags: int | None = None) -> None:
    """Raise a 50035 for the first limit a message body breaks; `flags` are those of the message being edited."""
    flags = int((body.get("flags") or 0) | (flags or 0))
    components = body.get("components") or []
    if flags & MessageFlag.COMPONENTS_V2:
        for key in _LEGACY:
            if body.get(key):
                raise _legacy(key)
    _check_content(body)
    _check_embeds(body.get("embeds") or [])
    _check_components(components, v2=bool(flags & MessageFlag.COMPONENTS_V2))
    _check_files(files)


def check_edit(message: Payload, body: Payload, files: Sequence[Upload] = ()) -> None:
    """Raise a 50035 where an edit breaks a limit, or turns V2 on without emptying content and embeds."""
    becomes_v2 = (body.get("flags") or 0) & MessageFlag.COMPONENTS_V2 and not message[
        "flags"
    ] & MessageFlag.COMPONENTS_V2
    if becomes_v2:
        for key in ("content", "embeds"):
            if message[key] and not (key in body and not body[key]):
                raise _legacy(key)
    check_message(body, files, flags=message["flags"])
    kept = message["attachments"]
    if "attachments" in body:
        named = {str(entry["id"]) for entry in body["attachments"] or []}
        kept = [attachment for attachment in kept if attachment["id"] in named]
    if len(kept) + len(files) > FILES:
        raise _too_long("attachments", FILES)


def check_modal(data: Payload) -> None:
    """Raise a 50035 where a modal holds too much, or two parts under one custom_id."""
    if len(data["components"]) > MODAL_COMPONENTS:
        raise _too_long("data.components", MODAL_COMPONENTS)
    _check_unique(walk(data["components"]), "data.components")
    for part in walk(data["components"]):
        if part["type"] == 4 and len(part.get("value") or "") > (part.get("max_length") or 4000):
            raise _too_long("data.components", part.get("max_length") or 4000)
        if part["type"] in _SELECTS:
            _check_select(part)


def check_choices(choices: list[Payload]) -> None:
    """Raise a 50035 for more than 25 suggestions, or names or values over 100 characters."""
    if len(choices) > CHOICES:
        raise _too_long("data.choices", CHOICES)
    for number, choice in enumerate(choices):
        if not 1 <= len(choice["name"]) <= 100 or len(str(choice["value"])) > 100:
            raise _too_long(f"data.choices.{number}", 100)


def check_commands(commands: list[Payload]) -> None:
    """Raise a 50035 where a set of commands is too large, repeats a name, or one command is badly built."""
    kinds = Counter(command.get("type") or 1 for command in commands)
    for kind, limit in COMMANDS.items():
        if kinds[kind] > limit:
            raise _too_long("commands", limit)
    for (kind, name), times in Counter((c.get("type") or 1, c["name"]) for c in commands).items():
        if times > 1:
            raise form_error(
                f"commands.{kind}",
                "APPLICATION_COMMANDS_DUPLICATE_NAME",
                f"{name}: Application command names must be unique",
            )
    for number, command in enumerate(commands):
        if (command.get("type") or 1) == 1:
            if command["name"] != command["name"].lower():
                raise form_error(f"{number}.name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
            if not command.get("description"):
                raise form_error(f"{number}.description", "BASE_TYPE_REQUIRED", "This field is required")
        elif command.get("description"):
            raise form_error(f"{number}.description", "APPLICATION_COMMAND_INVALID_FIELD", "menus have no description")
        _check_options(command.get("options") or [], f"{number}")
        if _command_characters(command) > COMMAND_CHARACTERS:
            raise _too_long(f"{number}", COMMAND_CHARACTERS)


def _check_options(options: list[Payload], path: str) -> None:
    if len(options) > 25:
        raise _too_long(f"{path}.options", 25)
    optional_seen = False
    for number, option in enumerate(options):
        here = f"{path}.options.{number}"
        if not re.fullmatch(r"[-_'\w]{1,32}", option["name"]) or option["name"] != option["name"].lower():
            raise form_error(f"{here}.name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
        if option["type"] in (1, 2):
            _check_options(option.get("options") or [], here)
            continue
        if option.get("required") and optional_seen:
            raise form_error(
                here,
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        optional_seen = optional_seen or not option.get("required")
        if option.get("autocomplete") and option.get("choices"):
            raise form_error(here, "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES", "autocomplete excludes choices")
    if len({option["name"] for option in options}) < len(options):
        raise form_error(
            f"{path}.options", "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists"
        )


def _command_characters(command: Payload) -> int:
    def longest(entry: Payload, key: str) -> int:
        return max(len(text) for text in (entry.get(key) or "", *(entry.get(f"{key}_localizations") or {}).values()))

    own = longest(command, "name") + longest(command, "description")
    choices = sum(longest(choice, "name") + len(str(choice["value"])) for choice in command.get("choices") or [])
    return own + choices + sum(_command_characters(option) for option in command.get("options") or [])


def _check_content(body: Payload) -> None:
    if len(body.get("content") or "") > CONTENT_CHARACTERS:
        raise _too_long("content", CONTENT_CHARACTERS)


def _check_embeds(embeds: list[Payload]) -> None:
    total = 0
    for embed in embeds:
        total += len(embed.get("title") or "") + len(embed.get("description") or "")
        total += sum(len(field["name"]) + len(field["value"]) for field in embed.get("fields") or [])
        total += len((embed.get("footer") or {}).get("text") or "") + len((embed.get("author") or {}).get("name") or "")
    if total > EMBEDS_TOTAL_CHARACTERS:
        raise form_error("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")


def _check_components(components: list[Payload], *, v2: bool) -> None:
    every = walk(components)
    if not v2:
        if any(part["type"] in _V2_ONLY for part in every):
            raise form_error("components", "BASE_TYPE_CHOICES", 'Value of field "type" must be one of (1,).')
        if len(components) > 5:
            raise _too_long("components", 5)
    if len(every) > V2_COMPONENTS:
        raise form_error(
            "components",
            "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
            f"The total number of components cannot exceed {V2_COMPONENTS}, got {len(every)}",
        )
    texts = [part["content"] for part in every if part["type"] == 10]
    if any(not text.strip() for text in texts):
        raise form_error("components", "BASE_TYPE_REQUIRED", "A text display must not be empty")
    if sum(map(len, texts)) > V2_CHARACTERS:
        raise form_error(
            "components",
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
            f"The total displayable text size exceeds the maximum of {V2_CHARACTERS}",
        )
    _check_unique(every, "components")
    for part in every:
        if part["type"] == 1:
            _check_row(part)
        elif part["type"] == 2:
            _check_button(part)
        elif part["type"] in _SELECTS:
            _check_select(part)


def _check_unique(every: list[Payload], path: str) -> None:
    for key, code in (("custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED"), ("id", "COMPONENT_ID_DUPLICATED")):
        given = [part[key] for part in every if part.get(key)]
        if len(given) > len(set(given)):
            raise form_error(path, code, f"Component {key} cannot be duplicated")


def _check_row(row: Payload) -> None:
    kinds = [part["type"] for part in row["components"]]
    if not 1 <= len(kinds) <= 5 or (any(kind in _SELECTS for kind in kinds) and len(kinds) > 1):
        raise form_error(
            "components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A row holds one to five buttons or one select"
        )


def _check_button(button: Payload) -> None:
    link = button["style"] == 5
    if link != bool(button.get("url")) or (link == bool(button.get("custom_id")) and button["style"] != 6):
        raise form_error("components", "BUTTON_COMPONENT_INVALID", "A link button has a url, any other a custom_id")
    if link and not re.match(r"(https?|discord)://", button["url"]):
        raise form_error("components", "URL_TYPE_INVALID_SCHEME", "Scheme must be one of ('http', 'https', 'discord')")
    if button["style"] != 6 and not (button.get("label") or button.get("emoji")):
        raise form_error("components", "BUTTON_COMPONENT_INVALID_EMPTY", "A button needs a label or an emoji")


def _check_select(select: Payload) -> None:
    least, most = select.get("min_values", 1), select.get("max_values", 1)
    if least is not None and most is not None and least > most:
        raise form_error("components", "BASE_TYPE_MIN_VALUES", "min_values is above max_values")
    if select["type"] != 3:
        return
    options = select["options"]
    if len({option["value"] for option in options}) < len(options):
        raise form_error("components", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "Option values must be unique")
    if sum(bool(option.get("default")) for option in options) > (most or 1):
        raise form_error("components", "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", "More defaults than max_values")
    if most is not None and most > len(options):
        raise form_error("components", "SELECT_COMPONENT_MAX_VALUES", "max_values is above the number of options")


def _check_files(files: Sequence[Upload]) -> None:
    if len(files) > FILES:
        raise _too_long("attachments", FILES)
    for upload in files:
        if len(upload.data) > FILE_BYTES:
            raise form_error("attachments", "ATTACHMENT_TOO_LARGE", f"{upload.name} is larger than {FILE_BYTES} bytes")


def _legacy(key: str) -> Exception:
    return form_error(
        key,
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
        f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
    )


def _too_long(path: str, limit: int) -> Exception:
    return form_error(path, "BASE_TYPE_MAX_LENGTH", f"Must be {limit} or fewer in length.")
