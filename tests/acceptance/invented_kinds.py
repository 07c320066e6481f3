"""More made-up records: messages of many languages, scripts and kinds, with quotes, codes, emoji and much text."""

from bot.records.record import ErrorType, Record
from tests.acceptance.invented import invented

SLUICE = invented(
    70, "kalimat/akhta", "src/gates.ts", "تعذر فتح بوابة السد ${name} بعد انتهاء المهلة", error_class="Error"
)
REEL = invented(
    71,
    "loomworks/reels",
    "src/Reels/Spindle.cs",
    "Cannot mount reel '{0}' on spindle {1}: brake still engaged",
    error_class="ReelBrakeException",
)
KILN = invented(
    72,
    "potters/kiln",
    "lib/kiln/firing.rb",
    "kiln #{name} reached cone #{cone} before soak finished (E-KILN-204)",
    error_class="KilnError",
    error_code="E-KILN-204",
)
ORCHARD = invented(
    73,
    "growers/orchard",
    "src/Orchard/Row.php",
    'Orchard row "%s" has no pollinator within %d metres',
    error_class="PollinationException",
)
BEEHIVE = invented(
    74,
    "keepers/apiary",
    "hive/src/main/kotlin/org/keepers/Hive.kt",
    "Beehive $id swarmed during inspection; queen marker missing",
    error_class="SwarmException",
)
RUDDER = invented(
    75,
    "shipyard/helm-servo",
    "src/rudder.cpp",
    "rudder servo %d: commanded angle exceeds hard stop by %.1f degrees [RUD0042]",
    error_type=ErrorType.ERROR_CODE,
    error_code="RUD0042",
)
TELESCOPE = invented(
    76,
    "stargazers/mount",
    "lib/mount/tracker.ex",
    "telescope mount #{inspect(mount)} lost sidereal lock after meridian flip",
)
LANTERN = invented(
    77,
    "lamplighters/lantern",
    "Sources/Lantern/Wick.swift",
    "🔥 Lantern wick {id} burned below minimum safe length – relight refused",
)
LOOM = invented(
    78, "loomworks/weft", "lib/src/loom.dart", "Tried to weave a $kind strand into a loom that was already unthreaded"
)
GLAZE = invented(
    79,
    "potters/glazery",
    "glazery/firing.py",
    "Glaze batch {batch} cannot be fired: the kiln controller reported a thermocouple drift of {drift} K over the last "
    "{minutes} minutes, which is more than the recipe {recipe!r} allows. Recalibrate the probe, or pass "
    "allow_drift=True to fire the batch anyway and accept discoloured glaze.",
    error_class="DriftError",
)

KINDS: tuple[Record, ...] = (SLUICE, REEL, KILN, ORCHARD, BEEHIVE, RUDDER, TELESCOPE, LANTERN, LOOM, GLAZE)
