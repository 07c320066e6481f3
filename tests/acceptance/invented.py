"""A small catalogue made up for the acceptance tests: records of several languages, some of them traps.

Nothing here is a real project's error. The traps are records whose codes are log words, records that say the same in
different places, patterns that say too little, and patterns that would hang an engine which backtracks.
"""

from datetime import UTC, datetime

from bot.records.record import ErrorType, Record, Severity
from bot.records.template import derive_pattern

_COMMIT = "0123456789abcdef0123456789abcdef01234567"


def invented(number: int, repo: str, path: str, message: str, **more: object) -> Record:
    """A record with the id `number` and the pattern upstream would derive, unless another is given."""
    values: dict[str, object] = {
        "message_pattern": derive_pattern(message),
        "error_type": ErrorType.EXCEPTION,
        "line_number": 10 + number,
        **more,
    }
    return Record(
        id=f"{0xABC0 + number:016x}",
        repo=repo,
        slug=f"invented-{number}",
        error_message=message,
        severity=Severity.ERROR,
        github_url=f"https://github.com/{repo}/blob/{_COMMIT}/{path}#L{10 + number}",
        documentation=f"What `{message}` means, in made-up words number {number}.",
        trigger_scenarios="",
        common_situations="",
        solutions=("Do the made-up thing.",),
        prevention_tips=(),
        tags=(),
        analyzed_sha=_COMMIT,
        analyzed_at=datetime(2026, 9, 1, tzinfo=UTC),
        file_path=path,
        **values,  # type: ignore[arg-type]  # the caller's keywords are Record's own
    )


# The five of the recall matrix, one for each language, with how their programs print them.
VALVE = invented(
    1,
    "plumbline/valvectl",
    "valvectl/actuators.py",
    "Actuator {name} refused torque calibration",
    error_class="TorqueError",
)
LEDGER = invented(
    2,
    "quillworks/ledgerly",
    "ledger-core/src/main/java/org/quill/ledger/Posting.java",
    "Posting %s violates double-entry invariant of journal %s",
    error_class="UnbalancedPostingException",
)
SPRITE = invented(
    3,
    "pixelbarn/spritesmith-ng",
    "packages/packer/src/atlas.ts",
    "Sprite atlas overflow: ${count} frames exceed ${limit}",
    error_class="RangeError",
)
MOORING = invented(4, "harbourmaster/mooring", "internal/berth/assign.go", "berth %q already occupied by vessel %q")
GRANARY = invented(
    5,
    "siloworks/granary",
    "crates/granary-bin/src/hopper.rs",
    "hopper {id} starved while draining silo {silo:?}",
    error_type=ErrorType.PANIC,
)

# The same message in different files, classes and ecosystems.
TWIN_PYTHON = invented(
    6,
    "twinpeaks/hawser",
    "hawser/lines.py",
    "Mooring line tension exceeds breaking strength",
    error_class="TensionError",
)
TWIN_JAVA = invented(
    7,
    "twinpeaks/hawser-jvm",
    "src/main/java/org/twin/hawser/Lines.java",
    "Mooring line tension exceeds breaking strength",
    error_class="TensionException",
)
TWIN_JAVA_WINCH = invented(
    8,
    "twinpeaks/hawser-jvm",
    "src/main/java/org/twin/hawser/winch/Winch.java",
    "Mooring line tension exceeds breaking strength",
    error_class="WinchException",
)
TWIN_CODED = invented(
    9, "twinpeaks/hawser-c", "src/lines.c", "Mooring line tension exceeds breaking strength", error_code="HAWSER_E17"
)

# A chain whose every link is known.
WRAPPER = invented(
    10,
    "lanternfish/abyss",
    "src/main/java/org/abyss/Dive.java",
    "Could not begin dive plan for submersible {name}",
    error_class="DivePlanException",
)
ROOT = invented(
    11,
    "lanternfish/ballast",
    "src/main/java/org/ballast/Tank.java",
    "Ballast tank sensor reports negative displacement",
    error_class="BallastException",
)

# Log words as codes (A2), each with a pattern that says something else.
LOG_WORD_CODES = tuple(
    invented(
        20 + number,
        "logwords/traps",
        f"src/trap{number}.js",
        f"Trapdoor {word.lower()} hinge misaligned by {{n}}",
        error_code=word,
    )
    for number, word in enumerate(("ERROR", "WARN", "INFO", "GET", "POST", "HTTP", "JSON", "NULL"))
)
MODULE = invented(
    30,
    "loaderlab/requirex",
    "lib/resolve.js",
    "Cannot find module '{name}'",
    error_code="MODULE_NOT_FOUND",
    error_class="Error",
)

# Patterns that say too little (A3).
WEAK = (
    invented(40, "weaklings/forms", "forms/fields.py", "{field} is required", error_class="ValidationError"),
    invented(41, "weaklings/forms", "forms/types.py", "expected {a} but got {b}", error_class="TypeMismatch"),
    invented(42, "weaklings/forms", "forms/base.py", "failed: {reason}", error_class="FormError"),
    invented(43, "weaklings/forms", "forms/io.py", "not found", error_class="LookupFailure"),
    invented(44, "weaklings/forms", "forms/net.py", "timeout", error_class="TimeoutFailure"),
    invented(45, "weaklings/forms", "forms/oops.py", "something went wrong", error_class="FormError"),
)

# Regexes that hang an engine which backtracks, or that no linear-time engine takes (E3).
CATASTROPHIC = (
    invented(50, "hangmen/regexes", "src/a.js", "nested quantifiers", message_pattern=r"(a+)+\$ nested quantifiers"),
    invented(51, "hangmen/regexes", "src/b.js", "overlapping words", message_pattern=r"(\w+\s?)*overlapping words!"),
)
REFUSED = invented(52, "hangmen/regexes", "src/c.js", "said twice", message_pattern=r"(\w+) said \1 twice")

NON_LATIN = (
    invented(60, "slova/oshibki", "src/port.py", "не удалось открыть шлюз {name}: превышено время ожидания"),
    invented(61, "kotoba/ayamari", "src/mon.rb", "水門{name}を開けませんでした:時間切れ"),
)

RECALLED = (VALVE, LEDGER, SPRITE, MOORING, GRANARY)
CATALOGUE: tuple[Record, ...] = (
    *RECALLED,
    TWIN_PYTHON,
    TWIN_JAVA,
    TWIN_JAVA_WINCH,
    TWIN_CODED,
    WRAPPER,
    ROOT,
    *LOG_WORD_CODES,
    MODULE,
    *WEAK,
    *CATASTROPHIC,
    REFUSED,
    *NON_LATIN,
)
