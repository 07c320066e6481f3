"""Whole answers as the edges ask for them, by a pattern and by the nearest records, and the search among the vectors."""

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from bot.assembly import Parts, assembled
from bot.indexing import INDEX_FOLDER
from bot.matching.reading import read
from bot.matching.verdict import Tier
from bot.pastes.paste import Paste
from bot.settings import load_settings
from bot.store.fact_source import StoredFacts
from embeddings.codes import codes_of
from embeddings.encoder import FloatMatrix
from embeddings.generations import VECTORS as VECTORS_FILE
from embeddings.generations import current_generation
from embeddings.index_files import OpenIndex, open_index
from embeddings.question_words import QuestionWords
from embeddings.sentence_encoder import SentenceEncoder
from embeddings.vector_index import VectorIndex
from tests.benchmarks.other_searches import NO_FAISS, Search, by_faiss, by_usearch
from tests.benchmarks.scale.aims import ANSWER_EXACT, ANSWER_NEAREST, VECTORS, WORDS
from tests.benchmarks.scale.catalogues import Place
from tests.benchmarks.scale.measured import Measured, spread, timed_ms
from tests.benchmarks.scale.pastes import SEED, SIZES, made, nearest_pastes
from tests.shared_data import shared_folder

ROUNDS = 3
PASTES = 80
CANDIDATES = 300  # a message with few words of its own is answered by no pattern
QUERIES = 60
K = 50  # what the nearest tier asks for
RECALL_AT = 10
NOISE = 0.02  # a coordinate's change in a vector of length 1: cosine about 0.93 to the original


class CountingEncoder(SentenceEncoder):
    """The shipped encoder, which counts the milliseconds it encodes."""

    spent_ms = 0.0

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        began = time.perf_counter()
        rows = super().encode(texts)
        self.spent_ms += (time.perf_counter() - began) * 1000
        return rows


@dataclass(frozen=True, slots=True)
class _Asked:
    """One paste: milliseconds of the whole answer, and of it the encoder's."""

    whole: float
    encoder: float
    by_pattern: bool


async def answer_rows(place: Place) -> list[Measured]:
    """Answers through `Answering`, as `assembled` puts it together, one at a time."""
    encoder = CountingEncoder()
    async with assembled(load_settings(data_dir=place.folder), encoder=encoder) as parts:
        await parts.answering.warm()
        messages = [one.message async for one in StoredFacts(parts.database).all_facts()]
        answered = await _answered(parts, encoder, made(messages, SIZES["4 KB"], CANDIDATES))
        exact = await _rounds(parts, encoder, answered)
        told = nearest_pastes(shared_folder() / "eval/pastes.jsonl", PASTES)
        nearest = await _rounds(parts, encoder, told)
        status = await parts.answering.status()
    beyond = [[one.whole - one.encoder for one in some if one.encoder] for some in nearest]
    alone = _encoder_alone(encoder, told)
    remarks = () if status.degraded is None else (f"measured without the model: {status.degraded}",)
    found = [
        Measured(
            ANSWER_EXACT,
            spread([[one.whole for one in some] for some in exact]),
            remarks=(f"{len(answered)} pastes a pattern answers, of {CANDIDATES} at most that were tried",),
        )
    ]
    if any(beyond[0]):
        found.append(Measured(ANSWER_NEAREST, spread(beyond), remarks=remarks))
        found.append(Measured("the encoder alone, same texts", alone, beside=ANSWER_NEAREST))
    return found


async def _answered(parts: Parts, encoder: CountingEncoder, texts: Sequence[str]) -> list[str]:
    """The first of these pastes that the pattern tier answers alone."""
    found: list[str] = []
    for text in texts:
        asked = await _asked(parts, encoder, text)
        if asked.by_pattern and not asked.encoder:
            found.append(text)
        if len(found) == PASTES:
            break
    return found


async def _rounds(parts: Parts, encoder: CountingEncoder, texts: Sequence[str]) -> list[list[_Asked]]:
    """Rounds of all texts, after one that does not count."""
    return [[await _asked(parts, encoder, text) for text in texts] for _ in range(ROUNDS + 1)][1:]


async def _asked(parts: Parts, encoder: CountingEncoder, text: str) -> _Asked:
    before, began = encoder.spent_ms, time.perf_counter()
    verdict = await parts.answering.explain(Paste.of_text(text))
    whole = (time.perf_counter() - began) * 1000
    by_pattern = verdict.best is not None and verdict.best.tier is Tier.PATTERN
    return _Asked(whole, encoder.spent_ms - before, by_pattern)


def _encoder_alone(encoder: SentenceEncoder, texts: Sequence[str]) -> dict[str, float]:
    queries = [some for text in texts if (some := read(Paste.of_text(text)).queries())]
    encoder.encode(queries[0])
    return spread([[timed_ms(partial(encoder.encode, some))[0] for some in queries] for _ in range(ROUNDS)])


async def vector_rows(place: Place) -> list[Measured]:
    """One query at a time over the vectors that serve, by the way the index chose for its size, beside numpy."""
    folder = place.folder / INDEX_FOLDER
    index = open_index(folder, SentenceEncoder())
    vectors: FloatMatrix = np.load(current_generation(folder) / VECTORS_FILE, mmap_mode="r")
    if index.vectors is None or len(vectors) == 0:
        return []
    random = np.random.default_rng(SEED)
    some = np.sort(random.choice(len(vectors), min(QUERIES, len(vectors)), replace=False))
    noisy = np.asarray(vectors[some]) + np.float32(NOISE) * random.standard_normal(
        (len(some), vectors.shape[1])
    ).astype(np.float32)
    queries: FloatMatrix = noisy / np.linalg.norm(noisy, axis=1, keepdims=True)
    rounds = [await _searched(index.vectors, queries) for _ in range(ROUNDS + 1)][1:]
    in_memory = np.array(vectors)

    def by_numpy(query: FloatMatrix) -> FloatMatrix:
        similarity: FloatMatrix = in_memory @ query
        return similarity[np.argpartition(-similarity, min(K, len(similarity) - 1))[:K]]

    numpy_rounds = _rounds_of(lambda query: by_numpy(query[0]), queries)
    found = await index.vectors.search(queries, RECALL_AT)
    tenth = [np.sort(by_numpy(query))[::-1][:RECALL_AT][-1] for query in queries]
    # What is as near as the tenth nearest counts as found: equal ones may stand in any order. The index rounds.
    recall = statistics.mean(
        min(1.0, sum(one.similarity >= least - 1e-5 for one in row) / RECALL_AT)
        for row, least in zip(found, tenth, strict=True)
    )
    codes = codes_of(in_memory)
    what = f"{len(vectors):,} different texts, by {type(index.vectors).__name__}"
    return [
        Measured(VECTORS, spread(rounds) | {"recall": recall}, remarks=(what,)),
        Measured("numpy float32", spread(numpy_rounds), beside=VECTORS),
        Measured("usearch exact, the same codes", spread(_rounds_of(by_usearch(codes, K), queries)), beside=VECTORS),
        *_by_faiss(in_memory, queries),
        Measured(
            WORDS, spread(_words_rounds(index)), remarks=("a development paste in words against all three facets",)
        ),
    ]


def _by_faiss(vectors: FloatMatrix, queries: FloatMatrix) -> list[Measured]:
    search = by_faiss(vectors, K)
    if search is None:
        return [Measured("faiss flat", {}, unit="not measured", beside=VECTORS, remarks=(NO_FAISS,))]
    return [Measured("faiss flat", spread(_rounds_of(search, queries)), beside=VECTORS)]


def _rounds_of(search: Search, queries: FloatMatrix) -> list[list[float]]:
    """One query at a time, after a round that does not count."""
    return [
        [timed_ms(partial(search, queries[number : number + 1]))[0] for number in range(len(queries))]
        for _ in range(ROUNDS + 1)
    ][1:]


def _words_rounds(index: OpenIndex) -> list[list[float]]:
    texts = nearest_pastes(shared_folder() / "eval/pastes.jsonl", QUERIES)
    return [
        [timed_ms(partial(QuestionWords, index.lexical, [text], K, None))[0] for text in texts]
        for _ in range(ROUNDS + 1)
    ][1:]


async def _searched(vectors: VectorIndex, queries: FloatMatrix) -> list[float]:
    times = []
    for number in range(len(queries)):
        began = time.perf_counter()
        await vectors.search(queries[number : number + 1], K)
        times.append((time.perf_counter() - began) * 1000)
    return times
