"""One REST request from the wire to the wire: authorisation, faults, limits, the description, the route."""

import json
import re
from typing import Any

from aiohttp import BodyPartReader, web

from tests.discord_standin.faults import Dropped, InjectedAnswer
from tests.discord_standin.payloads import ApiError, Payload, Upload
from tests.discord_standin.rest import channels, commands, guilds, identity, interactions, messages
from tests.discord_standin.rest.routing import Request, Route
from tests.discord_standin.spec import Violation
from tests.discord_standin.stage import Call, Stage

PREFIX = "/api/v10"
_WITHOUT_TOKEN = ("/interactions/", "/webhooks/")


class RestServer:
    """Answers /api/v10 for a stage."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        resources = (identity, guilds, messages, channels, commands, interactions)
        self._routes: list[Route] = [route for resource in resources for route in resource.routes]
        self._routes.sort(key=lambda route: route.template.count("{"))  # literal segments win

    async def serve(self, http: web.Request) -> web.StreamResponse:
        """Answer one request; whatever happens, it is noted in the stage's calls."""
        stage, path = self._stage, http.path.removeprefix(PREFIX)
        body, files = await _read(http)
        call = Call(http.method, path, dict(http.query), body, files)
        # without Via discord.py takes a 429 for a ban by Cloudflare
        headers = {"Via": "1.1 google"}
        injected = False
        try:
            await stage.faults.strike(call.method, path, after=False)
            call.status, call.response = self._answer(http, call, headers)
            await stage.faults.strike(call.method, path, after=True)
        except Dropped:
            call.status, call.response, injected = 0, None, True
        except InjectedAnswer as answer:
            call.status, call.response, injected = answer.status, answer.body, True
            headers |= answer.headers
        stage.calls.append(call)
        if not injected:
            stage.violations += stage.spec.response(call.method, path, call.status, call.response)
        stage.poke()
        if call.status == 0:
            if http.transport is not None:
                http.transport.abort()
            return web.Response(status=500)
        if isinstance(call.response, dict) and "retry_after" in call.response:
            headers.setdefault("Retry-After", str(call.response["retry_after"]))
        if call.status == 204:
            return web.Response(status=204, headers=headers)
        if isinstance(call.response, str):  # a proxy's error page
            return web.Response(status=call.status, text=call.response, content_type="text/html", headers=headers)
        # discord.py parses a body only under exactly this content type, without a charset
        raw = json.dumps(call.response).encode()
        return web.Response(status=call.status, body=raw, content_type="application/json", headers=headers)

    def _answer(self, http: web.Request, call: Call, headers: dict[str, str]) -> tuple[int, Any]:
        stage = self._stage
        try:
            self._authorise(http, call)
            wrong = stage.spec.request(call.method, call.path, call.body)
            if wrong:
                stage.violations += wrong
                return 400, ApiError(400, 50035, "Invalid Form Body", _as_form_errors(wrong)).body
            route, part = self._route(call)
            major = part.get("channel_id") or part.get("guild_id") or part.get("token") or ""
            headers |= stage.faults.count(route.method, route.template, major)
            return route.handler(stage, Request(part, call.query, call.body, list(call.files)))
        except ApiError as error:
            if error.mistake:
                self._note_limit(call, error)
            return error.status, error.body

    def _authorise(self, http: web.Request, call: Call) -> None:
        given = http.headers.get("Authorization")
        if given != f"Bot {self._stage.token}" and not call.path.startswith(_WITHOUT_TOKEN):
            raise ApiError(401, 0, "401: Unauthorized")

    def _route(self, call: Call) -> tuple[Route, dict[str, str]]:
        for route in self._routes:
            if route.method == call.method and (hit := route.pattern.match(call.path)):
                return route, hit.groupdict()
        self._stage.violations.append(
            Violation("request", f"{call.method} {call.path}", "", "the stand-in has no such route yet")
        )
        raise ApiError(404, 0, "404: Not Found")

    def _note_limit(self, call: Call, error: ApiError) -> None:
        operation = f"{call.method} {re.sub(r'[0-9]{15,}', '*', call.path)}"
        told = json.dumps(error.body.get("errors") or error.body["message"])
        self._stage.violations.append(Violation("limit", operation, "", told))


async def _read(http: web.Request) -> tuple[Any, list[Upload]]:
    if http.content_type != "multipart/form-data":
        raw = await http.read()
        return (json.loads(raw) if raw else None), []
    body: Any = {}
    files: list[tuple[int, Upload]] = []
    async for part in await http.multipart():
        assert isinstance(part, BodyPartReader), "a form within a form"
        data = bytes(await part.read(decode=False))
        if part.name == "payload_json":
            body = json.loads(data)
        else:
            number = int(re.sub(r"\D", "", part.name or "") or 0)
            kind = part.headers.get("Content-Type", "application/octet-stream")
            files.append((number, Upload(part.filename or "file", data, kind)))
    return body, [upload for _, upload in sorted(files, key=lambda numbered: numbered[0])]


def _as_form_errors(wrong: list[Violation]) -> Payload:
    """Violations in the shape of Discord's 50035, so that discord.py prints where each is."""
    errors: Payload = {}
    for violation in wrong:
        node = errors
        for key in violation.path.split("/") if violation.path else []:
            node = node.setdefault(key, {})
        node.setdefault("_errors", []).append({"code": "SPEC", "message": violation.message})
    return errors
