"""What looks like something that went wrong, line by line."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pastes import error_signs as module
from bot.pastes.error_signs import ErrorSigns, Sign, error_signs, sign_of
from bot.pastes.normalise import Line, split_lines, views


def signs_of(text: str) -> ErrorSigns:
    for _, lines in views(split_lines(text)):
        return error_signs(lines)
    return error_signs([])


ERRORS = {
    "python": [
        "Traceback (most recent call last):",
        "ValueError: invalid literal for int() with base 10: 'x'",
        "sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) could not connect to server",
        "requests.exceptions.MissingSchema: Invalid URL 'example.org': No scheme supplied.",
        "django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty.",
        "KeyError: 'name'",
        "AssertionError",
        "E       AssertionError: assert 3 == 4",
        "FAILED tests/test_a.py::test_b - assert 1 == 2",
        "ERROR: Could not find a version that satisfies the requirement nothing (from versions: none)",
    ],
    "rust": [
        "thread 'main' panicked at src/main.rs:4:5:",
        "thread 'main' panicked at 'index out of bounds', src/main.rs:4:5",
        "thread 'tokio-runtime-worker' (4711) panicked at /app/src/lib.rs:1:1:",
        "error[E0425]: cannot find value `x` in this scope",
        'error: could not compile `granary` (bin "granary") due to 1 previous error',
        'Error: Os { code: 2, kind: NotFound, message: "No such file or directory" }',
        "Caused by:",
        "error: failed to parse manifest at `/home/ann/Cargo.toml`",
    ],
    "javascript": [
        "TypeError: Cannot read properties of undefined (reading 'map')",
        "Uncaught (in promise) Error: Network Error",
        'TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string.',
        "DiscordAPIError[50001]: Missing Access",
        "npm ERR! code ERESOLVE",
        "npm error code ELIFECYCLE",
        "Error: Cannot find module 'express'",
        "(node:4711) UnhandledPromiseRejectionWarning: Error: boom",
        "src/app.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
        "ERROR in ./src/index.js 8:2",
    ],
    "java": [
        'Exception in thread "main" java.lang.NullPointerException',
        "java.lang.IllegalStateException: Failed to load ApplicationContext",
        "Caused by: org.hibernate.MappingException: Unknown entity: org.acme.User",
        "2026-01-01 12:00:00.123 ERROR 4711 --- [main] o.s.boot.SpringApplication : Application run failed",
        "APPLICATION FAILED TO START",
        "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.11.0:compile",
        "SEVERE: Error listenerStart",
        "[12:00:00] [Server thread/ERROR]: Encountered an unexpected exception",
    ],
    "go": [
        "panic: runtime error: index out of range [3] with length 3",
        "goroutine 1 [running]:",
        '2026/01/01 12:00:00 ERROR dial failed err="connection refused"',
        'time="2026-01-01T12:00:00Z" level=error msg="cannot connect"',
        "./main.go:4:2: undefined: x",
        "Error: INSTALLATION FAILED: another operation (install/upgrade/rollback) is in progress",
    ],
    "dotnet": [
        "Unhandled exception. System.InvalidOperationException: Sequence contains no elements",
        "System.NullReferenceException: Object reference not set to an instance of an object.",
        "Program.cs(3,9): error CS1002: ; expected",
        "error MSB4018: The task failed unexpectedly.",
    ],
    "php and ruby": [
        "PHP Fatal error:  Uncaught Error: Call to undefined function foo() in /var/www/a.php:3",
        r"Illuminate\Contracts\Container\BindingResolutionException: Target class [X] does not exist.",
        "SQLSTATE[42S02]: Base table or view not found: 1146 Table 'a.b' doesn't exist",
        "ActiveRecord::RecordNotFound: Couldn't find User with 'id'=3",
        '[2026-01-01 12:00:00] production.ERROR: Class "Foo" not found',
        "NoMethodError: undefined method `name' for nil:NilClass",
    ],
    "tools and logs": [
        "Segmentation fault (core dumped)",
        "main.c:3:5: error: expected ';' before 'return'",
        "make: *** [Makefile:3: all] Error 2",
        "E: Unable to locate package nothing",
        "ORA-00942: table or view does not exist",
        "fatal: not a git repository (or any of the parent directories): .git",
        '{"level":"error","ts":"2026-01-01T12:00:00Z","msg":"dial tcp: connection refused"}',
        '{"time":"2026-01-01","level":50,"msg":"boom"}',
        "app-1  | 2026-01-01T12:00:00Z ERROR cannot bind",
        "2026-01-01 12:00:00,123 CRITICAL worker died",
        "Process completed with exit code 1.",
        "bash: line 1: nothing: command not found",
        "ERROR Cannot find module 'x'",
        "E/AndroidRuntime: FATAL EXCEPTION: main",
    ],
}
TALK = {
    "chat": [
        "good morning everybody",
        "I get an error when I start the server",
        "it failed again, no idea why",
        "don't panic, we will find it",
        "the name is required, isn't it?",
        "I expected pizza but got pasta",
        "what does error 404 mean?",
        "can anybody help me with exceptions in java?",
        "an exception to the rule",
        "is there an error handler for that?",
        "my error was that I forgot the semicolon",
        "he said: that failed",
        "thread is too long, let me open a new one",
        "no errors, 3 warnings, all fine",
        "0 errors",
        "note to self: do not deploy on friday",
        "lol fatal mistake",
        "Error handling in Go is verbose",
        "Failure is part of learning",
        "critical thinking is hard",
        "warning signs everywhere",
        "try it at home (or not)",
    ],
    "logs in which nothing is wrong": [
        "2026-01-01 12:00:00 INFO server started on port 3000",
        "2026-01-01 12:00:00 DEBUG retry 3 of 5",
        "[INFO] BUILD SUCCESS",
        '{"level":"info","msg":"ready","errors":0}',
        "GET /error 200 12ms",
        "Compiling error-chain v0.12.4",
        "test error_is_reported ... ok",
        "0 failed, 12 passed",
    ],
    "source code": [
        'raise ValueError("the name is required")',
        'throw new IllegalStateException("cannot happen");',
        'panic!("hopper starved");',
        'rx.recv().expect("Gradient sync server disconnected.")',
        "console.error('Cannot find module')",
        'log.Fatal("cannot bind")',
        "except KeyError as error:",
        "// Error: this never happens",
        'return Err(HopperError("starved"));',
        'if err != nil { return fmt.Errorf("open: %w", err) }',
        "class HopperError(Exception):",
        "assert result == 3, 'Error: wrong'",
        "abort_if(true, 403, 'Error: no access');",
        'die("Error: no connection");',
    ],
}


@pytest.mark.parametrize(("form", "line"), [(form, line) for form, lines in ERRORS.items() for line in lines])
def test_a_line_that_a_program_printed_in_trouble_is_one(form: str, line: str) -> None:
    """Tracebacks, panics, labelled messages, build errors and log lines at an error level, in each language's form."""
    assert signs_of(line).is_error


@pytest.mark.parametrize(("form", "line"), [(form, line) for form, lines in TALK.items() for line in lines])
def test_talk_quiet_logs_and_code_are_none(form: str, line: str) -> None:
    """The words error and failed alone make no error, and neither does code that could raise one (A1, A4)."""
    assert not signs_of(line).is_error


def test_the_table_holds_what_it_says() -> None:
    """About a hundred lines, none twice."""
    lines = [line for table in (ERRORS, TALK) for group in table.values() for line in group]

    assert len(lines) == len(set(lines)) >= 100


def test_frames_alone_are_no_error() -> None:
    """People paste code with line numbers, too."""
    text = '  File "a.py", line 3, in pull\n  File "b.py", line 9, in push'

    assert set(signs_of(text).signs.values()) == {Sign.FRAME}
    assert not signs_of(text).is_error


def test_code_with_a_traceback_behind_it_is_an_error() -> None:
    """Half of the lines being code does not hide the head of a stack."""
    text = 'def pull():\n    raise ValueError("x")\n\nTraceback (most recent call last):\nValueError: x'

    assert signs_of(text).is_error


def test_a_fence_and_its_language_are_no_lines() -> None:
    """Marks of a code block do not count, neither as code nor as text."""
    assert signs_of("```rust\nlet x = 1;\n```").mostly_code
    assert signs_of("```\nValueError: x\n```").is_error


def test_near_looks_two_lines_around() -> None:
    """A message is printed behind its head, and frames stand below it."""
    signs = signs_of("quiet\nquiet\nquiet\nValueError: x\nquiet\nquiet\nquiet")

    assert [signs.near(number, number) for number in range(7)] == [False, True, True, True, True, True, False]


def test_why_names_the_line_and_the_strongest_sign() -> None:
    """In words, with the line as an editor counts it."""
    assert signs_of("hi\nValueError: x").why == "line 2 is a message behind an error's name"
    assert signs_of("x = 1;\ny = 2;").why == "it reads like source code"
    assert signs_of("hi").why == "no line looks like something that went wrong"


def test_why_is_the_same_in_every_process() -> None:
    """Python hashes words differently in each process; the reason does not depend on it (A11)."""
    program = (
        "from tests.pastes.test_error_signs import signs_of;"
        "print(signs_of('2026-01-01 12:00:00 ERROR a\\nValueError: b\\nTraceback (most recent call last):').why)"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(4)
    }

    assert said == {"line 3 is the head of a traceback or panic\n"}


@given(st.text(max_size=1_000))
def test_no_text_is_too_strange(text: str) -> None:
    """Any text has its signs, and a reason."""
    assert signs_of(text).why


def sign_by_each_test(line: Line) -> Sign | None:
    """The strongest sign, each test asked by itself."""
    whole, words = line.cased[:2_000], line.cased[line.body :][:2_000]
    return next(
        (sign for sign, test in module._TESTS if test.search(whole if sign in {Sign.HEADER, Sign.LEVEL} else words)),
        None,
    )


_PIECES = st.sampled_from(
    [line for lines in ERRORS.values() for line in lines]
    + [
        "2026-01-01 12:00:00 ERROR [main] ",
        "bot-1  | ",
        "> ",
        "raise X(",
        "    at a.b(C.java:1)",
        "x" * 1_990,
        "é",
        " ",
    ]
)


@given(st.lists(_PIECES, min_size=1, max_size=4).map("".join))
def test_all_tests_together_tell_what_each_tells_by_itself(text: str) -> None:
    """One walk over a line for all of them changes nothing, also with a prefix and beyond what is looked at."""
    for _, lines in views(split_lines(text)):
        assert [sign_of(line) for line in lines] == [sign_by_each_test(line) for line in lines]


SAID = [line for table in (ERRORS, TALK) for group in table.values() for line in group]


@given(
    st.lists(
        st.sampled_from(
            [*SAID, "x" * 2_100 + " level=error", "const a = [" + "1, " * 800 + "]; level=error", "```", ""]
        ),
        max_size=40,
    )
)
def test_lines_together_have_the_signs_that_each_has_alone(lines: list[str]) -> None:
    """Several lines are looked at together first, and only where something is found each by itself."""
    together = signs_of("\n".join(lines))

    alone = [signs_of(line) for line in lines]
    assert together.signs == {number: sign for number, signs in enumerate(alone) for sign in signs.signs.values()}
    assert together.code_lines == {number for number, signs in enumerate(alone) if signs.code_lines}
