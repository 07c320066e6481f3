"""Lines of logs in which nothing went wrong, for what stands in the middle of them."""

from collections.abc import Iterator


def noise(count: int, start: int = 0) -> list[str]:
    """So many lines of a service's log; each has a number of its own, and none tells of an error."""
    return [_line(number) for number in range(start, start + count)]


def noise_bytes(size: int) -> Iterator[bytes]:
    """Pieces of such a log, together about so many bytes; never more than one of them in memory."""
    number = given = 0
    while given < size:
        piece = "".join(f"{line}\n" for line in noise(5_000, number)).encode()
        number += 5_000
        given += len(piece)
        yield piece


def _line(number: int) -> str:
    time = f"2026-11-30T{number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d}.{number % 997:03d}Z"
    return (
        f"{time} INFO worker-{number % 4} request {number:x} done in {number % 83} ms",
        f'{time} DEBUG [http-nio-8080-exec-{number % 9}] o.s.w.s.DispatcherServlet - GET "/orders/{number}"',
        f'10.0.0.{number % 255} - - [30/Nov/2026:10:00:00 +0000] "GET /app.{number}.js HTTP/1.1" 200 {number * 7}',
        f"[10:{number // 60 % 60:02d}:{number % 60:02d}] [Server thread/INFO]: Player{number % 7} joined the game",
        f'{{"level":"info","ts":{1_700_000_000 + number},"msg":"tick {number}","path":"/health"}}',
    )[number % 5]
