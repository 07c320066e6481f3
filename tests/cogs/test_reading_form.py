"""The form behind `/errata reading`: without a connection, and by the real command."""

import pytest

from bot.cogs import administration, status
from bot.cogs.reading_form import ReadingForm
from bot.locales.words import Words, languages
from tests.cogs.conftest import Scene
from tests.cogs.test_administration import told
from tests.cogs.test_settings_form import settings
from tests.discord_standin.payloads import Payload, walk
from tests.discord_standin.permissions import Permission
from tests.discord_standin.spec import Spec

LINKS, PICTURES, SECRETS, TEXTS = "links", "pictures", "secrets", "texts"


async def fill_in(scene: Scene, values: dict[str, object]) -> str:
    opened = await scene.fake.slash(scene.admin, scene.channel, "errata reading")
    return await told(scene, await scene.fake.submit_modal(opened, values))


def boxes(form: ReadingForm) -> list[Payload]:
    sent: Payload = form.to_dict()
    return [option for part in walk(sent["components"]) if "options" in part for option in part["options"]]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the extra for screenshots is installed."""
    for module in (administration, status):
        monkeypatch.setattr(module, "can_read_pictures", lambda: True)


@pytest.fixture
def not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where it is not."""
    for module in (administration, status):
        monkeypatch.setattr(module, "can_read_pictures", lambda: False)


@pytest.mark.parametrize("tag", languages())
@pytest.mark.parametrize("reads_pictures", [True, False])
async def test_any_form_is_one_discord_takes(spec: Spec, tag: str, reads_pictures: bool) -> None:
    """D1: in every language, with as many hosts as can be kept."""
    now_set = settings(link_hosts=tuple(f"{'a' * 60}.paste{number}.dev" for number in range(10)))

    sent = ReadingForm(now_set, Words.for_language(tag), reads_pictures=reads_pictures).to_dict()

    assert spec.request("POST", "/interactions/1/x/callback", {"type": 9, "data": sent}) == []
    assert len(sent["title"]) <= 45
    for label in sent["components"]:
        assert len(label["label"]) <= 45
        assert len(label["description"]) <= 100
    for part in walk(sent["components"]):
        for option in part.get("options", ()):
            assert len(option["label"]) <= 100
            assert len(option["description"]) <= 100


async def test_what_is_set_is_ticked_already() -> None:
    """G7: the form shows what holds."""
    now_set = settings(reads_links=True, keeps_texts=True, link_hosts=("a.dev", "b.dev"))
    form = ReadingForm(now_set, Words.for_language("en"), reads_pictures=True)

    assert {option["value"] for option in boxes(form) if option.get("default")} == {LINKS, TEXTS}
    assert "a.dev b.dev" in [part.get("value") for part in walk(form.to_dict()["components"])]


async def test_the_form_says_where_screenshots_cannot_be_read() -> None:
    """F6: the box names what is missing, where the extra is not installed, and only there."""
    words = Words.for_language("en")
    said = {
        reads: [box["description"] for box in boxes(ReadingForm(settings(), words, reads_pictures=reads))]
        for reads in (True, False)
    }

    assert not any("Not installed" in text for text in said[True])
    assert sum("errata-bot[ocr]" in text for text in said[False]) == 1


async def test_everything_in_the_form_is_kept_logged_and_taken_back(scene: Scene) -> None:
    """G7: through the real command; undo takes the whole form back."""
    text = await fill_in(
        scene,
        {
            "Reads besides": [LINKS, PICTURES],
            "Paste sites of your own": "Paste.Example.org, b.dev",
            "Secrets and texts": [SECRETS, TEXTS],
        },
    )

    guild_id = int(scene.guild["id"])
    held = await scene.parts.guilds.settings(guild_id)
    assert (held.reads_links, held.reads_pictures, held.deletes_secrets, held.keeps_texts) == (True,) * 4
    assert held.link_hosts == ("paste.example.org", "b.dev")
    assert "`paste.example.org` `b.dev`" in text
    assert "Deletes messages that show a secret: yes" in text
    log = await scene.parts.guilds.log(guild_id)
    assert {change.name for change in log if change.change_set == log[0].change_set} == {
        "reads_links",
        "link_hosts",
        "reads_pictures",
        "deletes_secrets",
        "keeps_texts",
    }
    assert {change.user_id for change in log} == {int(scene.admin["id"])}

    again = await fill_in(scene, {})
    assert "Nothing has changed" in again

    undone = await told(scene, await scene.fake.slash(scene.admin, scene.channel, "errata undo"))
    held = await scene.parts.guilds.settings(guild_id)
    assert (held.reads_links, held.reads_pictures, held.deletes_secrets, held.keeps_texts) == (False,) * 4
    assert held.link_hosts == ()
    assert "Paste sites of your own: none" in undone


@pytest.mark.parametrize("typed", ["https://paste.example.org", "paste.example.org:8080", "nas.local", "10.0.0.1"])
async def test_a_host_that_cannot_be_is_told_in_one_sentence_and_changes_nothing(scene: Scene, typed: str) -> None:
    """E6, G7: all of the form or nothing of it."""
    text = await fill_in(scene, {"Reads besides": [LINKS], "Paste sites of your own": typed})

    assert "is not the name of a public host" in text
    # The scene itself has set the mode of all channels.
    assert [change.name for change in await scene.parts.guilds.log(int(scene.guild["id"]))] == ["default_mode"]
    assert not (await scene.parts.guilds.settings(int(scene.guild["id"]))).reads_links


async def test_too_many_hosts_are_told(scene: Scene) -> None:
    """E5: the bound is said with its number."""
    typed = " ".join(f"paste{number}.dev" for number in range(11))

    assert "At most 10" in await fill_in(scene, {"Paste sites of your own": typed})


async def test_the_right_is_asked_for_again(scene: Scene) -> None:
    """G7: who may not manage the server is refused at the command, and who lost the right when the form comes back."""
    opened = await scene.fake.slash(scene.admin, scene.channel, "errata reading")
    member = scene.fake.world.member(scene.guild["id"], scene.admin["id"])
    assert member is not None
    member["roles"].clear()
    assert "Manage Server" in await told(scene, await scene.fake.submit_modal(opened, {"Reads besides": [LINKS]}))
    assert not (await scene.parts.guilds.settings(int(scene.guild["id"]))).reads_links

    for command in scene.fake.commands[None]:
        command["default_member_permissions"] = None
    assert "Manage Server" in await told(scene, await scene.fake.slash(scene.ann, scene.channel, "errata reading"))


@pytest.mark.usefixtures("installed")
async def test_status_shows_what_is_read_and_done(scene: Scene) -> None:
    """G7: what is switched on stands there, what is not does not."""
    before = await told(scene, await scene.fake.slash(scene.admin, scene.channel, "errata status"))
    assert "paste sites" not in before
    assert "secret" not in before
    scene.fake.set_role(scene.guild, scene.guild["roles"][1], Permission.ADMINISTRATOR)

    await fill_in(
        scene,
        {
            "Reads besides": [LINKS, PICTURES],
            "Paste sites of your own": "b.dev",
            "Secrets and texts": [SECRETS, TEXTS],
        },
    )
    text = await told(scene, await scene.fake.slash(scene.admin, scene.channel, "errata status"))

    assert "Also reads: links to paste sites, screenshots" in text
    assert "`b.dev`" in text
    assert "Deletes messages that show a secret" in text
    assert "Keeps texts of unanswered questions" in text


@pytest.mark.usefixtures("not_installed")
async def test_status_tells_what_was_wanted_and_cannot_be(scene: Scene) -> None:
    """E10, F6: no permission to delete, no extra for screenshots: both are said to the admin."""
    await fill_in(scene, {"Reads besides": [PICTURES], "Secrets and texts": [SECRETS]})

    text = await told(scene, await scene.fake.slash(scene.admin, scene.channel, "errata status"))

    assert "errata-bot\\[ocr]" in text or "errata-bot[ocr]" in text
    assert "I lack: Manage Messages" in text
    assert "Also reads" not in text
