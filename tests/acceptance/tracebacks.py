"""Stacks of 300 frames as each language prints them, with the message where that language has it."""

from collections.abc import Callable, Iterator

FRAMES = 300


def _frames(form: str) -> Iterator[str]:
    return (form.format(n=number, line=number + 3) for number in range(FRAMES))


def _stack(head: str, form: str) -> Callable[[str], str]:
    """The message first, in `head`, and the frames behind it."""
    return lambda text: "\n".join([head.replace("<text>", text), *_frames(form)])


def _python(text: str) -> str:
    frames = _frames('  File "/app/step_{n}.py", line {line}, in step_{n}\n    return next_step({n})')
    return "\n".join(["Traceback (most recent call last):", *frames, text])


TRACEBACKS: dict[str, Callable[[str], str]] = {
    "python": _python,
    "java": _stack('Exception in thread "main" <text>', "\tat org.acme.steps.Step{n}.run(Step{n}.java:{line})"),
    "javascript": _stack("Uncaught <text>", "    at step{n} (/app/src/step{n}.js:{line}:9)"),
    "go": _stack("panic: <text>\n\ngoroutine 1 [running]:", "main.step{n}(...)\n\t/app/step{n}.go:{line} +0x1d"),
    "rust": _stack(
        "thread 'main' panicked at src/main.rs:7:9:\n<text>\nstack backtrace:",
        "{n:4}: app::step_{n}\n             at ./src/step_{n}.rs:{line}:9",
    ),
    "dotnet": _stack("Unhandled exception. <text>", "   at Acme.Step{n}.Run() in /app/Step{n}.cs:line {line}"),
    "ruby": _stack("/app/main.rb:7:in `run': <text>", "\tfrom /app/step_{n}.rb:{line}:in `step_{n}'"),
    "php": _stack(
        "PHP Fatal error:  Uncaught <text> in /app/row.php:7\nStack trace:", "#{n} /app/step{n}.php({line}): step_{n}()"
    ),
    "elixir": _stack("** (RuntimeError) <text>", "    (app 0.1.0) lib/step_{n}.ex:{line}: App.Step{n}.run/1"),
    "c++": _stack(
        "terminate called after throwing an instance of 'std::runtime_error'\n  what():  <text>\nAborted (core dumped)",
        "#{n}  0x00005581c0d{n:05} in step_{n} () at /app/step_{n}.cpp:{line}",
    ),
    "swift": _stack(
        "app/main.swift:7: Fatal error: <text>", "{n} app 0x00000001000{n:05} step{n}() + 12 at /app/S{n}.swift:{line}"
    ),
    "dart": _stack("Unhandled exception:\n<text>", "#{n}      step{n} (package:app/step{n}.dart:{line}:9)"),
}
