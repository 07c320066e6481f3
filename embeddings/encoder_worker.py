"""The model in a process of its own: `python -m embeddings.encoder_worker`, started by `EncoderProcess`.

A request on standard input is a length of four bytes, most significant first, and a JSON list of so many bytes that
holds the texts. The answer on standard output is a byte that says what follows, a length and so many bytes: VECTORS and
the rows in little-endian float32, or UNAVAILABLE and the reason in UTF-8. It ends when standard input does.

sentence-transformers imports scikit-learn, and with it SciPy, for training and for measuring models. Nothing here asks
them anything, so they are not loaded: 75 MB less, of 500.
"""

import json
import os
import struct
import sys
import traceback
from typing import BinaryIO, Final

import numpy as np

from embeddings.deferred_imports import DeferredImports
from embeddings.encoder import Encoder
from embeddings.errors import EncoderUnavailable
from embeddings.sentence_encoder import SentenceEncoder

REQUEST: Final = struct.Struct(">I")
ANSWER: Final = struct.Struct(">cI")
VECTORS: Final = b"v"
UNAVAILABLE: Final = b"u"
EVERYTHING: Final = "everything"
NEVER_ASKED: Final = ("scipy", "sklearn")


def main() -> None:
    """Answer with the shipped encoder.

    Arguments: how many word pieces of a text are read, and EVERYTHING where nothing is to be left out.
    """
    encoder, answers = SentenceEncoder(int(sys.argv[1])), own_output()
    if EVERYTHING not in sys.argv:
        DeferredImports(NEVER_ASKED).put_in_place()
        try:
            encoder.encode(["loads the model"])
        except Exception:  # noqa: BLE001  # whatever other releases of these libraries do without them
            os.dup2(answers.fileno(), 1)
            anew = [sys.executable, "-m", "embeddings.encoder_worker", sys.argv[1], EVERYTHING]
            os.execv(sys.executable, anew)  # noqa: S606  # our own module under our own interpreter
    answer_all(encoder, sys.stdin.buffer, answers)


def answer_all(encoder: Encoder, requests: BinaryIO, answers: BinaryIO) -> None:
    """Every request is answered, until there are no more."""
    while len(head := requests.read(REQUEST.size)) == REQUEST.size:
        kind, body = _answer(encoder, json.loads(requests.read(*REQUEST.unpack(head))))
        answers.write(ANSWER.pack(kind, len(body)) + body)
        answers.flush()


def own_output() -> BinaryIO:
    """Standard output for answers alone: what libraries print goes where errors go."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _answer(encoder: Encoder, texts: list[str]) -> tuple[bytes, bytes]:
    try:
        return VECTORS, np.ascontiguousarray(encoder.encode(texts), dtype="<f4").tobytes()
    except EncoderUnavailable as why:
        return UNAVAILABLE, why.reason.encode("utf-8", "replace")
    except Exception as error:  # noqa: BLE001  # whatever the libraries raise, the parent is told
        return UNAVAILABLE, _told(error).encode("utf-8", "replace")


def _told(error: Exception) -> str:
    """The kind of an error and its place; its words may hold something of the texts."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"its process failed with {type(error).__name__} at {place.filename}:{place.lineno}"


if __name__ == "__main__":
    main()
