"""What is missing from a paste that is too poor to be answered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.locales.words import Words, languages
from bot.pastes.lacks import BadLackRule, Lack, lack_of, rules_of, shipped_rules
from bot.pastes.paste import Part, Paste
from tests.shared_data import REPOSITORY

SAMPLES = REPOSITORY / "tests" / "samples"
MINIFIED = "    at t.x (https://shop.example/static/js/main.3f2a91.js:1:23456)"
SPECIAL = "(talk)\t^hello\n(beside)\t^note\n(telling)\terror\n"
POOR = [
    ("python-cut", 'Traceback (most recent call last):\n  File "app.py", line 3, in <module>\n    start()'),
    ("python-cut", 'my app died\n  File "app.py", line 3, in <module>\n    start()\n  File "b.py", line 9, in start'),
    ("python-cut", "Traceback (most recent call last):"),
    ("message-cut", 'Traceback (most recent call last):\n  File "app.py", line 3, in f\n    start()\nRuntimeError:'),
    ("rust-panic-cut", "thread 'main' panicked at src/main.rs:4:5:"),
    (
        "rust-panic-cut",
        "thread 'main' panicked at src/main.rs:4:5:\nnote: run with `RUST_BACKTRACE=1` environment variable to display",
    ),
    ("rust-no-backtrace", "thread 'm' panicked at 'out of flux', a.rs:1:2\nnote: run with `RUST_BACKTRACE=1` for a …"),
    ("minified", f"TypeError: t is not a function\n{MINIFIED}"),
    ("stack-head", "\tat shop.Cart.add(Cart.java:12)\n\tat shop.Main.main(Main.java:3)"),
    ("stack-head", "   at Shop.Cart.Add(Int32 n) in /src/Cart.cs:line 12"),
    ("stack-head", "    at Cart.add (/srv/shop/cart.js:12:7)\n    at node:internal/main/run_main:1:2"),
    ("stack-head", "goroutine 1 [running]:\nmain.main()\n\t/srv/shop/main.go:12 +0x1d"),
    ("stack-head", "#0 /srv/shop/cart.php(12): Cart->add(1)\n#1 {main}"),
    ("memory", "the container stops\n> app exited with code 137"),
    ("memory", "    Reason:       OOMKilled"),
    ("segfault", "Segmentation fault (core dumped)"),
    ("segfault", "./run.sh: line 3:  6859 Segmentation fault      ./shop"),
    ("cargo", "error: could not compile `shop` (lib) due to 2 previous errors; 1 warning emitted"),
    ("npm", "npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\nnpm ERR! shop@1.0.0 build: `tsc`\nnpm ERR! Exit status 1"),
    ("package-script", " ELIFECYCLE  Command failed with exit code 1."),
    ("package-script", "error Command failed with exit code 1.\ninfo Visit https://yarnpkg.com/en/docs/cli/run"),
    ("linker", "collect2: error: ld returned 1 exit status"),
    ("make", "make[1]: *** [Makefile:3: shop.o] Error 1\nmake: *** [all] Error 2"),
    ("make", "make: *** [all] Fehler 2"),
    ("ninja", "ninja: build stopped: subcommand failed."),
    ("cmake", "-- Configuring incomplete, errors occurred!"),
    ("xcode", "** BUILD FAILED **"),
    ("gradle", "FAILURE: Build failed with an exception.\n\nBUILD FAILED in 3s"),
    ("maven", "[INFO] BUILD FAILURE"),
    ("dotnet-build", "Build FAILED.\n    0 Warning(s)\n    1 Error(s)"),
    ("pip", "error: subprocess-exited-with-error"),
    ("docker-build", "The command '/bin/sh -c npm run build' returned a non-zero code: 1"),
    ("kubernetes", "Warning  BackOff  kubelet  Back-off restarting failed container shop in pod shop-7f"),
    (
        "systemd",
        "shop.service: Main process exited, code=exited, status=1/FAILURE\nshop.service: Failed with result 'x'.",
    ),
    ("ci", "Error: Process completed with exit code 1."),
    ("ci", "2026-10-09T07:11:03.9105209Z ##[error]Process completed with exit code 1."),
    ("exit-code", "Process finished with exit code 3"),
    ("no-stack", "sqlalchemy.exc.OperationalError: the flux is out"),
]
RICH = [
    'Traceback (most recent call last):\n  File "app.py", line 3, in f\n    start()\nRuntimeError: out of flux',
    'Traceback (most recent call last):\n  File "app.py", line 3, in f\n    start()\nKeyboardInterrupt',
    "thread 'main' panicked at src/main.rs:4:5:\nCould not find the flux",
    "java.lang.IllegalStateException: out of flux\n\tat shop.Cart.add(Cart.java:12)",
    "error[E0308]: mismatched types\n --> a.rs:1:2\nerror: could not compile `shop` (lib) due to 1 previous error",
    "npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree",
    "shop.c:1:2: error: expected ';'\nmake: *** [all] Error 2",
    "make: *** No rule to make target 'shop'.  Stop.",
    "ld: shop.o: undefined reference to `flux'\ncollect2: error: ld returned 1 exit status",
    "> E       OSError: [Errno 28] No space left on device\n##[error]Process completed with exit code 1.",
    "Program received signal SIGSEGV, Segmentation fault.\n#0  0x0000 in flux () at shop.c:3",
    "panic: out of flux\n\ngoroutine 1 [running]:\nmain.main()",
    "why does it say exit code 1?",
    "i have an error: it failed with exit code 1, can anyone help",
    "hello there",
    "",
]


@pytest.mark.parametrize(("name", "text"), POOR)
def test_what_is_missing_is_known_by_what_is_there(name: str, text: str) -> None:
    """C8: a cut stack, or nothing but the way a build ended, is known for what it is."""
    lack = lack_of(Paste.of_text(text))

    assert lack is not None
    assert lack.name == name


@pytest.mark.parametrize(
    "disguise",
    [
        "why does this happen?\n{}",
        "hey, can anyone help me with this\n```\n{}\n```",
        "\x1b[31m{}\x1b[0m",
        "{}\n",
    ],
)
@pytest.mark.parametrize(("name", "text"), [case for case in POOR if "\n" not in case[1]])
def test_talk_around_it_and_colours_make_no_difference(name: str, text: str, disguise: str) -> None:
    """B1, C8: people say "error" too, and mean nothing by it."""
    assert getattr(lack_of(Paste.of_text(disguise.format(text))), "name", None) == name


@pytest.mark.parametrize("text", RICH)
def test_a_paste_that_says_what_went_wrong_lacks_nothing(text: str) -> None:
    """C8: what is merely unknown is told as unknown."""
    assert lack_of(Paste.of_text(text)) is None


def test_parts_are_looked_at_together() -> None:
    """C1: the end in the message and the error in the file are one paste."""
    end = "make: *** [all] Error 2"

    assert lack_of(Paste((Part(end), Part("shop.c:1:2: error: expected ';'", "build.log")))) is None
    assert lack_of(Paste((Part("it broke"), Part(end, "build.log")))) == Lack("make", "make")


def test_a_long_log_lacks_nothing() -> None:
    """E5: who brought everything is not told to bring more, and the time it takes has a bound."""
    assert lack_of(Paste.of_text("compiling\n" * 3000 + "make: *** [all] Error 2")) is None


def test_samples_of_whole_errors_are_told_apart_from_poor_ones() -> None:
    """C8: of all samples of what tools print, these are as poor as they look."""
    found = {
        f"{path.parent.name}/{path.stem}": lack.name
        for path in sorted(SAMPLES.glob("*/*.txt"))
        if (lack := lack_of(Paste.of_text(path.read_text(encoding="utf-8", errors="replace"))))
    }

    without_backtrace = {name for name, lack in found.items() if lack == "rust-no-backtrace"}
    assert {name.split("/")[0] for name in without_backtrace} == {"rust"}
    assert {name: lack for name, lack in found.items() if name not in without_backtrace} == {
        "c_runtime/shell_segfault": "segfault",
        "c_runtime/zsh_and_script": "segfault",
        "compose/exited": "memory",
        "docker/classic_build": "docker-build",
        "kubernetes/get_pods": "kubernetes",
        "kubernetes/oom_killed": "memory",
        "mongodb/selection": "no-stack",
        "npm/lifecycle": "npm",
        "systemd/exec": "systemd",
        "systemd/job_failed": "systemd",
        "systemd/repeated": "systemd",
        "yarn/exit_code": "package-script",
    }


@pytest.mark.parametrize("tag", languages())
def test_every_rule_has_its_sentence_and_every_sentence_its_rule(tag: str) -> None:
    """C8: one sentence in every language, short enough for a notice; none that no rule says."""
    words = Words.for_language(tag)
    text = (REPOSITORY / "bot" / "locales" / f"{tag}.ftl").read_text(encoding="utf-8")
    names = {rule.lack.name for rule in shipped_rules().rules}

    said = {line.split(" =")[0].removeprefix("none-lacks-") for line in text.splitlines() if "none-lacks-" in line}
    assert said - {""} >= names
    assert {name for name in said if f"none-lacks-{name}" in words} == names
    for rule in shipped_rules().rules:
        assert 40 < len(words(f"none-lacks-{rule.lack.name}", tool=rule.lack.tool)) <= 260


def test_every_rule_is_shown_by_an_example() -> None:
    """C8: a rule nothing here makes speak would be one nobody has seen work."""
    assert {name for name, _ in POOR} == {rule.lack.name for rule in shipped_rules().rules}


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        (f"{SPECIAL}x\tX\tany", 4),
        (f"{SPECIAL}x\tX\tsomewhere\ta", 4),
        (f"{SPECIAL}# a comment\nx\tX\tany\t(?=a)", 5),
        (f"{SPECIAL}x\tX\tany\ta\tb\tc", 4),
        (f"{SPECIAL}(strange)\ta", 4),
        ("(talk)\ta\n(beside)\tb", 2),
    ],
)
def test_a_bad_rule_is_refused_by_its_line(rules: str, line: int) -> None:
    """E3, G1: a missing column, an unknown place, a pattern RE2 does not take."""
    with pytest.raises(BadLackRule) as refused:
        rules_of(rules)

    assert refused.value.line_number == line


def test_rules_are_tried_in_their_order() -> None:
    """The manual: the first that fits speaks."""
    rules = rules_of(f"{SPECIAL}\n# manual\nspecial\tS\tany\tboom 7\nplain\tP\tany\tboom\tfine\n").rules

    assert [(rule.lack, rule.unless is not None) for rule in rules] == [
        (Lack("special", "S"), False),
        (Lack("plain", "P"), True),
    ]


@given(st.text(max_size=400))
def test_any_text_is_survived(text: str) -> None:
    """E1: no text makes it raise."""
    lack = lack_of(Paste.of_text(text))

    assert lack is None or lack in {rule.lack for rule in shipped_rules().rules}
