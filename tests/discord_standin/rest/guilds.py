"""Routes about guilds, their roles, channels and members."""

from tests.discord_standin.payloads import ApiError
from tests.discord_standin.rest.routing import Reply, Request, Routes
from tests.discord_standin.stage import Stage

routes = Routes()


@routes.on("GET", "/guilds/{guild_id}")
def guild(stage: Stage, request: Request) -> Reply:
    return 200, stage.world.guild(request.part["guild_id"])


@routes.on("GET", "/guilds/{guild_id}/channels")
def channels(stage: Stage, request: Request) -> Reply:
    return 200, stage.world.guild(request.part["guild_id"])["channels"]


@routes.on("GET", "/guilds/{guild_id}/roles")
def roles(stage: Stage, request: Request) -> Reply:
    return 200, stage.world.guild(request.part["guild_id"])["roles"]


@routes.on("GET", "/guilds/{guild_id}/threads/active")
def active_threads(stage: Stage, request: Request) -> Reply:
    threads = stage.world.guild(request.part["guild_id"])["threads"]
    live = [t for t in threads if not t["thread_metadata"]["archived"] and stage.world.bot_sees(t)]
    return 200, {"threads": live, "members": [], "has_more": False}


@routes.on("GET", "/guilds/{guild_id}/members/{user_id}")
def member(stage: Stage, request: Request) -> Reply:
    guild = stage.world.guild(request.part["guild_id"])
    found = stage.world.member(guild["id"], request.part["user_id"])
    if found is None:
        raise ApiError(404, 10007, "Unknown Member")
    return 200, found
