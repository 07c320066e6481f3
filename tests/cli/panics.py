"""What the seeds' programs print."""

SERVER_DISCONNECTED = "4df974a0eb9a8beb"
GRADIENT_SYNC = "48d4adaa22bdcf4f"
BIND_ENDPOINT = "c680d5d5ffa880ce"

# The new header of Rust's panics and the old one, with and without the error behind the message.
PANICS = {
    SERVER_DISCONNECTED: (
        "thread 'main' panicked at crates/burn-remote/src/client/service.rs:179:18:\n"
        "Server disconnected during initialization\n"
        "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace"
    ),
    GRADIENT_SYNC: (
        "thread '<unnamed>' panicked at 'Gradient sync server disconnected.: RecvError', "
        "crates/burn-backend/src/backend/distributed/client.rs:34:27"
    ),
    BIND_ENDPOINT: (
        "thread 'tokio-runtime-worker' panicked at crates/burn-remote/src/server/service.rs:61:14:\n"
        'Can bind the Burn Remote server endpoint: Err(BindError { source: Os { code: 98, message: "in use" } })'
    ),
}


def in_a_log(text: str, lines: int = 200) -> str:
    """The text in the middle of so many lines of a log that has nothing to do with it."""
    around = [
        f"2026-11-30T09:{number // 60:02}:{number % 60:02}Z  INFO trainer::epoch: step {number} loss 0.{number:03} ok"
        for number in range(lines)
    ]
    return "\n".join((*around[: lines // 2], text, *around[lines // 2 :]))
