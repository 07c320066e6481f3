"""Settings: where they come from, in which order, and what is said of a bad one."""

import dataclasses
import os
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from bot.modes import Mode
from bot.settings import LogFormat, Settings, SettingsError, load_settings
from tests.settings_table import describe_settings

TOKEN = "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"  # the one of Discord's own documentation


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory without files and an environment without settings."""
    for name in [name for name in os.environ if name.upper().startswith("ERRATA_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_nothing_set_is_the_defaults() -> None:
    """Without any source the bot has no token, speaks when mentioned, and asks Discord where things are."""
    settings = load_settings()

    assert (settings.token, settings.default_mode, settings.language) == (None, Mode.MENTION, "en")
    assert (settings.api_base, settings.gateway_url) == ("https://discord.com/api/v10", None)
    assert settings.data_dir.is_absolute()


def test_sources_are_asked_in_their_order(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An argument beats the environment, that beats .env, that beats the TOML file, that beats the default."""
    (nowhere / "errata.toml").write_text('workers = 3\nlanguage = "de"\ncooldown_seconds = 4\nmax_attachments = 1\n')
    (nowhere / ".env").write_text("ERRATA_WORKERS=5\nERRATA_LANGUAGE=fr\nERRATA_COOLDOWN_SECONDS=6\nOTHERS_KEY=1\n")
    monkeypatch.setenv("ERRATA_WORKERS", "7")
    monkeypatch.setenv("ERRATA_LANGUAGE", "es")

    settings = load_settings(workers=9, language=None)

    assert settings.workers == 9
    assert settings.language == "es"
    assert settings.cooldown_seconds == 6
    assert settings.max_attachments == 1


def test_the_file_may_be_elsewhere(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ERRATA_CONFIG names the file, in place of the one in the working directory."""
    (nowhere / "errata.toml").write_text("workers = 3\n")
    (nowhere / "other.toml").write_text('log_format = "json"\n')
    monkeypatch.setenv("ERRATA_CONFIG", str(nowhere / "other.toml"))

    settings = load_settings()

    assert (settings.log_format, settings.workers) == (LogFormat.JSON, 2)


def test_an_empty_variable_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """`ERRATA_TOKEN=` as in a copied example means no token."""
    monkeypatch.setenv("ERRATA_TOKEN", "")
    monkeypatch.setenv("ERRATA_WORKERS", "")

    assert load_settings().token is None


def test_every_problem_names_setting_source_and_reason(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All problems come at once, each a line that says where to look."""
    (nowhere / "errata.toml").write_text('log_level = "loud"\n')
    (nowhere / ".env").write_text("ERRATA_COOLDOWN_SECONDS=-1\n")
    monkeypatch.setenv("ERRATA_WORKERS", "many")

    with pytest.raises(SettingsError) as refused:
        load_settings(api_base="discord.com")

    assert sorted(refused.value.problems) == [
        "api_base (as an argument): should be an address such as https://discord.com/api/v10",
        "cooldown_seconds (ERRATA_COOLDOWN_SECONDS in .env): input should be greater than or equal to 0",
        "log_level (in errata.toml): input should be 'debug', 'info', 'warning' or 'error'",
        (
            "workers (in the environment variable ERRATA_WORKERS): input should be a valid integer, "
            "unable to parse string as an integer"
        ),
    ]


def test_an_unknown_key_is_named_with_a_suggestion(nowhere: Path) -> None:
    """A misspelt key in the TOML file is not passed over in silence."""
    (nowhere / "errata.toml").write_text("cooldown_secnds = 3\nzzz = 1\n")

    with pytest.raises(SettingsError) as refused:
        load_settings()

    assert refused.value.problems == (
        "cooldown_secnds (in errata.toml): there is no such setting; did you mean cooldown_seconds?",
        "zzz (in errata.toml): there is no such setting",
    )


@pytest.mark.parametrize(
    ("content", "complaint"),
    [(b"workers = = 3", "is not TOML"), (b"language = '\xff'", "is not UTF-8 text"), (None, "which does not exist")],
)
def test_a_bad_file_is_one_sentence(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, complaint: str
) -> None:
    """A file that cannot be read is named with the reason."""
    file = nowhere / "mine.toml"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setenv("ERRATA_CONFIG", str(file))

    with pytest.raises(SettingsError, match=complaint) as refused:
        load_settings()

    assert str(file) in str(refused.value)


@pytest.mark.parametrize("token", [f"Bot {TOKEN}", f"{TOKEN} {TOKEN}"])
def test_the_token_never_appears(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """E7: neither a settings object nor an error about the token shows any of it, causes and contexts included."""
    assert TOKEN not in repr(load_settings(token=TOKEN)) + str(load_settings(token=TOKEN))
    monkeypatch.setenv("ERRATA_TOKEN", token)

    with pytest.raises(SettingsError, match="must be the token alone") as refused:
        load_settings()

    error: BaseException | None = refused.value
    while error is not None:
        assert TOKEN not in f"{error!r}{error}{vars(error)}"
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def test_settings_do_not_change() -> None:
    """They are read once and frozen."""
    with pytest.raises(ValidationError, match="frozen"):
        load_settings().workers = 5


def test_a_token_is_freed_of_blanks() -> None:
    """A line break pasted along with the token does no harm."""
    assert load_settings(token=f" {TOKEN}\n").token == SecretStr(TOKEN)


def test_addresses_have_no_slash_at_their_end() -> None:
    """What is joined to them begins with one."""
    assert load_settings(api_base="http://127.0.0.1:8080/api/v10/").api_base == "http://127.0.0.1:8080/api/v10"


def test_the_silence_file_works_without_a_restart(nowhere: Path) -> None:
    """C10: making the file silences a running bot at once, removing it lets it speak, the setting does the same."""
    settings = load_settings(data_dir=nowhere)
    assert not settings.is_silenced()

    settings.silence_file.touch()
    assert settings.is_silenced()
    settings.silence_file.unlink()
    assert not settings.is_silenced()
    assert load_settings(data_dir=nowhere, silenced=True).is_silenced()


def test_every_setting_is_described() -> None:
    """The README's table is made of these lines; none is without words, and none names a secret or this machine."""
    lines = describe_settings()

    assert [line.key for line in lines] == list(Settings.model_fields)
    for line in lines:
        assert all(dataclasses.astuple(line)), line
        assert line.description.endswith("."), line
        assert line.variable == f"ERRATA_{line.key.upper()}"
        assert str(Path.home()) not in line.default


@pytest.mark.parametrize("given", ["tracel-ai/burn, pallets/flask", " tracel-ai/burn\npallets/flask,"])
def test_the_catalogue_is_a_list_in_one_variable(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    """Repositories are divided by commas or white space."""
    monkeypatch.setenv("ERRATA_CATALOGUE", given)

    assert load_settings().catalogue == ("tracel-ai/burn", "pallets/flask")


def test_the_catalogue_is_a_list_in_the_file() -> None:
    """In errata.toml it is an array, and without any the bot knows everything."""
    assert load_settings().catalogue == ()

    Path("errata.toml").write_text('catalogue = ["tracel-ai/burn"]\n')

    assert load_settings().catalogue == ("tracel-ai/burn",)


def test_what_is_no_repository_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the variable and the word that is wrong."""
    monkeypatch.setenv("ERRATA_CATALOGUE", "tracel-ai/burn, burn")

    with pytest.raises(SettingsError, match=r"ERRATA_CATALOGUE.*'burn' should be a repository such as tracel-ai/burn"):
        load_settings()
