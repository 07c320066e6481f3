"""Routes about the application's commands."""

from tests.discord_standin.limits import check_commands
from tests.discord_standin.payloads import ApiError, Payload
from tests.discord_standin.rest.routing import Reply, Request, Routes
from tests.discord_standin.stage import Stage

routes = Routes()
CREATES_PER_DAY = 200
_GLOBAL = "/applications/{application_id}/commands"
_GUILD = "/applications/{application_id}/guilds/{guild_id}/commands"


def _scope(request: Request) -> str | None:
    return request.part.get("guild_id")


@routes.on("GET", _GLOBAL)
@routes.on("GET", _GUILD)
def registered(stage: Stage, request: Request) -> Reply:
    return 200, stage.commands.get(_scope(request), [])


@routes.on("PUT", _GLOBAL)
@routes.on("PUT", _GUILD)
def overwrite(stage: Stage, request: Request) -> Reply:
    return 200, _replace(stage, _scope(request), request.body)


@routes.on("POST", _GLOBAL)
@routes.on("POST", _GUILD)
def create(stage: Stage, request: Request) -> Reply:
    scope = _scope(request)
    same = _same(stage.commands.get(scope, []), request.body)
    others = [command for command in stage.commands.get(scope, []) if command is not same]
    _replace(stage, scope, [*others, request.body])
    made = _same(stage.commands[scope], request.body)
    return 200 if same else 201, made


@routes.on("GET", _GLOBAL + "/{command_id}")
@routes.on("GET", _GUILD + "/{command_id}")
def one(stage: Stage, request: Request) -> Reply:
    return 200, _find(stage, request)


@routes.on("PATCH", _GLOBAL + "/{command_id}")
@routes.on("PATCH", _GUILD + "/{command_id}")
def change(stage: Stage, request: Request) -> Reply:
    command = _find(stage, request)
    command |= {key: value for key, value in request.body.items() if value is not None}
    command["version"] = stage.world.ids()
    check_commands(stage.commands[_scope(request)])
    return 200, command


@routes.on("DELETE", _GLOBAL + "/{command_id}")
@routes.on("DELETE", _GUILD + "/{command_id}")
def delete(stage: Stage, request: Request) -> Reply:
    stage.commands[_scope(request)].remove(_find(stage, request))
    return 204, None


def _find(stage: Stage, request: Request) -> Payload:
    for command in stage.commands.get(_scope(request), []):
        if command["id"] == request.part["command_id"]:
            return command
    raise ApiError(404, 10063, "Unknown application command")


def _same(commands: list[Payload], asked: Payload) -> Payload | None:
    key = (asked.get("type") or 1, asked["name"])
    return next((command for command in commands if (command["type"], command["name"]) == key), None)


def _replace(stage: Stage, scope: str | None, asked: list[Payload]) -> list[Payload]:
    """Commands that existed keep their id and cost nothing; new ones count against the day's 200."""
    check_commands(asked)
    before = stage.commands.get(scope, [])
    fresh = [command for command in asked if _same(before, command) is None]
    if stage.commands_created + len(fresh) > CREATES_PER_DAY:
        raise ApiError(400, 30034, "Max number of daily application command creates has been reached (200)")
    stage.commands_created += len(fresh)
    stage.commands[scope] = [_stored(stage, scope, command, _same(before, command)) for command in asked]
    return stage.commands[scope]


def _stored(stage: Stage, scope: str | None, asked: Payload, before: Payload | None) -> Payload:
    command: Payload = {
        "application_id": stage.world.app_id,
        "default_member_permissions": None,
        "type": 1,
        "name_localizations": None,
        "description": "",
        "description_localizations": None,
        "dm_permission": True,
        "contexts": None,
        "integration_types": [0],
        "nsfw": False,
        "options": [],
    }
    command |= {key: value for key, value in asked.items() if value is not None}
    command |= {"id": before["id"] if before else stage.world.ids(), "version": stage.world.ids()}
    command["options"] = [
        {"required": False, **option} if option["type"] > 2 else option for option in command["options"]
    ]
    if command["default_member_permissions"] is not None:
        command["default_member_permissions"] = str(command["default_member_permissions"])
    if scope is not None:
        command["guild_id"] = scope
    return command
