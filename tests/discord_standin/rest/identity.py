"""Routes about the bot itself: its user, its application, where the gateway is."""

from tests.discord_standin.rest.routing import Reply, Request, Routes
from tests.discord_standin.stage import Stage

routes = Routes()


@routes.on("GET", "/users/@me")
def own_user(stage: Stage, request: Request) -> Reply:
    extra = {"mfa_enabled": False, "locale": "en-US", "premium_type": 0, "email": None, "verified": True}
    return 200, stage.bot | extra


@routes.on("GET", "/oauth2/applications/@me")
@routes.on("GET", "/applications/@me")
def own_application(stage: Stage, request: Request) -> Reply:
    # the public bits of its flags say which privileged intents are on, in their form for small bots
    limited = {1 << 1: 1 << 15, 1 << 8: 1 << 13, 1 << 15: 1 << 19}
    flags = sum(flag for intent, flag in limited.items() if stage.gateway.privileged & intent)
    return 200, {
        "id": stage.world.app_id,
        "name": stage.bot["username"],
        "icon": None,
        "description": "",
        "type": None,
        "verify_key": "0" * 64,
        "flags": flags,
        "flags_new": str(flags),
        "bot_public": True,
        "bot_require_code_grant": False,
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": stage.world.owner,
        "approximate_guild_count": len(stage.world.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "event_webhooks_url": None,
        "event_webhooks_status": 1,
        "event_webhooks_types": [],
        "eligible_oauth2_scopes": [],
    }


@routes.on("GET", "/gateway")
def gateway(stage: Stage, request: Request) -> Reply:
    return 200, {"url": stage.gateway.resume_url}


@routes.on("GET", "/gateway/bot")
def gateway_for_bots(stage: Stage, request: Request) -> Reply:
    left = 1000 - len(stage.gateway.identifies)
    start = {"total": 1000, "remaining": left, "reset_after": 14_400_000, "max_concurrency": 1}
    return 200, {"url": stage.gateway.resume_url, "shards": stage.shards, "session_start_limit": start}


@routes.on("POST", "/users/@me/channels")
def open_dm(stage: Stage, request: Request) -> Reply:
    return 200, stage.world.make_dm(stage.world.user(str(request.body["recipient_id"])))


@routes.on("GET", "/users/@me/guilds")
def own_guilds(stage: Stage, request: Request) -> Reply:
    mine = [guild for guild in stage.world.guilds.values() if stage.world.bot_is_in(guild["id"])]
    return 200, [
        {
            "id": guild["id"],
            "name": guild["name"],
            "icon": None,
            "banner": None,
            "owner": False,
            "permissions": str(int(stage.world.guild_permissions(guild, stage.bot))),
            "features": [],
        }
        for guild in mine
    ]


@routes.on("DELETE", "/users/@me/guilds/{guild_id}")
def leave_guild(stage: Stage, request: Request) -> Reply:
    guild = stage.world.guild(request.part["guild_id"])
    stage.world.expel(guild, stage.bot)
    stage.emit("GUILD_DELETE", {"id": guild["id"]}, guild["id"])
    return 204, None


@routes.on("GET", "/users/{user_id}")
def user(stage: Stage, request: Request) -> Reply:
    return 200, stage.world.user(request.part["user_id"])
