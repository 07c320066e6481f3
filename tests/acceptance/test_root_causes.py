"""B11: chained errors, through the whole pipeline with patterns alone."""

import pytest

from bot.answering import Answering
from tests.acceptance import invented
from tests.acceptance.pipeline import found_first, seen

WRAPPED, CAUSE = invented.WRAPPER, invented.ROOT
_WRAPPER_SAYS = "Could not begin dive plan for submersible Nautilus"
_CAUSE_SAYS = "Ballast tank sensor reports negative displacement"
CHAINS = {
    "java": (
        f'Exception in thread "main" org.abyss.DivePlanException: {_WRAPPER_SAYS}\n\tat org.abyss.Dive.begin(Dive.java:20)\n'
        f"\tat org.abyss.Main.main(Main.java:5)\nCaused by: org.ballast.BallastException: {_CAUSE_SAYS}\n"
        "\tat org.ballast.Tank.read(Tank.java:21)\n\t... 2 more"
    ),
    "java, cause without file": (
        f'Exception in thread "main" org.abyss.DivePlanException: {_WRAPPER_SAYS}\n\tat org.abyss.Dive.begin(Dive.java:20)\n'
        f"Caused by: java.lang.IllegalStateException: {_CAUSE_SAYS}\n\t... 2 more"
    ),
    "java, three deep": (
        f"java.lang.RuntimeException: startup\n\tat org.acme.A.a(A.java:1)\nCaused by: org.abyss.DivePlanException: {_WRAPPER_SAYS}\n"
        f"\tat org.abyss.Dive.begin(Dive.java:20)\nCaused by: org.ballast.BallastException: {_CAUSE_SAYS}\n\t... 9 more"
    ),
    "anyhow": f"Error: {_WRAPPER_SAYS}\n\nCaused by:\n    0: the tank is odd\n    1: {_CAUSE_SAYS}",
    "python, direct cause": (
        'Traceback (most recent call last):\n  File "a.py", line 3, in a\n'
        f"BallastException: {_CAUSE_SAYS}\n\nThe above exception was the direct cause of the following exception:\n\n"
        f'Traceback (most recent call last):\n  File "a.py", line 9, in b\nDivePlanException: {_WRAPPER_SAYS}'
    ),
    ".NET": (
        f"Unhandled exception. Abyss.DivePlanException: {_WRAPPER_SAYS}\n ---> Ballast.BallastException: {_CAUSE_SAYS}\n"
        "   at Ballast.Tank.Read() in /src/Tank.cs:line 21\n   --- End of inner exception stack trace ---"
    ),
    "javascript": (
        f"Error: {_WRAPPER_SAYS}\n    at begin (/app/dive.js:3:9) {{\n  [cause]: Error: {_CAUSE_SAYS}\n      at read (/app/tank.js:9:1)\n}}"
    ),
    "python, exception group": (
        f'  + Exception Group Traceback (most recent call last):\n  |   File "a.py", line 3, in a\n  | ExceptionGroup: {_WRAPPER_SAYS} (1 sub-exception)\n'
        f"  +-+---------------- 1 ----------------\n    | BallastException: {_CAUSE_SAYS}\n    +------------------------------------"
    ),
}


@pytest.mark.parametrize("chain", CHAINS.values(), ids=list(CHAINS))
async def test_b11_every_link_of_a_chain_is_offered_and_the_root_wins(answering: Answering, chain: str) -> None:
    """B11: both links are known; the root cause is first, the wrapper is among the further ones."""
    verdict = await seen(answering, chain)

    assert {WRAPPED.id, CAUSE.id} <= {match.record_id for match in verdict.matches}
    assert found_first(verdict, CAUSE)
    assert verdict.shown


async def test_b11_during_handling_offers_both(answering: Answering) -> None:
    """B11: where Python prints what happened while another was handled, both are offered."""
    text = (
        f'Traceback (most recent call last):\n  File "a.py", line 3, in a\nBallastException: {_CAUSE_SAYS}\n\n'
        "During handling of the above exception, another exception occurred:\n\n"
        f'Traceback (most recent call last):\n  File "a.py", line 9, in b\nDivePlanException: {_WRAPPER_SAYS}'
    )

    verdict = await seen(answering, text)

    assert {WRAPPED.id, CAUSE.id} <= {match.record_id for match in verdict.matches}
