"""The seed records as values, shortened by hand, for tests that need an entry and no decoder."""

from datetime import UTC, date, datetime

from bot.matching.verdict import Because, Capture, Match, Quote, Reason, Tier, Verdict
from bot.records.article import Article, Cause
from bot.records.page import Page
from bot.records.record import ErrorType, HandlingStrategy, Record, Severity

COMMIT = "d16f7ba2ed0d41408189384044cc886fb4c8f957"

GRADIENT_SYNC = Record(
    id="48d4adaa22bdcf4f",
    repo="tracel-ai/burn",
    slug="gradient-sync-server-disconnected",
    error_message="Gradient sync server disconnected.",
    message_pattern=r"Gradient sync server disconnected\.",
    error_type=ErrorType.PANIC,
    severity=Severity.ERROR,
    file_path="crates/burn-backend/src/backend/distributed/client.rs",
    line_number=34,
    source_code=(
        "        let mut server = DistributedSyncServer::new(num_devices, config);\n"
        "        spawn(move || {\n"
        "            while let ActionMessage::Message(msg) =\n"
        '                rx.recv().expect("Gradient sync server disconnected.")\n'
        "            {\n"
        "                server.process_message(msg)\n"
        "            }\n"
        "        });\n"
    ),
    source_code_start=28,
    source_code_end=36,
    github_url=(
        f"https://github.com/tracel-ai/burn/blob/{COMMIT}/crates/burn-backend/src/backend/distributed/client.rs#L16-L52"
    ),
    documentation=(
        'This is a panic from `.expect("Gradient sync server disconnected.")` on `rx.recv()` inside the background '
        "worker thread spawned by the distributed gradient-sync client. It fires when the mpsc channel's receiving side "
        "is dropped/closed while the server loop is still waiting for messages, i.e. the sync server thread lost its "
        "message source. It indicates the distributed synchronization infrastructure has broken down."
    ),
    trigger_scenarios="The receiver `rx` is dropped while the spawned thread is blocked in `rx.recv()`.",
    common_situations="Shutting down a distributed run where teardown order drops the receiver before the worker exits.",
    solutions=(
        "Ensure graceful shutdown: send ActionMessage::Close() before dropping the channel (client.close() does this).",
        "Check teardown ordering so the server thread is joined/closed before the receiver is dropped.",
        "Verify all participating devices use the same burn version and DistributedConfig so no side dies mid-run.",
        "Inspect earlier panics in the worker thread — a preceding panic often causes the channel teardown.",
    ),
    example_fix=(
        "// before\n// dropping client without closing\nlet client = GradientSyncClient::new(n, config);\n"
        "drop(client);\n// after\nlet client = GradientSyncClient::new(n, config);\n"
        "client.close(); // sends ActionMessage::Close, then drop safely"
    ),
    handling_strategy=HandlingStrategy.TRY_CATCH,
    try_catch_pattern=(
        "// wrap worker loop so disconnect is reported, not panicked\nmatch rx.recv() {\n"
        "    Ok(ActionMessage::Message(msg)) => server.process_message(msg),\n"
        "    Ok(ActionMessage::Close()) | Err(_) => break,\n}"
    ),
    prevention_tips=(
        "Always call client.close() before dropping the sync client.",
        "Keep all ranks alive for the duration of the distributed run.",
    ),
    tags=("distributed", "channels", "panic", "shutdown"),
    background_tag="channel-disconnected-panic",
    analyzed_sha=COMMIT,
    analyzed_at=datetime(2026, 9, 5, 13, 19, 14, tzinfo=UTC),
)

SERVER_DISCONNECTED = Page(
    id="4df974a0eb9a8beb",
    repo="tracel-ai/burn",
    severity=Severity.CRITICAL,
    title="Server disconnected during initialization",
    error_message="Server disconnected during initialization",
    message_pattern="Server disconnected during initialization",
    documentation=(
        "During session init the client sends `RemoteMessage::Init` on the request stream and waits for one message on "
        "the response stream. `response.recv()` returns `Ok(None)` when the stream was closed by the peer without "
        "delivering a message; this expect turns that into a panic. It means the server accepted the connection but "
        "terminated the response stream before answering the handshake."
    ),
    file_path="crates/burn-remote/src/client/service.rs",
    line_number=179,
    solutions=(
        "Check the server is running and inspect its logs for a crash or rejection at handshake time.",
        "Verify the server address/port passed to the RemoteEndpoint points at a burn-remote server of that version.",
        "Confirm the authorization token in the endpoint matches the server's configured token.",
        "Add network-level checks: keepalives/firewall rules/proxy timeouts so the stream is not closed during setup.",
        "Retry connecting — transient server restarts produce exactly this one-shot failure.",
    ),
    trigger_scenarios="The burn-remote server process crashes or exits before replying to the Init message.",
    common_situations="Server deployed with a wrong authorization token; connecting to the wrong host/port.",
    related_errors=("Can deserialize init handshake payload", "Failed to close WebSocket stream"),
    analyzed_sha="d16f7ba2ed",
    analyzed_on=date(2026, 9, 5),
)

EXACT = Verdict(
    matches=(
        Match(
            SERVER_DISCONNECTED.id,
            Tier.PATTERN,
            0.99,
            (
                Reason(Because.WHOLE_LINE),
                Reason(Because.LINE_NAMED, "crates/burn-remote/src/client/service.rs:179"),
                Reason(Because.PACKAGE, "burn"),
            ),
            Quote(
                "thread 'main' panicked at crates/burn-remote/src/client/service.rs:179:18: "
                "Server disconnected during initialization",
                0,
                12,
            ),
        ),
        Match(GRADIENT_SYNC.id, Tier.NEAREST, 0.41, (Reason(Because.WORDS_SHARED, number=47),)),
    ),
    others=(
        Match("c680d5d5ffa880ce", Tier.PATTERN, 0.97, (Reason(Because.IN_TEXT),)),
        Match("a120b3c55ead9138", Tier.PATTERN, 0.9, (Reason(Because.IN_TEXT),)),
    ),
    is_error=True,
    why_error="a panic",
    shown=True,
)

GUESS = Verdict(
    matches=(
        Match(
            GRADIENT_SYNC.id,
            Tier.NEAREST,
            0.63,
            (Reason(Because.CLOSE, "trigger"), Reason(Because.WORDS_SHARED, number=76)),
        ),
        Match(SERVER_DISCONNECTED.id, Tier.NEAREST, 0.22, (Reason(Because.NEAREST, "message"),)),
    ),
    others=(),
    is_error=True,
    why_error="words of failure",
    shown=False,
)

CAPTURED = Verdict(
    matches=(
        Match(
            GRADIENT_SYNC.id,
            Tier.PATTERN,
            0.98,
            (),
            Quote("Gradient sync server disconnected.", 0, 1),
            (Capture("{address}", "10.1.2.3:9000"), Capture("{err:?}", "`**@everyone**` [x](https://evil.example)")),
        ),
    ),
    others=(),
    is_error=True,
    why_error="a panic",
    shown=True,
)

CHANNEL_CLOSED = Article(
    slug="channel-closed",
    cluster_key="channel-closed",
    title="Channels whose other end is gone",
    summary="One end of a channel waits for the other, which was dropped. It is the second symptom, seldom the cause.",
    background="Channels connect threads and tasks.",
    common_causes=(
        Cause("The other thread panicked", "Its half is dropped while its stack unwinds."),
        Cause("Teardown in the wrong order", ""),
        Cause("The runtime shut down", "`Runtime::drop` cancels tasks."),
        Cause("A fourth cause", "which is left to the article."),
    ),
    fixes=("Read the first panic of the log, not the last.", "Close before you drop."),
)
