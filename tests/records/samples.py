"""Records to change in tests, small enough to read by eye."""

FULL_RECORD: dict[str, object] = {
    "id": "48d4adaa22bdcf4f",
    "repo": "tracel-ai/burn",
    "slug": "gradient-sync-server-disconnected",
    "errorCode": "E0001",
    "errorMessage": "Gradient sync server {name} disconnected.",
    "messagePattern": "Gradient sync server (.+?) disconnected\\.",
    "errorType": "panic",
    "errorClass": "SyncError",
    "httpStatus": 503,
    "severity": "error",
    "filePath": "crates/client.rs",
    "lineNumber": 34,
    "sourceCode": "let x = 1;",
    "sourceCodeStart": 16,
    "sourceCodeEnd": 52,
    "githubUrl": "https://github.com/tracel-ai/burn/blob/d16f7ba2ed0d41408189384044cc886fb4c8f957/crates/client.rs#L16-L52",
    "documentation": "The worker lost its channel.",
    "triggerScenarios": "Shutdown.",
    "commonSituations": "",
    "solutions": ["Close first.", "Wait for the worker."],
    "exampleFix": "client.close();",
    "handlingStrategy": "try-catch",
    "validationCode": None,
    "typeGuard": None,
    "tryCatchPattern": "catch_unwind(|| run())",
    "preventionTips": ["Order the teardown."],
    "tags": ["panic", "shutdown"],
    "backgroundTag": None,
    "analyzedSha": "d16f7ba2ed0d41408189384044cc886fb4c8f957",
    "analyzedAt": "2026-09-05T13:19:14.260Z",
    "contentChangedAt": "2026-09-06T00:00:00Z",
    "schemaVersion": 2,
}

NULLABLE = (
    "errorCode", "errorClass", "httpStatus", "filePath", "lineNumber", "sourceCode", "sourceCodeStart",
    "sourceCodeEnd", "exampleFix", "handlingStrategy", "validationCode", "typeGuard", "tryCatchPattern",
    "backgroundTag", "contentChangedAt",
)  # fmt: skip


def record_with(**changes: object) -> dict[str, object]:
    """The full record with some fields changed."""
    return FULL_RECORD | changes
