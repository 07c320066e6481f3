"""Packed files become texts, or the reason why not."""

import gzip
import lzma
import zipfile
from collections.abc import Callable

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from bot.pastes.archives import Limits, Unpacked, renamed, unpack
from bot.pastes.paste import Part, Skipped, SkippedPart
from tests.pastes.packing import (
    LOG,
    PACKERS,
    README,
    SOURCE,
    STREAMS,
    overlapping_zip,
    renamed_inside,
    with_flag,
    with_method,
    with_size,
    zipped,
    zstd,
)

SMALL = Limits(most_bytes=200_000, ratio_from=50_000, greatest_ratio=50)
# Without any letter twice in a row, a stream of it still packs to a thousandth.
LONG = "all is well in the engine room\n" * 40_000


def skipped(name: str, why: Skipped) -> Unpacked:
    return Unpacked(skipped=(SkippedPart(name, why),))


def why(data: bytes, limits: Limits | None = None) -> list[Skipped]:
    found = unpack(data, "f", limits)
    assert found.parts == ()
    return [part.why for part in found.skipped]


@pytest.mark.parametrize("packer", STREAMS)
def test_a_packed_log_is_its_text(packer: str) -> None:
    """B4: under the name of the file, whatever that says of it."""
    assert unpack(STREAMS[packer](LOG.encode()), "app.txt") == Unpacked((Part(LOG, "app.txt"),))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "cp1252"])
def test_what_is_packed_is_decoded_like_anything_else(encoding: str) -> None:
    """B2: a packed file has any encoding that an unpacked one has."""
    text = "Grüße: konnte nicht geöffnet werden\n"

    assert unpack(gzip.compress(text.encode(encoding)), "a.gz").parts == (Part(text, "a.gz"),)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("text", [LOG, "boom", SOURCE])
def test_the_only_member_is_the_log(method: int, text: str) -> None:
    """B4: one member counts whatever it looks like; somebody packed it on purpose."""
    assert unpack(zipped({"dir/": "", "dir/a": text}, method), "a.zip").parts == (Part(text, "a.zip/dir/a"),)


def test_of_several_members_the_logs_are_read_and_the_rest_is_named() -> None:
    """B4: by what they hold, in the archive's order; a log may be called anything."""
    archive = zipped({"readme": README, "b": LOG, "main.log": SOURCE, "pic.txt": b"\x89PNG" + bytes(99), "a.md": LOG})

    assert unpack(archive, "z") == Unpacked(
        (Part(LOG, "z/b"), Part(LOG, "z/a.md")),
        (
            SkippedPart("z/pic.txt", Skipped.BINARY),
            SkippedPart("z/readme", Skipped.NOT_A_LOG),
            SkippedPart("z/main.log", Skipped.NOT_A_LOG),
        ),
    )


def test_the_only_text_among_other_things_is_the_log() -> None:
    """B4: beside a picture and nothing there is nothing to choose."""
    found = unpack(zipped({"a.png": b"\x89PNG" + bytes(99), "b": "boom", "c": b""}), "z")

    assert found.parts == (Part("boom", "z/b"),)
    assert found.skipped == (SkippedPart("z/a.png", Skipped.BINARY), SkippedPart("z/c", Skipped.EMPTY))


@pytest.mark.parametrize("inner", PACKERS)
@pytest.mark.parametrize("outer", PACKERS)
def test_archives_are_read_inside_each_other_once(outer: str, inner: str) -> None:
    """B4, E2: a rotated log in a zip is read, a third archive around it is not opened."""
    twice = PACKERS[outer](PACKERS[inner](LOG.encode()))

    assert [part.text for part in unpack(twice, "f").parts] == [LOG]
    assert why(gzip.compress(twice)) == [Skipped.NESTED]


@pytest.mark.parametrize("packer", ["gz", "xz", "zst"])
def test_streams_behind_each_other_are_one_text(packer: str) -> None:
    """What `cat` or a logger makes of several packed files is all of them."""
    pack = PACKERS[packer]
    data = pack(b"one\n") + pack(b"") + pack(b"two\n" * 50_000)

    assert unpack(data, "f", Limits(greatest_ratio=10_000)).parts == (Part("one\n" + "two\n" * 50_000, "f"),)


def test_what_fills_a_block_is_no_damage() -> None:
    """Zeros stand behind a gzip or xz file that was on a tape or a disk image."""
    for pack in (gzip.compress, lzma.compress):
        assert unpack(pack(LOG.encode()) + bytes(512), "f").parts == (Part(LOG, "f"),)


@pytest.mark.parametrize("packer", PACKERS)
@given(data=st.data())
def test_what_was_cut_off_is_damaged(packer: str, data: st.DataObject) -> None:
    """E1: wherever it was cut, the reason is that, and no half of a log passes for the whole."""
    packed = PACKERS[packer](LOG.encode() * 20)
    cut = packed[: data.draw(st.integers(20, len(packed) - 1))]

    assert why(cut) == [Skipped.DAMAGED]


@pytest.mark.parametrize("packer", ["gz", "xz", "piped.zst", "zip"])
def test_a_wrong_checksum_is_damage(packer: str) -> None:
    """E1: a flipped bit is found out, also where unpacking goes on as if nothing were."""
    packed = bytearray(PACKERS[packer](LOG.encode()))
    at = {"gz": -8, "xz": -40, "piped.zst": -1, "zip": packed.rfind(b"PK\x01\x02") + 16}[packer]
    packed[at] ^= 1
    if packer == "zip":
        packed[14] ^= 1  # both heads say the same

    assert why(bytes(packed)) == [Skipped.DAMAGED]


@pytest.mark.parametrize("size", [0, 10, len(LOG) + 1, 190_000])
def test_a_size_that_lies_is_damage(size: int) -> None:
    """E1: less or more than what is there, the archive is not what it says."""
    assert why(with_size(zipped({"a": LOG}), size), SMALL) == [Skipped.DAMAGED]


def test_a_locked_member_is_told_and_the_others_are_read() -> None:
    """E13: a password is its own reason."""
    locked = with_flag(zipped({"a": LOG}), 0x1)

    assert unpack(locked, "z") == skipped("z/a", Skipped.ENCRYPTED)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, 9, 93, 95, 99])
def test_other_ways_to_pack_a_member_are_not_read(method: int) -> None:
    """E2: those that Python unpacks without a limit, and those it does not know."""
    assert why(with_method(zipped({"a": LOG}), method)) == [Skipped.UNSUPPORTED]


@pytest.mark.parametrize(
    "name",
    [
        b"../../etc/log",
        b"/etc/passw.log",
        b"C:\\Users\\a.log",
        b"..\\..\\Users\\a",
        b"a/../../b.log",
        b"a.log\x00b.png",
        b"a\nb\rc\x1b.log",
    ],
)
def test_names_that_lead_out_are_left(name: bytes) -> None:
    """E1: a path with a trick in it is no log; nothing is ever written, and the member beside it is read."""
    plain = b"x" * len(name)
    archive = renamed_inside(zipped({plain.decode(): "boom", "fine": LOG}), plain, name)

    found = unpack(archive, "z")

    assert found.parts == (Part(LOG, "z/fine"),)
    assert [part.why for part in found.skipped] == [Skipped.UNSAFE_NAME]


def test_windows_paths_are_paths() -> None:
    """Some tools write backslashes between folders; that is no trick."""
    archive = renamed_inside(zipped({"logs/app.log": LOG}), b"logs/app.log", b"logs\\app.log")

    assert unpack(archive, "z").parts == (Part(LOG, "z/logs/app.log"),)


@pytest.mark.parametrize("packer", PACKERS)
def test_a_dump_is_told_as_one_packed_or_not(packer: str) -> None:
    """E13: a minidump has its own sentence; so long as it is, only its head is unpacked."""
    dump = b"MDMP\x93\xa7\x00\x00" + bytes(1_000_000)

    assert why(dump) == [Skipped.DUMP]
    # what comes out of a zip says its size first
    assert why(PACKERS[packer](dump), Limits(most_bytes=2_000_000)) == [Skipped.DUMP]


@pytest.mark.parametrize("packer", PACKERS)
def test_what_grows_too_far_is_stopped(packer: str) -> None:
    """E2: by how many times its size it grows, or by how much there is of it."""
    packed = PACKERS[packer](LONG.encode())

    assert why(packed, Limits(ratio_from=50_000, greatest_ratio=20)) == [Skipped.BOMB]
    assert why(packed, Limits(most_bytes=200_000)) == [Skipped.TOO_BIG]
    assert [part.text for part in unpack(packed, "f").parts] == [LONG]


@pytest.mark.parametrize("inner", PACKERS)
def test_a_bomb_in_an_archive_is_a_bomb(inner: str) -> None:
    """E2: the size that counts is that of the file that was attached."""
    twice = gzip.compress(PACKERS[inner](LONG.encode()))

    assert why(twice, SMALL) in ([Skipped.BOMB], [Skipped.TOO_BIG])


def test_members_share_one_budget() -> None:
    """E2: a thousand entries that lead to the same bytes unpack to no more than one may."""
    found = unpack(overlapping_zip(LOG.encode() * 20, 60), "z", Limits(most_bytes=20_000))

    assert sum(len(part.text) for part in found.parts) <= 20_000
    assert {part.why for part in found.skipped} <= {Skipped.TOO_BIG, Skipped.DAMAGED}


def test_a_member_that_is_too_big_leaves_the_others_their_room() -> None:
    """E2: what says itself that it is too big is not begun."""
    found = unpack(zipped({"huge": LONG, "a": LOG}), "z", Limits(most_bytes=200_000))

    assert found.parts == (Part(LOG, "z/a"),)
    assert found.skipped == (SkippedPart("z/huge", Skipped.TOO_BIG),)


def test_the_number_of_members_is_limited() -> None:
    """E2: the first are read, the rest is told by one sentence; a list without end is not even made."""
    archive = zipped({f"{number}.log": LOG for number in range(9)})

    found = unpack(archive, "z", Limits(most_members=4))

    assert [part.name for part in found.parts] == ["z/0.log", "z/1.log", "z/2.log", "z/3.log"]
    assert found.skipped == (SkippedPart("z", Skipped.TOO_MANY),)
    assert unpack(archive, "z", Limits(most_listed=8)) == skipped("z", Skipped.TOO_MANY)


def test_a_million_empty_streams_are_not_opened() -> None:
    """E2: what costs time and gives nothing has an end, too."""
    assert why(gzip.compress(b"") * 5000) == [Skipped.TOO_BIG]
    assert why(zstd(b"") * 5000) == [Skipped.TOO_BIG]


def test_a_window_for_gigabytes_is_refused() -> None:
    """E2: how much memory unpacking takes is not for the file to say."""
    parameters = zstandard.ZstdCompressionParameters(window_log=27, write_content_size=False)
    stream = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 28}]

    assert why(stream.compress(LOG.encode()) + stream.flush()) == [Skipped.TOO_BIG]
    assert why(lzma.compress(LOG.encode(), filters=filters)) == [Skipped.TOO_BIG]


def test_what_holds_nothing_is_empty() -> None:
    """E13: nothing, packed or not, is nothing."""
    for data in (b"", b" \n", gzip.compress(b"\n"), zipped({}), zipped({"a": ""})):
        assert why(data) == [Skipped.EMPTY]


def test_a_whole_file_may_be_called_something_else() -> None:
    """B3: message.txt has no name; what lies inside an archive keeps its own."""
    assert renamed(unpack(b"boom", "message.txt"), "message.txt", None).parts == (Part("boom"),)
    assert renamed(unpack(zipped({"a": "boom"}), "-"), "-", None).parts == (Part("boom", "-/a"),)


def test_a_member_without_a_name_is_no_crash() -> None:
    """E1: a name that begins with NUL is empty to Python's zipfile, which stumbles over it; found by fuzzing."""
    assert why(renamed_inside(zipped({"a": LOG}), b"a", b"\0")) != []


def _mutated(packed: bytes, draw: Callable[[st.SearchStrategy[int]], int]) -> bytes:
    changed = bytearray(packed)
    for _ in range(draw(st.integers(1, 6))):
        changed[draw(st.integers(0, len(changed) - 1))] = draw(st.integers(0, 255))
    return bytes(changed)


@pytest.mark.parametrize("packer", PACKERS)
@given(data=st.data())
def test_whatever_is_in_it_something_is_said(packer: str, data: st.DataObject) -> None:
    """E1, E2: a changed archive gives a text or a reason, within the limits; nothing raises."""
    members = zipped({"a.log": LOG * 9, "b": README, "c.gz": gzip.compress(LOG.encode())})
    packed = members if packer == "zip" else PACKERS[packer](LOG.encode() * 9)

    found = unpack(_mutated(packed, data.draw), "f", SMALL)

    assert found.parts or found.skipped
    assert sum(len(part.text) for part in found.parts) <= SMALL.most_bytes


@given(
    st.sampled_from(
        [b"", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b\x08\0", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18"]
    ),
    st.binary(max_size=2000),
)
def test_no_bytes_raise(head: bytes, rest: bytes) -> None:
    """E1: whatever stands behind the mark of an archive."""
    found = unpack(head + rest, "f", SMALL)

    assert found.parts or found.skipped


@given(st.text(alphabet=st.characters(min_codepoint=32, exclude_categories=["Cs", "Cc"]), max_size=300))
def test_packing_changes_nothing(text: str) -> None:
    """A packed text is read as the text itself is."""
    plain = unpack(text.encode(), "f")
    if [part.why for part in plain.skipped] == [Skipped.UNSUPPORTED]:
        return  # begins like an archive

    for pack in STREAMS.values():
        assert unpack(pack(text.encode()), "f") == plain
