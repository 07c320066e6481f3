"""Reads text from pictures, in a process of its own: `python -m bot.sources.picture_worker`.

A request on standard input is a length of four bytes, most significant first, and so many bytes of a picture file. The
answer on standard output is a length and a JSON object: {"pieces": [[text, confidence, left, top, right, bottom], …]},
{"skipped": "…"} with a reason of `Skipped`, or {"failed": "…"} with what went wrong in the program, without anything
of the picture. It ends when standard input does.

Pictures come from strangers, so this process has no token, no way to the network and no more memory than it needs, and
its parent ends it when it takes too long.
"""

import contextlib
import io
import json
import os
import struct
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from bot.pastes.paste import Skipped

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Engine = Callable[["npt.NDArray[np.uint8]"], list[list[Any]]]

# A screen of 3,840 by 2,160 has 8.3 million; reading one takes 10 s on two busy cores and 530 MB.
MOST_PIXELS = 9_000_000
_FORMS = ("PNG", "JPEG", "WEBP", "GIF")
# Detection looks at no more than so many pixels a side. With 736 upwards from the shorter side, as the engine would, a
# window of five lines is blown up to 2,000 pixels: three times the time, and no line more is found.
_DETECTION_SIDE = 1280
# The engine reads crops in batches padded to the longest; one by one they take a third of the time and of the memory.
_CROPS_AT_ONCE = 1
_THREADS = 2
# 530 MB is the most that was seen; what needs three times that is no screenshot.
_MOST_MEMORY = 1536 * 2**20
# Answering people comes first.
_NICE = 5
_HEAD = struct.Struct(">I")
_NETWORK = ("socket.", "urllib.", "http.", "ftplib.", "smtplib.")
_PROGRAMS = ("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "pty.")


def main() -> None:
    """Answer requests until standard input ends."""
    requests, answers = sys.stdin.buffer, _own_output()
    _limit_itself()
    engine: Engine | None = None
    while (data := _request(requests)) is not None:
        try:
            engine = engine or _engine()
            answer = _answer(data, engine)
        except Exception as error:  # noqa: BLE001  # whatever a picture does to the libraries, the parent is told
            answer = {"failed": _told(error)}
        document = json.dumps(answer).encode()
        answers.write(_HEAD.pack(len(document)) + document)
        answers.flush()


def _own_output() -> BinaryIO:
    """Standard output for answers alone: what libraries print goes where errors go."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _limit_itself() -> None:
    sys.addaudithook(_refuse)
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):  # not on Windows, not on every Unix
        import resource  # noqa: PLC0415  # see above

        # Address space is no measure: the engine's libraries reserve gigabytes that they never touch.
        resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, _MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        os.nice(_NICE)


def _refuse(event: str, _arguments: tuple[Any, ...]) -> None:
    """No connection and no other program; the models are in the package, so nothing has a reason to try."""
    if event.startswith(_PROGRAMS) or (event.startswith(_NETWORK) and event != "socket.gethostname"):
        raise PermissionError(f"{event} is not allowed here")


def _engine() -> "Engine":
    import numpy as np  # noqa: PLC0415  # half a second that only this process spends
    from rapidocr import RapidOCR  # noqa: PLC0415

    read = RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.use_cls": False,  # screenshots are upright
            "Global.text_score": 0.0,  # what is too unsure is decided in bot.pastes.pictures
            "Global.max_side_len": 4096,
            "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            "Det.limit_type": "max",
            "Det.limit_side_len": _DETECTION_SIDE,
            "Rec.rec_batch_num": _CROPS_AT_ONCE,
        }
    )

    def pieces(pixels: "npt.NDArray[np.uint8]") -> list[list[Any]]:
        found: Any = read(pixels)  # its type is that of whatever was asked for
        if found.boxes is None:
            return []
        corners = [(*np.min(box, axis=0), *np.max(box, axis=0)) for box in found.boxes]
        return [
            [text, float(confidence), *map(float, box)]
            for text, confidence, box in zip(found.txts, found.scores, corners, strict=True)
        ]

    return pieces


def _request(stream: BinaryIO) -> bytes | None:
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    (length,) = _HEAD.unpack(head)
    return stream.read(length)


def _answer(data: bytes, engine: "Engine") -> dict[str, Any]:
    pixels = _pixels(data)
    return {"skipped": pixels.value} if isinstance(pixels, Skipped) else {"pieces": engine(pixels)}


def _pixels(data: bytes) -> "npt.NDArray[np.uint8] | Skipped":
    """The first frame as rows of blue, green and red, upright and opaque; what it claims to hold is looked at first."""
    import numpy as np  # noqa: PLC0415
    from PIL import Image, ImageOps  # noqa: PLC0415

    Image.MAX_IMAGE_PIXELS = MOST_PIXELS  # for what asks Pillow again; its own check only warns up to twice that
    try:
        with Image.open(io.BytesIO(data), formats=_FORMS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                return Skipped.TOO_BIG
            upright = ImageOps.exif_transpose(picture)
            opaque = Image.new("RGBA", upright.size, "white")
            opaque.alpha_composite(upright.convert("RGBA"))
    except Image.DecompressionBombError:
        return Skipped.TOO_BIG
    except (OSError, ValueError, SyntaxError, struct.error, IndexError, EOFError, OverflowError):
        # What Pillow raises for files that are not what they say.
        return Skipped.DAMAGED
    return np.ascontiguousarray(np.asarray(opaque.convert("RGB"))[:, :, ::-1])


def _told(error: Exception) -> str:
    """The kind of an error and its places; its words may hold something of the picture."""
    places: Sequence[str] = [f"{at.filename}:{at.lineno}" for at in traceback.extract_tb(error.__traceback__)]
    return f"{type(error).__name__} at {' < '.join(reversed(places))}"


if __name__ == "__main__":
    main()
