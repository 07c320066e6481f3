"""Which files are worth fetching, told by their names and by what Discord says of them.

What a file holds is decided by its bytes once they are here. Names only spare a channel's files from being fetched
where nobody asked, and keep sources and documents that quote an error from being taken for one.
"""

from pathlib import PurePosixPath

MESSAGE_FILE = "message.txt"  # what Discord's client calls a message that was too long
_LOG_ENDINGS = frozenset({".txt", ".log"})
_PACKED_ENDINGS = frozenset({".gz", ".xz", ".zst", ".zip"})
# Text files that lie in every repository and are no output of any program.
_NO_OUTPUT = frozenset({"readme", "license", "licence", "copying", "changelog", "requirements", "robots", "notes"})
# Sources, tables, documents and settings: they may hold any error's words without anything having gone wrong.
_SOURCES = """
    adoc astro asm bat c cc cfg clj cmake cmd conf cpp cs css csv cxx dart diff doc docx env ex exs fs gd go
    gradle graphql groovy h hpp hs htm html hx ini ipynb java jl js jsx kt kts less lisp lock lua m md mdx mjs
    ml nim nix odp ods odt org pas patch pdf php pl pm ppt pptx properties proto ps1 py pyi pyx r rb rs rst rtf
    sass scala scss sh sol sql srt styl svelte svg swift tab tcl tex tf toml ts tsv tsx v vb vim vtt vue xls xlsx
    xml yaml yml zig jar war apk exe dll so dylib msi deb rpm iso img bin dat db sqlite wasm class pyc o a
"""
_NO_OUTPUT_ENDINGS = frozenset(f".{ending}" for ending in _SOURCES.split())
# Names decide nothing about pictures; but a text that is called one is no log either.
_PICTURE_ENDINGS = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif"})
_PICTURES = ("image/png", "image/jpeg", "image/webp", "image/gif")
_MEDIA = ("image/", "audio/", "video/", "font/")
# What Discord and its CDN call text and what they know nothing of, and archives.
_TEXT_TYPES = ("text/", "application/octet-stream", "application/json", "application/x-ndjson", "application/x-log")
_PACKED_TYPES = tuple(f"application/{kind}" for kind in ("gzip", "x-gzip", "zip", "x-zip", "x-xz", "zstd", "x-zstd"))


def is_message_file(name: str) -> bool:
    """Whether Discord's client made this file of a long message."""
    return name.lower() == MESSAGE_FILE


def looks_like_log(name: str) -> bool:
    """Whether a file is called a log: a `.txt` or `.log`, packed or not, whose name is not that of a document."""
    path = _unpacked(name)
    return path.suffix in _LOG_ENDINGS and path.stem not in _NO_OUTPUT


def may_be_log(name: str, content_type: str | None = None) -> bool:
    """Whether a file may be a log for all one knows, so that its content is worth a look where nobody asked."""
    path = _unpacked(name)
    if path.suffix in _NO_OUTPUT_ENDINGS | _PICTURE_ENDINGS or path.stem in _NO_OUTPUT:
        return False
    return not content_type or content_type.lower().startswith((*_TEXT_TYPES, *_PACKED_TYPES))


def is_readable(content_type: str | None) -> bool:
    """Whether a file is opened when somebody asks: whatever is not known to be a picture, a sound or a film."""
    return not (content_type or "").lower().startswith(_MEDIA)


def is_picture(content_type: str | None) -> bool:
    """Whether a file is said to be a picture of a form that screenshots have."""
    return (content_type or "").lower().startswith(_PICTURES)


def may_hold_text(content_type: str | None) -> bool:
    """Whether what a server calls its answer can be a log or an archive; nothing said is nothing wrong."""
    return not content_type or content_type.lower().startswith(("text/", "application/"))


def _unpacked(name: str) -> PurePosixPath:
    path = PurePosixPath(name.lower())
    return path.with_suffix("") if path.suffix in _PACKED_ENDINGS else path
