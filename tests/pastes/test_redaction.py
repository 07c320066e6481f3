"""Secrets go, what people need stays.

The secrets are put together from pieces: whole ones would stop this file at every scanner for leaked keys.
"""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.pastes.redaction import redact

A, B = "a1B2c3D4", "Zz9Yy8Xx"
LONG = A * 9
SECRETS = {
    "discord token": "MTIzNDU2Nzg5MDEyMzQ1Njc4." + "GabcDe." + "aB3_dE6-gH9jK2mN5pQ8sT1vW4yZ" + "0123456789",
    "discord bot token, old": "NDkyNzg5MDEyMzQ1Njc4OTAx." + "Xa12_3." + "a" * 27,
    "discord webhook": "https://discord.com/api/webhooks/123456789012345678/" + LONG[:68],
    "discord webhook, old": "https://canary.discordapp.com/api/v9/webhooks/123456789012345678/" + LONG[:68],
    "github": "ghp_" + LONG[:36],
    "github app": "ghs_" + LONG[:36],
    "github fine-grained": "github_pat_" + LONG[:22] + "_" + LONG[:59],
    "gitlab": "glpat-" + LONG[:20],
    "aws": "AKIA" + "IOSFODNN7EXAMPL" + "E",
    "aws session": "ASIA" + "IOSFODNN7EXAMPL" + "E",
    "aws secret": "aws_secret_access_key = " + "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",
    "openai": "sk-" + LONG[:48],
    "openai project": "sk-proj-" + LONG[:40] + "_x-" + B,
    "anthropic": "sk-ant-api03-" + LONG[:40],
    "slack": "xoxb-" + "123456789012-" + LONG[:24],
    "slack app": "xapp-1-" + LONG[:24],
    "slack webhook": "https://hooks.slack.com/services/T000/B000/" + LONG[:24],
    "stripe": "sk_live_" + LONG[:24],
    "stripe restricted": "rk_test_" + LONG[:24],
    "stripe webhook": "whsec_" + LONG[:32],
    "npm": "npm_" + LONG[:36],
    "pypi": "pypi-" + "AgEIcHlwaS5vcmc" + LONG[:60],
    "google": "AIza" + "SyA" + LONG[:32],
    "hugging face": "hf_" + LONG[:34],
    "telegram": "123456789:" + "AA" + LONG[:33],
    "sendgrid": "SG." + LONG[:22] + "." + LONG[:43],
    "jwt": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + LONG[:43],
    "pem": "-----BEGIN RSA PRIVATE " + "KEY-----\n" + f"{LONG[:64]}\n" * 4 + "-----END RSA PRIVATE " + "KEY-----",
    "pem, escaped": "-----BEGIN PRIVATE " + "KEY-----\\n" + f"{LONG[:64]}\\n" * 4 + "-----END PRIVATE " + "KEY-----",
    "pem, cut off": "-----BEGIN OPENSSH PRIVATE " + "KEY-----\n" + f"{LONG[:64]}\n" * 3,
    "pgp": "-----BEGIN PGP PRIVATE " + "KEY BLOCK-----\n\n" + f"{LONG[:64]}\n" * 3 + "-----END PGP PRIVATE " + "KEY BLOCK-----",
    "password": "password=hunter2",
    "password of letters": "PASSWORD=correcthorse",
    "password in quotes": 'db_password = "correct horse battery"',
    "password in json": '{"user": "x", "password": "correct horse, battery"}',
    "password in yaml": "\n    password: correcthorse\n",
    "password in a sentence": "trying with password: hunter2 now",
    "password of letters in a sentence": "trying with password: correcthorse now",
    "password of letters in a list": "connecting (user: x, password: CorrectHorse, host: db)",
    "password with a comma": "password=correct,horse",
    "password with a comma, in a list": "connect(password=correct,horse,port=5432)",
    "password with a comma in yaml": "\npassword: correct,horse2\n",
    "password with a comma in a sentence": "with password: hunter2,horse now",
    "password like a call": "password=hunter2(horse",
    "password like a call in quotes": 'password="correct(horse)"',
    "password like an index": "PASSWORD=horse[correct",
    "password like a variable": "password=$correcthorse",
    "password like an environment": "password=env-hunter2",
    "password like a format": "password=%correct(horse",
    "password as a flag": "mysql --password correcthorse -h db",
    "password compared": 'if password == "hunter2":',
    "secret": "CLIENT_SECRET=" + B,
    "api key": "X-Api-Key: " + LONG[:32],
    "token in an address": "GET https://api.example.com/v1?access_token=" + B + "&page=2",
    "signature": "https://s3.example.com/x?X-Amz-Signature=" + LONG[:40],
    "postgres": "postgres://bob:hunter2@db.internal:5432/app",
    "mongodb, @ in it": "mongodb+srv://bob:hun@ter2@cluster0.example.net/db",
    "redis without user": "redis://:hunter2@cache:6379/0",
    "http": "https://bob:hunter2@example.com/repo.git",
    "token in git address": "https://" + B + B + "@example.com/repo.git",
    "connection string": "Server=db;User Id=sa;Password=hunter2;Encrypt=true",
    "cookie": "Cookie: session=" + B + "; theme=dark",
    "set-cookie": "set-cookie: sid=" + B + "; HttpOnly",
    "bearer": "Authorization: Bearer " + LONG[:40],
    "basic": "authorization: Basic " + "Ym9iOmh1bnRlcjI=",
    "bearer alone": 'curl -H "Bearer ' + LONG[:40] + '"',
    "discord authorization": '"Authorization": "Bot ' + LONG[:40] + '"',
    "email": "bob.smith+x@mail.example.co.uk",
    "ipv4": "203.0.113.77",
    "ipv4 with port": "192.168.1.20:5432",
    "ipv6": "2001:db8:85a3::8a2e:370:7334",
    "ipv6, whole": "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
    "ipv6, link-local": "fe80::1ff:fe23:4567:890a",
    "home": "/home/bobsmith/project/main.py",
    "home, mac": "/Users/bobsmith/project/main.py",
    "home, windows": "C:\\Users\\Bob Smith\\project\\main.py",
    "home, escaped": "C:\\\\Users\\\\bobsmith\\\\main.py",
    "home, slashes": "C:/Users/bobsmith/main.py",
    "home, wsl": "/mnt/c/Users/bobsmith/main.py",
    "home, file url": "file:///home/bobsmith/main.js",
}  # fmt: skip
# The parts of the secrets above that may not be seen afterwards.
TELLTALE = (
    A, B, "hunter2", "hun@ter2", "correct", "horse", "IOSFODNN7", "K7MDENG", "Ym9iOmh1", "GabcDe", "Xa12_3", "T000",
    "bobsmith", "Bob Smith", "bob.smith", "203.0.113.77", "192.168.1.20", "8a2e", "fe80", "eyJ",
)  # fmt: skip

HARMLESS = (
    "1.20.11.01",
    "message.channel.send",
    "d9f1c1de-5e3c-4c70-9a2b-0123456789ab",
    "d16f7ba2ed0d41408189384044cc886fb4c8f957",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "127.0.0.1",
    "localhost:5432",
    "[::1]:8080",
    "0.0.0.0:80",
    "thread 'main' panicked at crates/burn-remote/src/client/service.rs:179:18:",
    "std::sync::mpsc::RecvError, abc::def::Bad, dead::beef",
    "2026-09-05T13:19:14.260Z 12:34:56.789",
    "00:1A:2B:3C:4D:5E",
    "npm i discord.js@14.16.3 lodash@next foo@1.2.3",
    "git@github.com:tracel-ai/burn.git",
    "https://github.com/tracel-ai/burn/blob/main/README.md#L1",
    "https://example.com/home/about/team",
    "icon@2x.png",
    "SyntaxError: Unexpected token: }",
    "error: invalid token 'foo' at line 3, expected one of",
    "password is required",
    "password: required",
    "token = lexer.next_token()",
    "const token = process.env.DISCORD_TOKEN;",
    "password={password}",
    "if (typeof token !== 'string') throw",
    "Serilog, Version=3.0.0.0, Culture=neutral, PublicKeyToken=24c2f752a8e58a10",
    "PASSWORD=${DB_PASSWORD}",
    "api_key=<your key>",
    "token=None secret=null password=***",
    "PWD=/srv/app",
    "/home/runner/work/x /root/.cargo /home/ubuntu/x",
    "Chrome/120.0.0.0 Safari/537.36",
    "version 1.2.3.4, v10.0.19041.1, numpy==1.26.4.0",
    "com.example.Foo@1a2b3c4d",
    "ECONNREFUSED ::1:5432",
    "basic authentication failed, bearer token missing",
    "100.0.0.1.2 and 300.1.2.3",
    "Cookies are required; Cookie: ",
    # words behind a name, in sentences and prompts
    "Enter password: Sorry, try again.",
    "invalid password: must be at least 8 characters",
    "bad password: expected string, received undefined",
    "FATAL: password: authentication failed for user",
    "wrong password: user not found",
    "password: ValidationError: Too short",
    "Falsches Passwort, password: falsch",
    "the secret: never use eval; the token: a word of the grammar",
    "Error: token: unexpected end of input",
    # code
    "password = getpass.getpass()",
    "token = f(a, b)",
    "token = parse(a + b)",
    "let token = tokens[i];",
    "password=hash(password)",
    "const secret = crypto.randomBytes(32).toString('hex')",
    "auto token = std::move(next_token(x));",
    "$password = $request->input('password');",
    "$token = $this->token;",
    "password=$PASSWORD token=$DB_TOKEN",
    "password=%s token=%(token)s secret=%PASSWORD% key=%r",
    "token=ENV['TOKEN'], secret=os.environ.get('X')",
    "password: config.password, token: req.token",
    "if token == Token::Eof {",
    "self.token = token",
    "access_token: string; api_key?: string",
    "def login(user, password=None):",
    # versions
    "driver 31.0.15.3623 is not here: version 31.0.15.3623",
    "Windows version 10.0.22631.4460",
    "System.Text.Json, Version=8.0.0.5",
    "libfoo-1.2.3.4.so, paper-1.20.4-496.jar, foo-1.2.3.4-py3-none-any.whl",
    "CUDA 12.4.1, glibc 2.39, node v22.11.0, go1.23.4",
    "1.20.11.01 1.21.0.03",
    # identifiers, hashes and addresses of memory
    "message.channel.send is not a function",
    "interaction.guild.members.me.permissions",
    "request 7f3c1de0-5e3c-4c70-9a2b-0123456789ab failed",
    "urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66",
    "commit e7aac8c4b1d0a3f29c58e6d7b8a90c1d2e3f4a5b (HEAD -> main)",
    "integrity sha512-9NET910DNaIPngYnLLPeg+Ogzqsi9uM4mSboU5y6p8S5DzMTVEsJZrawi+BoDNUVBa2DhJqQYUFvMDfgU062LQ==",
    "md5 d41d8cd98f00b204e9800998ecf8427e, build-id 0x7ffd5e8a3b10",
    "image ghcr.io/owner/app@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "snowflake 1180237654321098752 in 1180237654321098753",
    "    at Object.<anonymous> (node:internal/modules/cjs/loader:1469:14)",
    "goroutine 1 [running]: main.main() 0x1b /tmp/x.go:8 +0x1d",
    "core::ptr::drop_in_place::<T>::h1a2b3c4d5e6f7081",
    "serde_json::de::Deserializer<R>::parse_any_value",
    # local places
    "connect ECONNREFUSED 127.0.0.1:5432 http://localhost:3000/api",
    "Listening on http://0.0.0.0:8080 and [::]:8080",
    "redis://localhost:6379/0 postgres://localhost/app mongodb://127.0.0.1:27017",
    "ssh://git@github.com/owner/repo.git git+ssh://git@gitlab.com/o/r.git",
    "/usr/lib/python3.11/site-packages/x.py C:\\Windows\\System32\\kernel32.dll /home/node/app/x.js",
    "@types/node@20.11.5 needs @scope/pkg@^1.2.3, actions/checkout@v4",
    "@app.route('/login') @Override @everyone",
    "12:34:56 +0000, 2026-11-30T14:57:05.123456Z, 00:00:12.345, 3:14:15",
    "sk-learn, sklearn, task-runner-with-a-name, risk-of-failure",
    "the cookie: chocolate; a bearer token was expected",
    "-----BEGIN CERTIFICATE-----",
)


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS.keys())
@pytest.mark.parametrize("around", ["{}", "2026-09-05 ERROR [x] {} failed", 'log("{}");\r\nnext line', "> {}\n> more"])
def test_secrets_are_gone(secret: str, around: str) -> None:
    """F1: nothing of a secret is left, whatever stands around it, and its kind is named."""
    redacted = redact(around.format(secret))

    assert [piece for piece in TELLTALE if piece in redacted.text] == []
    assert redacted.findings
    assert all(f"[{finding.kind}]" in redacted.text for finding in redacted.findings)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_survives(text: str) -> None:
    """F2: versions, code, hashes, loopback addresses and words about secrets are left alone."""
    assert redact(text).text == text


def test_what_stands_around_a_secret_survives() -> None:
    """A redacted line can still be recognised."""
    line = "could not connect to postgres://bob:hunter2@203.0.113.77:5432/app from /home/bobsmith/app/main.py:12"

    assert redact(line).text == (
        "could not connect to postgres://[credentials]@[ip]:5432/app from /home/[user]/app/main.py:12"
    )


def test_findings_tell_credentials_from_personal_data() -> None:
    """F3: what has to be revoked is known by its kind; what it was is not kept."""
    findings = redact("a@b.example, password=hunter2, c@d.example").findings

    assert [(finding.kind, finding.count, finding.credential) for finding in findings] == [
        ("email", 2, False),
        ("secret", 1, True),
    ]


def test_a_password_between_two_paths_is_no_name_of_a_user() -> None:
    """F3: no user of Windows has a `=` in the name, so that whoever shows a password is told of it."""
    redacted = redact("copy C:\\Users\\me && set PASSWORD=" + A + B + " && cd ..\\x")

    assert A not in redacted.text
    assert [finding.kind for finding in redacted.findings if finding.credential] == ["secret"]


_pieces = st.one_of(
    st.sampled_from([*SECRETS.values(), *HARMLESS]),
    st.sampled_from(
        ["password=", "token: ", "'", '"', "[", "]", "[secret]", "[email]", "[ip]", "@", "://", ":", "/home/", "=", " ", "\n", "\\", ".", "--token ", "Cookie: ", "Bearer ", "[user", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"]
    ),
    st.text(max_size=6),
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(_pieces, max_size=8).map("".join))
@example("/home/t" * 20)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    """What was redacted has nothing left to redact, so that it does not matter who did it first."""
    once = redact(text).text

    assert redact(once).text == once


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_can_be_redacted(text: str) -> None:
    """Half characters and control characters are no exception."""
    assert isinstance(redact(text).text, str)


@pytest.mark.parametrize(
    "piece",
    ["password=", "token=a(", "-----BEGIN PRIVATE KEY-----\n", "a@b.", "1.", "a:b", "://a:", "/home/", 'password="', "[", "eyJ", "C:\\Users\\a ", "::", "Cookie: a=", "x"],
)  # fmt: skip
def test_time_is_linear(piece: str) -> None:
    """E3: the worst repetition of each detector costs about twice as much when there is twice as much of it."""

    def seconds(size: int) -> float:
        text = piece * (size // len(piece)) + "-----END PRIVATE KEY-----"
        start = time.process_time()
        redact(text)
        return time.process_time() - start

    small, large = min(seconds(20_000) for _ in range(3)), min(seconds(160_000) for _ in range(2))

    # Eight times as much; a quadratic walk would take 64 times as long.
    assert large < 30 * small + 0.05
