"""The shipped encoder, computing in a process of its own.

The model takes Python's interpreter lock hundreds of times a question. In the process that answers, everything else
would wait for it and it for everything else, on however many cores: with 153,003 records and 50 messages a second the
slowest hundredth of the answers took 2.0 s, and takes 0.2 s so. And a model that is killed for its memory leaves the
bot alive.
"""

import contextlib
import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

import numpy as np

from embeddings.encoder import FloatMatrix
from embeddings.encoder_worker import ANSWER, REQUEST, UNAVAILABLE
from embeddings.errors import EncoderUnavailable
from embeddings.sentence_encoder import DIM, MAX_TOKENS, SentenceEncoder

log = logging.getLogger(__name__)

WORKER: Final = (sys.executable, "-m", "embeddings.encoder_worker")
ATTEMPTS: Final = 2  # a process that was killed is started once more for the same texts
# Loading takes 3 to 8 s, 256 texts where bfloat16 is emulated 15: what takes as long as this hangs.
ANSWER_SECONDS: Final = 120.0
# glibc keeps freed blocks for later; those that loading leaves behind are large and would never be used again.
_ALLOCATOR: Final = {"MALLOC_MMAP_THRESHOLD_": str(4 << 20), "MALLOC_TRIM_THRESHOLD_": str(4 << 20)}
_STOP_SECONDS: Final = 2.0
_LOOK_SECONDS: Final = 0.02


class EncoderProcess:
    """As `SentenceEncoder`, with the same vectors. The process is started by the first `encode`, and kept.

    Safe to call from several threads, which take turns. A process that ends is started again by the next question, and
    one that does not answer is ended.
    """

    def __init__(
        self,
        max_tokens: int = MAX_TOKENS,
        *,
        worker: Sequence[str] = WORKER,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        """Remember what to start. worker: the command, which is given `max_tokens` as its last argument."""
        self._answer_seconds = answer_seconds
        self._identity = SentenceEncoder(max_tokens)  # loads nothing
        self._command = (*worker, str(max_tokens))
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = threading.Lock()
        self._closed = False

    @property
    def name(self) -> str:
        """The model's name."""
        return self._identity.name

    @property
    def revision(self) -> str:
        """That of `SentenceEncoder`: where it computes changes no vector."""
        return self._identity.revision

    @property
    def dim(self) -> int:
        """Always 384."""
        return DIM

    @property
    def process_id(self) -> int | None:
        """The process that encodes, while there is one."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """Return one unit row for each text; see `Encoder.encode`.

        Raises EncoderUnavailable where the model cannot be loaded, or its process ends however often it is started.
        """
        if not texts:
            return np.empty((0, DIM), dtype=np.float32)
        request = json.dumps(list(texts)).encode("ascii")
        with self._turn:
            for _ in range(ATTEMPTS):
                if self._closed:
                    raise EncoderUnavailable(self.name, "its process was ended")
                try:
                    return self._asked(request, len(texts))
                except EncoderUnavailable:
                    self._end()  # what cannot load its model is not kept
                    raise
                except (OSError, EOFError) as why:
                    ended = self._end() or why
                    if not self._closed:
                        log.warning("the encoder's process ended without an answer (%s)", ended)
        raise EncoderUnavailable(self.name, "its process ends before it answers")

    def close(self) -> None:
        """End the process, whatever it does; from now on there is none, and whoever asks gets EncoderUnavailable."""
        self._closed = True
        while not self._turn.acquire(timeout=_LOOK_SECONDS):
            process = self._process
            if process is not None:
                process.kill()  # whoever waits for its answer is told so, and gives the turn away
        try:
            if self._process is not None:
                self._process.kill()
            self._end()
        finally:
            self._turn.release()

    def _asked(self, request: bytes, count: int) -> FloatMatrix:
        process = self._running()
        assert process.stdin is not None  # both are pipes
        assert process.stdout is not None
        watchdog = threading.Timer(self._answer_seconds, process.kill)
        watchdog.start()
        try:
            process.stdin.write(REQUEST.pack(len(request)) + request)
            process.stdin.flush()
            kind, length = ANSWER.unpack(_exactly(process.stdout, ANSWER.size))
            body = _exactly(process.stdout, length)
        finally:
            watchdog.cancel()
        if kind == UNAVAILABLE:
            raise EncoderUnavailable(self.name, body.decode("utf-8", "replace"))
        return np.frombuffer(body, dtype="<f4").reshape(count, DIM).astype(np.float32)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603  # our own module under our own interpreter
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                # Ctrl-C is for the bot, which ends this one. Windows knows no such groups.
                process_group=0 if os.name == "posix" else None,
            )
        return self._process

    def _end(self) -> str:
        """No process is left; what is returned says how it ended, if it ended by itself."""
        process, self._process = self._process, None
        if process is None:
            return ""
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):  # a request that nobody has read
                    stream.close()
        try:
            return f"exit code {process.wait(timeout=_STOP_SECONDS)}"  # it ends when its standard input does
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return ""


def _exactly(stream: IO[bytes], length: int) -> bytes:
    read = stream.read(length)
    if len(read) < length:
        raise EOFError("its answer ends early")
    return read


def _environment() -> dict[str, str]:
    """What the process is given: settings of libraries, and none of the bot's, which hold its token."""
    passed = {name: value for name, value in os.environ.items() if not name.startswith("ERRATA_")}
    path = [str(Path(__file__).parents[1]), *filter(None, [passed.get("PYTHONPATH")])]
    return {**_ALLOCATOR, **passed, "PYTHONPATH": os.pathsep.join(path)}
