"""Routes by which the bot answers interactions: the callback, then webhook routes with the interaction's token."""

from typing import Any

from tests.discord_standin.interactions import (
    AUTOCOMPLETE,
    CHOICES,
    COMMAND,
    COMPONENT,
    DEFER,
    MODAL,
    REPLY,
    UPDATE,
    Interaction,
)
from tests.discord_standin.limits import check_choices, check_edit, check_message, check_modal
from tests.discord_standin.messages import CHAT_INPUT_COMMAND, CONTEXT_MENU_COMMAND, refuse_empty
from tests.discord_standin.messages import REPLY as REPLY_MESSAGE
from tests.discord_standin.payloads import ApiError, MessageFlag, Payload
from tests.discord_standin.rest.routing import Reply, Request, Routes
from tests.discord_standin.stage import Stage

routes = Routes()
_TOKEN = "/webhooks/{webhook_id}/{token}"


@routes.on("POST", "/interactions/{interaction_id}/{token}/callback")
def callback(stage: Stage, request: Request) -> Reply:
    interaction = stage.interactions.get(request.part["token"])
    if interaction is None or interaction.id != request.part["interaction_id"]:
        raise ApiError(404, 10062, "Unknown interaction")
    body: Payload = request.body
    interaction.accept(body, stage.acknowledge_seconds)
    data: Payload = body.get("data") or {}
    kind = body["type"]
    if kind == CHOICES:
        check_choices(data.get("choices") or [])
    elif kind == MODAL:
        check_modal(data)
    elif kind == UPDATE and interaction.message is not None:
        check_edit(interaction.message, data, request.files)
    elif kind == REPLY:
        check_message(data, request.files)
    resource: Payload | None = None
    if kind in (REPLY, DEFER):
        message = _first_message(stage, interaction, kind, data, request)
        resource = {"type": kind, "message": message} if kind == REPLY else None
    elif kind == UPDATE and interaction.message is not None:
        stage.mailbox.edit(interaction.message, data, request.files, parse_all=False)
        _announce(stage, "MESSAGE_UPDATE", interaction.message)
        resource = {"type": kind, "message": interaction.message}
    if interaction.original is None and interaction.type != AUTOCOMPLETE and kind != MODAL:
        interaction.original = interaction.message
    interaction.callback = body
    interaction.acked.set()
    stage.poke()
    if request.query.get("with_response") not in ("1", "true"):
        return 204, None
    answer: Payload = {"interaction": {"id": interaction.id, "type": interaction.type}}
    if interaction.original is not None:
        answer["interaction"] |= {
            "response_message_id": interaction.original["id"],
            "response_message_loading": kind == DEFER,
            "response_message_ephemeral": bool(interaction.original["flags"] & MessageFlag.EPHEMERAL),
        }
    return 200, answer | ({"resource": resource} if resource else {})


def _first_message(stage: Stage, interaction: Interaction, kind: int, data: Payload, request: Request) -> Payload:
    if kind == DEFER:  # only the ephemeral flag of a deferral counts
        data = {"flags": (data.get("flags") or 0) & MessageFlag.EPHEMERAL}
    fields: dict[str, Any] = {"type": _message_type(interaction), "interaction_metadata": _metadata(interaction)}
    message = _make(stage, interaction, data, request, **fields)
    if kind == DEFER:
        message["flags"] |= int(MessageFlag.LOADING)
    interaction.original = message
    return message


def _message_type(interaction: Interaction) -> int:
    if interaction.type == COMMAND:
        return CHAT_INPUT_COMMAND if interaction.data["type"] == 1 else CONTEXT_MENU_COMMAND
    return REPLY_MESSAGE if interaction.message is not None else 0


def _metadata(interaction: Interaction) -> Payload:
    """What a message tells about the interaction that made it."""
    told: Payload = {
        "id": interaction.id,
        "type": interaction.type,
        "user": interaction.user,
        "authorizing_integration_owners": interaction.owners,
    }
    if interaction.type == COMPONENT and interaction.message is not None:
        told["interacted_message_id"] = interaction.message["id"]
    elif interaction.type == COMMAND and "target_id" in interaction.data:
        told["target_message_id"] = interaction.data["target_id"]
    elif interaction.type not in (COMMAND, COMPONENT):
        trigger = {"id": interaction.id, "type": COMMAND, "authorizing_integration_owners": interaction.owners}
        told["triggering_interaction_metadata"] = trigger
    return told


def _make(stage: Stage, interaction: Interaction, data: Payload, request: Request, **fields: Any) -> Payload:
    """A message by an interaction, for everybody or for one."""
    private = bool((data.get("flags") or 0) & MessageFlag.EPHEMERAL) or interaction.replies_private
    flags = (data.get("flags") or 0) | (MessageFlag.EPHEMERAL if private else 0)
    message = stage.mailbox.make(
        interaction.channel,
        stage.bot,
        {**data, "flags": flags},
        request.files,
        parse_all=False,
        folder="ephemeral-attachments" if private else "attachments",
        webhook_id=stage.world.app_id,
        application_id=stage.world.app_id,
        **fields,
    )
    if private:
        stage.world.hidden[message["id"]] = interaction.user["id"]
    _announce(stage, "MESSAGE_CREATE", message)
    return message


def _announce(stage: Stage, event: str, message: Payload) -> None:
    if message["id"] not in stage.world.hidden:
        stage.emit_message(event, message)
    stage.poke()


def _interaction(stage: Stage, request: Request) -> Interaction:
    interaction = stage.interactions.get(request.part["token"])
    if interaction is None:
        raise ApiError(404, 10015, "Unknown Webhook")
    interaction.check_token()
    return interaction


def _message(stage: Stage, interaction: Interaction, message_id: str) -> Payload:
    known = [interaction.original, *interaction.followups]
    for message in known:
        if message is None or message["id"] not in stage.world.messages:
            continue
        if message["id"] == message_id or (message_id == "@original" and message is interaction.original):
            return message
    raise ApiError(404, 10008, "Unknown Message")


@routes.on("POST", _TOKEN)
def follow_up(stage: Stage, request: Request) -> Reply:
    interaction = _interaction(stage, request)
    check_message(request.body, request.files)
    if interaction.thinking and interaction.original is not None:
        # the first followup takes the placeholder's place; whether that is ephemeral was settled by the deferral
        message = interaction.original
        message["flags"] &= ~int(MessageFlag.LOADING)
        stage.mailbox.edit(message, request.body, request.files, parse_all=False)
        message["edited_timestamp"] = None
        refuse_empty(message)
        _announce(stage, "MESSAGE_UPDATE", message)
        return 200, message
    interaction.check_followups()
    message = _make(stage, interaction, request.body, request, interaction_metadata=_metadata(interaction))
    refuse_empty(message)
    interaction.followups.append(message)
    stage.poke()
    return 200, message


@routes.on("GET", _TOKEN + "/messages/{message_id}")
def get_answer(stage: Stage, request: Request) -> Reply:
    interaction = _interaction(stage, request)
    return 200, stage.fetched(_message(stage, interaction, request.part["message_id"]))


@routes.on("PATCH", _TOKEN + "/messages/{message_id}")
def edit_answer(stage: Stage, request: Request) -> Reply:
    interaction = _interaction(stage, request)
    message = _message(stage, interaction, request.part["message_id"])
    check_edit(message, request.body, request.files)
    message["flags"] &= ~int(MessageFlag.LOADING)
    stage.mailbox.edit(message, request.body, request.files, parse_all=False)
    _announce(stage, "MESSAGE_UPDATE", message)
    return 200, message


@routes.on("DELETE", _TOKEN + "/messages/{message_id}")
def delete_answer(stage: Stage, request: Request) -> Reply:
    interaction = _interaction(stage, request)
    message = _message(stage, interaction, request.part["message_id"])
    stage.remove_message(message)
    if message is interaction.original:
        interaction.original = None
    else:
        interaction.followups.remove(message)
    stage.poke()
    return 204, None
