"""Fingerprints of texts and records."""

from hypothesis import given
from hypothesis import strategies as st

from embeddings.passage import FACETS, HASH_BYTES, Facet, Passage, content_hash, record_fingerprint

TEXTS = st.dictionaries(st.sampled_from(FACETS), st.text())


def test_a_content_hash_is_that_of_the_text_alone() -> None:
    """Equal texts of other records and facets share a vector."""
    one, other = Passage("a", Facet.MESSAGE, "gone"), Passage("b", Facet.MEANING, "gone")

    assert one.content_hash == other.content_hash == content_hash("gone")
    assert len(one.content_hash) == HASH_BYTES
    assert content_hash("gone") != content_hash("gone ")


def test_half_a_surrogate_pair_has_a_hash() -> None:
    """Damaged text is text."""
    assert content_hash("\ud800") != content_hash("\udc00")


@given(TEXTS)
def test_a_fingerprint_does_not_depend_on_the_order(texts: dict[Facet, str]) -> None:
    """A11, G2: the same passages in another order, or with empty ones left out, are the same record."""
    passages = [Passage("a", facet, text) for facet, text in texts.items()]

    expected = record_fingerprint(passages)

    assert record_fingerprint(reversed(passages)) == expected
    assert record_fingerprint([passage for passage in passages if passage.text]) == expected


@given(TEXTS, TEXTS)
def test_other_texts_have_another_fingerprint(one: dict[Facet, str], other: dict[Facet, str]) -> None:
    """G2: what changes in a record changes its fingerprint, also when a text moves to another facet."""
    prints = [record_fingerprint(Passage("a", facet, text) for facet, text in texts.items()) for texts in (one, other)]

    kept = [{facet: text for facet, text in texts.items() if text} for texts in (one, other)]

    assert (prints[0] == prints[1]) == (kept[0] == kept[1])
