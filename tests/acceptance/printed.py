"""Twenty records of many languages, and what each one's program prints: the lines of the recall matrix (B1)."""

from dataclasses import dataclass

from bot.records.entry import Entry
from tests.acceptance import invented, invented_kinds
from tests.acceptance.pipeline import seed


@dataclass(frozen=True, slots=True)
class Printed:
    """What a program prints, without the stack around it; `language` is a key of `tracebacks.TRACEBACKS`."""

    entry: Entry
    language: str
    text: str


INITIALISED, GRADIENT, ENDPOINT = seed("initialization"), seed("Gradient"), seed("bind")
PRINTED: dict[str, Printed] = {
    "seed: initialization": Printed(INITIALISED, "rust", INITIALISED.error_message),
    "seed: gradient": Printed(GRADIENT, "rust", GRADIENT.error_message),
    "seed: endpoint": Printed(ENDPOINT, "rust", ENDPOINT.error_message),
    "python": Printed(
        invented.VALVE, "python", "valvectl.actuators.TorqueError: Actuator 'north-7' refused torque calibration"
    ),
    "java": Printed(
        invented.LEDGER,
        "java",
        "org.quill.ledger.UnbalancedPostingException: Posting P-17 violates double-entry invariant of journal 2026/4",
    ),
    "javascript": Printed(invented.SPRITE, "javascript", "RangeError: Sprite atlas overflow: 4097 frames exceed 4096"),
    "go": Printed(invented.MOORING, "go", 'berth "B-3" already occupied by vessel "Albatross"'),
    "rust": Printed(invented.GRANARY, "rust", 'hopper 7 starved while draining silo Some("north")'),
    "Russian": Printed(
        invented.NON_LATIN[0], "python", "RuntimeError: не удалось открыть шлюз север: превышено время ожидания"
    ),
    "Japanese": Printed(invented.NON_LATIN[1], "ruby", "RuntimeError: 水門北を開けませんでした:時間切れ"),
    "Arabic": Printed(invented_kinds.SLUICE, "javascript", "Error: تعذر فتح بوابة السد shamal بعد انتهاء المهلة"),
    "C#, quotes": Printed(
        invented_kinds.REEL,
        "dotnet",
        "Textile.Reels.ReelBrakeException: Cannot mount reel 'R-9' on spindle 4: brake still engaged",
    ),
    "ruby, code": Printed(
        invented_kinds.KILN, "ruby", "KilnError: kiln south reached cone 6 before soak finished (E-KILN-204)"
    ),
    "php": Printed(
        invented_kinds.ORCHARD, "php", 'PollinationException: Orchard row "plum" has no pollinator within 40 metres'
    ),
    "kotlin": Printed(
        invented_kinds.BEEHIVE, "java", "SwarmException: Beehive 12 swarmed during inspection; queen marker missing"
    ),
    "C++, code": Printed(
        invented_kinds.RUDDER, "c++", "rudder servo 3: commanded angle exceeds hard stop by 2.5 degrees [RUD0042]"
    ),
    "elixir": Printed(
        invented_kinds.TELESCOPE, "elixir", "telescope mount :east lost sidereal lock after meridian flip"
    ),
    "swift, emoji": Printed(
        invented_kinds.LANTERN, "swift", "🔥 Lantern wick 8 burned below minimum safe length – relight refused"
    ),
    "dart": Printed(
        invented_kinds.LOOM, "dart", "Bad state: Tried to weave a silk strand into a loom that was already unthreaded"
    ),
    "python, long": Printed(
        invented_kinds.GLAZE,
        "python",
        "glazery.firing.DriftError: Glaze batch B-77 cannot be fired: the kiln controller reported a thermocouple drift "
        "of 14.5 K over the last 30 minutes, which is more than the recipe 'celadon' allows. Recalibrate the probe, or "
        "pass allow_drift=True to fire the batch anyway and accept discoloured glaze.",
    ),
}
# Programs whose lines tell their language speak against records of others (A10), and a verdict names fifteen records.
TOGETHER: tuple[tuple[str, ...], ...] = (
    tuple(name for name in PRINTED if name not in {"java", "kotlin"})[::2],
    tuple(name for name in PRINTED if name not in {"java", "kotlin"})[1::2],
    ("java", "kotlin"),
)
