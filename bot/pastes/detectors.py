"""What is a secret, and what only looks like one.

A detector is a regex for what stands before the secret, one for itself, one for what stands after it. Where a detector
is unsure it takes the text for a secret: a lost word costs less than a leaked key. Its `spares` name what people need
to recognise their error by: versions, loopback addresses, code, documentation.
"""

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True, slots=True)
class Seen:
    """What may be a secret; what the detector matched before it, and 16 characters more; 8 characters after it."""

    secret: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Detector:
    """`before` and `after` are matched and stay; `secret` is replaced, unless `spares` says that it is none."""

    kind: str
    secret: str
    before: str = ""
    after: str = ""
    credential: bool = True
    spares: "Callable[[Seen], bool] | None" = None


# What stands for a value in documentation, code and error messages.
_HARMLESS = re.compile(
    r"""\*+ | x+ | \.{3} | …
      | none | null | nil | undefined | true | false | required | missing | invalid | empty | expected | unset
      | string | number | boolean | object | function | str | int | bytes
      | is | was | or | and | must | not | to | for | with | option | flag | argument | parameter | value
      | (?-i:\$\{?[A-Z_][A-Z0-9_]*\}?) | \$\{\{?[^}]*\}?\}? | \{[\w.!:]*\}? | <[\w\ -]+>? | :[a-z_]+ | \?
      | %(?:\(\w+\)?)?[sdrvqx]? | %[sdrvqx]{2,4} | %\w+%
      | (?:process\.env|os\.environ|os\.getenv|System\.getenv|ENV)(?:[.\[(].*)?
      | [A-Za-z_]\w*(?:::\w+)+ | pass(?:word|wd|phrase) | pwd | secret | token | key | credentials?
      | (?:user|db|client|access|auth|api|refresh)_(?:password|secret|token|key)
      | (?:self|this|args|config|settings|req|request)\.[\w.]+
    """,
    re.VERBOSE | re.IGNORECASE,
)
# A call or an index: what is called is named like a function or a type, and something has to follow the bracket.
_CALL = re.compile(r"(?:new |await )?&?[A-Za-z_][\w.]*(?:::\w+)*(?:[(\[].*)")
_AFTER_CALL = re.compile(r"[ \t]*[)\]},+\-*/|&=<>?]|[ \t]+(?:if|for|or|and|in|is|as|not)\b")
_OPEN_CALL = re.compile(r".*[(\[\]]\W*")
# A variable as PHP, Perl, shells and PowerShell write it: it is named after what it holds, or used at once.
_VARIABLE = re.compile(
    r"\$\w*(?:pass|pwd|token|key|secret|cred|auth|user|env|value|data|row|req)\w*(?:->.*|[(\[].*)?", re.IGNORECASE
)
_USED_VARIABLE = re.compile(r"\$[A-Za-z_]\w*(?:->|::|\[|\().*")
_HARMLESS_LENGTH = 200  # no code people need to see is longer; and it bounds what is looked at twice
_PLACEHOLDER = re.compile(r"\[[a-z ]+\]")
_FILE_ENDINGS = re.compile(
    r"png|jpe?g|gif|svg|webp|m?js|tsx?|jsx|css|py|rs|go|java|kt|rb|php|json|md|txt", re.IGNORECASE
)
_NOBODY = re.compile(
    r"root|runner(?:admin)?|user(?:name)?|ubuntu|debian|app|node|docker|vagrant|circleci|travis|jenkins|public|shared|"
    r"default|vscode|codespace|gitpod|ec2-user|linuxbrew|www-data|you|me|yourname|name|all",
    re.IGNORECASE,
)


def _sentence_words() -> frozenset[str]:
    lines = (resources.files(__package__) / "password_words.txt").read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


_SENTENCE_WORDS = _sentence_words()


def _no_secret(seen: Seen) -> bool:
    value = seen.secret.strip("\"'`")
    if _PLACEHOLDER.match(value) or not value:
        return True
    # PWD is where a shell stands; .NET prints the public key of every assembly.
    if value.startswith(("/", "~")) and re.search(r"\bPWD\W*$", seen.before):
        return True
    if re.search(r"PublicKeyToken\W*$", seen.before):
        return True
    return len(value) < _HARMLESS_LENGTH and (_HARMLESS.fullmatch(value) is not None or _is_code(value, seen))


def _is_code(value: str, seen: Seen) -> bool:
    if value.startswith("$"):
        return _VARIABLE.fullmatch(value) is not None or _USED_VARIABLE.fullmatch(value) is not None
    # In quotes stands what somebody typed, and no code.
    if value != seen.secret or not _CALL.fullmatch(value):
        return False
    return _OPEN_CALL.fullmatch(value) is not None or _AFTER_CALL.match(seen.after) is not None


def _no_spoken_password(seen: Seen) -> bool:
    """Behind "password:" in running text stands a word of the sentence, or a password of letters."""
    word = seen.secret.strip("\"'`.,;:!?)")
    if re.search(r"[\d!@#$%^&*+]", seen.secret) or not word.isascii() or not word.isalpha():
        return _no_loose_secret(seen)
    # SyntaxError, ValidationException: a class of errors
    return word.lower() in _SENTENCE_WORDS or word.endswith(("Error", "Exception")) or _no_secret(seen)


def _no_loose_secret(seen: Seen) -> bool:
    """Behind a colon in running text stands a word more often than a password."""
    return _no_secret(seen) or not re.search(r"[\d!@#$%^&*+]", seen.secret)


def _no_flag_value(seen: Seen) -> bool:
    return seen.secret.startswith("-") or _no_secret(seen)


def _no_login(seen: Seen) -> bool:
    return bool(_PLACEHOLDER.fullmatch(seen.secret)) or seen.secret in {"git", "hg", "ssh"}


def _no_email(seen: Seen) -> bool:
    name, _, host = seen.secret.rpartition("@")
    return bool(_FILE_ENDINGS.fullmatch(host.rpartition(".")[2])) or (
        name == "git" and seen.after.startswith((":", "/"))
    )


def _no_ipv4(seen: Seen) -> bool:
    parts = seen.secret.split(".")
    if len(parts) != 4 or any(int(part[:4]) > 255 or (len(part) > 1 and part[0] == "0") for part in parts):
        return True
    if seen.secret.startswith("127.") or seen.secret in {"0.0.0.0", "255.255.255.255"}:  # noqa: S104 - compared, not bound
        return True
    # Versions with four parts: v1.2.3.4, version=1.2.3.4, pkg==1.2.3.4, Chrome/120.0.0.0, thing-1.2.3.4.jar
    if re.search(r"(?:\bv|version\W{0,3}|==\s?)$", seen.before, re.IGNORECASE) or re.match(
        r"\.[A-Za-z]|-?(?:py|cp)\d", seen.after
    ):
        return True
    return seen.before.endswith("/") and parts[2:] == ["0", "0"]


def _no_ipv6(seen: Seen) -> bool:
    if seen.before[-1:] in {":", "."} or seen.after[:1].isalnum() or seen.after[:1] in {"_", ":"}:
        return True
    try:
        address = ipaddress.IPv6Address(seen.secret)
    except ValueError:
        return True  # a time, a path of modules, a range
    groups = [group for group in seen.secret.split(":") if group]
    # abc::def is a path in C++ and Rust; an address of so few groups has a digit in it.
    named = len(groups) <= 3 and not any(character.isdigit() for character in seen.secret)
    return named or address.is_loopback or address.is_unspecified


def _no_user(seen: Seen) -> bool:
    # /home in the middle of a web address is a page, not a folder.
    place = re.search(r"(.?)(?:/mnt)?(?:/[a-z])?[\\/]+(?:home|Users)[\\/]+$", seen.before)
    within = bool(place and place[1].isalnum() and not re.search(r"[A-Za-z]:[\\/]+Users[\\/]+$", seen.before))
    return within or bool(_NOBODY.fullmatch(seen.secret.strip())) or bool(_PLACEHOLDER.fullmatch(seen.secret))


_NAMES = (
    r"(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key(?:[_-]?id)?|private[_-]?key|"
    r"auth[_-]?key|account[_-]?key|signing[_-]?key|encryption[_-]?key|credentials?)"
)
_ASSIGNED = rf"""(?i:[\w.-]*{_NAMES}["'\]]*\s*(?:!?={{1,3}}>?|:=)\s*)"""
# A comma belongs to it unless the next name and its value come after it: "password=a,b,port=1".
_VALUE = r"""[^\s"'&;,)}\]]+(?:,[^\s"'&;,)}\]=]+)*"""
_VALUE_END = r"""(?:[\s"'&;,)}\]]|$)"""
DETECTORS = (
    Detector("discord webhook", r"https?://(?:\w+\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d+/[\w-]+"),
    Detector("slack webhook", r"https?://hooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]+"),
    Detector("discord token", r"\b(?:mfa\.[\w-]{60,}|[MNO][\w-]{22,28}\.[\w-]{6,7}\.[\w-]{27,45})"),
    Detector("github token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,})"),
    Detector("gitlab token", r"\bgl(?:pat|ptt|dt|rt|cbt|ft|soat|agent)-[\w-]{20,}"),
    Detector("aws key", r"\b(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}\b"),
    Detector("anthropic key", r"\bsk-ant-[\w-]{16,}"),
    Detector("stripe key", r"\b(?:[srp]k_(?:live|test)|whsec)_[A-Za-z0-9]{10,}"),
    Detector("openai key", r"\bsk-[\w-]{20,}"),
    Detector("slack token", r"\bxox[a-z]-[\w-]{10,}|\bxapp-\d-[\w-]{10,}"),
    Detector("npm token", r"\bnpm_[A-Za-z0-9]{30,}"),
    Detector("pypi token", r"\bpypi-[\w-]{16,}"),
    Detector("google key", r"\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}"),
    Detector("hugging face token", r"\bhf_[A-Za-z0-9]{30,}"),
    Detector("telegram token", r"\b\d{8,10}:AA[\w-]{32,34}"),
    Detector("sendgrid key", r"\bSG\.[\w-]{16,}\.[\w-]{16,}"),
    Detector("jwt", r"\beyJ[\w-]{6,}\.eyJ[\w-]{6,}(?:\.[\w-]*)?"),
    Detector("cookie", r"[^\s\[;=]+=[^\r\n\"']+", before=r"""(?i:(?:set-)?cookie["']?\s*[:=]\s*["']?)"""),
    Detector(
        "authorization",
        r"(?:\[[a-z ]+\]|[^\s\"',]+)",
        before=r"""(?i:authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|bot|token|digest|apikey)\s+)?)""",
        spares=_no_secret,
    ),
    Detector("authorization", r"[\w.~+/-]{16,}=*", before=r"(?i:\bbearer\s+)"),
    Detector(
        "credentials",
        r"[^\s/?#\"'<>@:]*:[^\s/\"'<>]*",
        before=r"\b[A-Za-z][A-Za-z0-9+.-]*://",
        after="@",
        spares=_no_login,
    ),
    Detector("credentials", r"[^\s/?#\"'<>@:]+", before=r"\b(?:https?|wss?)://", after="@", spares=_no_login),
    Detector("secret", r"""(?:\[[a-z ]+\]|"[^"\n]*"|'[^'\n]*')""", before=_ASSIGNED, spares=_no_secret),
    Detector(
        "secret",
        _VALUE,
        before=_ASSIGNED,
        after=_VALUE_END,
        spares=_no_secret,
    ),
    Detector(
        "secret",
        r"""(?:"[^"\n]*"|'[^'\n]*'|\[[a-z ]+\]|[^\s"',}]+)""",
        before=rf"""(?i:\\?["'][\w.-]*{_NAMES}\\?["']\s*:\s*)""",
        spares=_no_secret,
    ),
    Detector(
        "secret",
        r"[^\s\"']*[^\s\"',]",
        before=rf"(?im:^[ \t>+-]*[\w.-]*{_NAMES}[ \t]*:[ \t]*)",
        after=r"(?m:[ \t\r]*$)",
        spares=_no_secret,
    ),
    Detector(
        "secret",
        r"(?:[^\s\"',]{4,}(?:,[^\s\"',]+)*|[^\s\"',]{1,3}(?:,[^\s\"',]+)+)",
        before=r"(?i:\b(?:password|passwd|passphrase)\s*:\s?)",
        spares=_no_spoken_password,
    ),
    Detector("secret", r"[^\s\"',]{16,}", before=rf"(?i:{_NAMES}\s*:\s?)", spares=_no_loose_secret),
    Detector("secret", r"[^\s\"',]+", before=rf"(?i:--[\w-]*{_NAMES}[ \t]+)", spares=_no_flag_value),
    Detector(
        "secret",
        r"[^\s&\"'<>]+",
        before=r"(?i:[?&](?:sig|signature|key|code|x-amz-signature|hmac)=)",
        spares=_no_secret,
    ),
    Detector("email", r"[\w.%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}", credential=False, spares=_no_email),
    Detector("ip", r"\b\d+(?:\.\d+){3,}\b", credential=False, spares=_no_ipv4),
    Detector(
        "ip",
        r"\b[0-9A-Fa-f]{1,4}(?:(?::[0-9A-Fa-f]{1,4}){7}|(?::[0-9A-Fa-f]{1,4}){0,6}::(?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){0,6})?)",
        credential=False,
        spares=_no_ipv6,
    ),
    Detector(
        "user",
        r"""[^\\/:*?"'<>|=\r\n]{1,64}""",
        before=r"(?i:[A-Z]:(?:\\{1,4}|/)(?:Users|Documents and Settings)(?:\\{1,4}|/))",
        after=r"[\\/]",
        credential=False,
        spares=_no_user,
    ),
    Detector(
        "user",
        r"""[^\s\\/:*?"'`<>|,;()$]+""",
        before=r"(?:(?:/mnt)?(?:/[a-z])?/(?:home|Users)/|(?i:[A-Z]:(?:\\{1,4}|/)Users(?:\\{1,4}|/))|\\{1,2}home\\{1,2})",
        credential=False,
        spares=_no_user,
    ),
)
