"""Everything that can be set, read once into one frozen object.

Explicit arguments come first, then the environment (`ERRATA_…`), `.env`, and a TOML file.
"""

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import platformdirs
from pydantic import Field, SecretStr, StringConstraints, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from bot.errors import BotError
from bot.modes import Mode

PREFIX = "ERRATA_"
CONFIG_VARIABLE = "ERRATA_CONFIG"
CONFIG_FILE = Path("errata.toml")
DOTENV_FILE = Path(".env")

_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
HttpAddress = Annotated[str, StringConstraints(pattern=r"^https?://[^\s/]+(/\S*)?$")]
WebSocketAddress = Annotated[str, StringConstraints(pattern=r"^wss?://[^\s/]+(/\S*)?$")]


class SettingsError(BotError):
    """A setting cannot be used; each problem names the setting, where it was set and what was wrong, never a secret."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class LogFormat(StrEnum):
    """How a log line looks: for eyes, or one JSON object."""

    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    """The least grave lines that are written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Settings(BaseSettings):
    """How this bot was told to run. `load_settings` makes one whose errors are sentences."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file_encoding="utf-8",
        env_ignore_empty=True,  # `ERRATA_TOKEN=` in a copied .env means "not set"
        extra="ignore",  # load_settings names unknown keys itself, with a suggestion
        frozen=True,
        hide_input_in_errors=True,  # the input may be the token
    )

    token: SecretStr | None = Field(None, description="The bot's token; without one the bot runs in the terminal.")
    application_id: int | None = Field(None, gt=0, description="The application's id; by default Discord is asked.")
    data_dir: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("errata")),
        description="The folder of the database, the index and the compiled patterns.",
    )
    api_base: HttpAddress = Field(
        "https://discord.com/api/v10", description="Where Discord's HTTP API is, for instance behind a proxy."
    )
    gateway_url: WebSocketAddress | None = Field(
        None, description="Where Discord's gateway is; by default Discord is asked."
    )
    cdn_base: HttpAddress = Field("https://cdn.discordapp.com", description="Where attachments are read from.")
    language: str = Field(
        "en",
        pattern=r"^[a-z]{2,3}(-[A-Za-z]{2,4})?$",
        description="The language of the interface where a server has not chosen one.",
    )
    log_level: LogLevel = Field(LogLevel.INFO, description="The least grave log lines that are written.")
    log_format: LogFormat = Field(LogFormat.TEXT, description="Log lines for eyes, or as JSON objects.")
    default_mode: Mode = Field(
        Mode.MENTION,
        description="What the bot does in a channel nobody has set: nothing, answer when mentioned, "
        "post exact answers, post guesses too.",
    )
    silenced: bool = Field(
        default=False,
        description="Say nothing anywhere. A file named `silence` in the data folder does the same within 5 seconds.",
    )
    burst_wait_seconds: float = Field(
        2.5, ge=0, le=60, description="How long a message may be followed by more of the same author before answering."
    )
    cooldown_seconds: int = Field(
        600, ge=0, le=86_400, description="For how long one record is not posted to the same person or thread again."
    )
    outage_window_seconds: int = Field(
        60, ge=0, le=3600, description="For how long further pastes of one error in a channel get a one-line link."
    )
    max_attachments: int = Field(5, ge=0, le=10, description="How many attachments of one message are read.")
    max_attachment_bytes: int = Field(
        8 * 1024 * 1024, ge=0, le=100 * 1024 * 1024, description="The largest attachment that is read, in bytes."
    )
    max_links: int = Field(
        3,
        ge=0,
        le=10,
        description="How many links to paste sites of one message are read, on servers that want links read; "
        "0 reads none anywhere.",
    )
    reads_pictures_in_dms: bool = Field(
        default=False,
        description="Read text from screenshots in direct messages too, and where people use the app by themselves; "
        "needs the extra `ocr`.",
    )
    catalogue: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="The repositories the bot knows, as owner/name separated by commas; servers choose among them.",
    )
    workers: int = Field(2, ge=1, le=64, description="How many pastes are matched at the same time.")
    answer_retention_days: int = Field(
        30, ge=1, le=3650, description="How long it is remembered which message was answered with which record."
    )
    question_retention_days: int = Field(
        90, ge=1, le=3650, description="How long questions nobody could answer are kept for people."
    )

    dataset_base: HttpAddress = Field(
        "https://errors.standardbeagle.com", description="Where `errata sync` finds the dataset, below `/data/`."
    )

    refresh_hours: float = Field(
        24,
        ge=0,
        le=720,
        description="How often the running bot looks for changes of the dataset it was synced with, in hours; 0 never.",
    )
    offline: bool = Field(
        default=False, description="Ask nothing of the network but Discord; `errata sync` then only says what is here."
    )

    @field_validator("data_dir")
    @classmethod
    def _expand_home(cls, folder: Path) -> Path:
        return folder.expanduser()

    @field_validator("catalogue", mode="before")
    @classmethod
    def _split_names(cls, names: object) -> object:
        """One text, as the environment gives it, is a list as well."""
        return tuple(name for name in re.split(r"[,\s]+", names) if name) if isinstance(names, str) else names

    @field_validator("catalogue")
    @classmethod
    def _refuse_what_is_no_repository(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        wrong = next((name for name in names if _REPOSITORY.fullmatch(name) is None), None)
        if wrong is not None:
            raise ValueError(f"{wrong!r} should be a repository such as tracel-ai/burn")
        return names

    @field_validator("token")
    @classmethod
    def _refuse_words_before_token(cls, token: SecretStr | None) -> SecretStr | None:
        if token is None or not token.get_secret_value().strip():
            return None
        value = token.get_secret_value().strip()
        if value.lower().startswith("bot ") or any(character.isspace() for character in value):
            raise ValueError("must be the token alone, without spaces or the word Bot")
        return SecretStr(value)

    @field_validator("api_base", "cdn_base", "gateway_url", "dataset_base")
    @classmethod
    def _without_slash(cls, address: str | None) -> str | None:
        return address.rstrip("/") if address else address

    @property
    def silence_file(self) -> Path:
        return self.data_dir / "silence"

    def is_silenced(self) -> bool:
        """Whether the bot must say nothing at this moment; looks at the file each time, which costs microseconds."""
        return self.silenced or self.silence_file.exists()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003  # the signature is pydantic's
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The order in which sources are asked."""
        toml = TomlConfigSettingsSource(settings_cls, toml_file=_config_file())
        return init_settings, env_settings, dotenv_settings, toml


def load_settings(**explicit: object) -> Settings:
    """Read all sources; what is None in `explicit` counts as not given.

    The TOML file is the one ERRATA_CONFIG names, else errata.toml in the working directory if it is there.

    Raises SettingsError with every problem at once.
    """
    given = {name: value for name, value in explicit.items() if value is not None}
    file = _config_file()
    in_file = _read_toml(file) if file else {}
    problems = [f"{key} (in {file}): {_unknown(key)}" for key in in_file if key not in Settings.model_fields]
    try:
        settings = Settings(_env_file=DOTENV_FILE, **given)  # type: ignore[call-arg,arg-type]  # pydantic knows _env_file and checks the rest
    except ValidationError as error:
        problems += [
            f"{problem['loc'][0]} ({_source_of(str(problem['loc'][0]), given, in_file, file)}): {_said(problem)}"
            for problem in error.errors(include_url=False, include_context=False, include_input=False)
        ]
    except UnicodeDecodeError as error:
        raise SettingsError((f"{DOTENV_FILE}: is not UTF-8 text",)) from error
    if problems:
        # Not chained: pydantic's error holds every source's values.
        raise SettingsError(tuple(problems)) from None
    return settings


def _config_file() -> Path | None:
    named = os.environ.get(CONFIG_VARIABLE)
    if named:
        return Path(named).expanduser()
    return CONFIG_FILE if CONFIG_FILE.is_file() else None


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise SettingsError((f"{CONFIG_VARIABLE} names {file}, which does not exist",)) from error
    except OSError as error:
        raise SettingsError((f"{file}: cannot be read: {error.strerror}",)) from error
    except UnicodeDecodeError as error:
        raise SettingsError((f"{file}: is not UTF-8 text",)) from error
    except tomllib.TOMLDecodeError as error:
        # Python's message may quote a character of the line, never the line.
        raise SettingsError((f"{file}: is not TOML: {error}",)) from None


def _unknown(key: str) -> str:
    alike = difflib.get_close_matches(key, Settings.model_fields, n=1, cutoff=0.6)
    return "there is no such setting" + (f"; did you mean {alike[0]}?" if alike else "")


def _source_of(name: str, given: Mapping[str, object], in_file: Mapping[str, object], file: Path | None) -> str:
    """Where the value came from that won, in the order the sources are asked."""
    variable = f"{PREFIX}{name}".upper()
    if name in given:
        return "as an argument"
    if any(key.upper() == variable and value for key, value in os.environ.items()):
        return f"in the environment variable {variable}"
    if name not in in_file or _names_in_dotenv(variable):
        return f"{variable} in {DOTENV_FILE}"
    return f"in {file}"


def _names_in_dotenv(variable: str) -> bool:
    if not DOTENV_FILE.is_file():
        return False
    names = (line.partition("=") for line in DOTENV_FILE.read_text(encoding="utf-8").splitlines())
    return any(name.strip().removeprefix("export ").upper() == variable and value.strip() for name, _, value in names)


def _said(problem: Mapping[str, Any]) -> str:
    """Pydantic's words as the end of our sentence."""
    message = str(problem["msg"]).removeprefix("Value error, ")
    if problem["type"] in {"string_pattern_mismatch", "path_type"}:
        return _FORMS.get(str(problem["loc"][0]), message)
    return message[:1].lower() + message[1:]


_FORMS: Mapping[str, str] = {
    "api_base": "should be an address such as https://discord.com/api/v10",
    "cdn_base": "should be an address such as https://cdn.discordapp.com",
    "gateway_url": "should be an address such as wss://gateway.discord.gg",
    "data_dir": "should be the path of a folder",
    "dataset_base": "should be an address such as https://errors.standardbeagle.com",
    "language": "should be a language such as en or pt-BR",
}
