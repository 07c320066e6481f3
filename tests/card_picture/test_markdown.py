"""The renderer reads Markdown as Discord's clients do."""

import pytest

from tests.card_picture.markdown import to_html, visible_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**b** *i* _i_ __u__ ~~s~~", "<div><b>b</b> <i>i</i> <i>i</i> <u>u</u> <s>s</s></div>"),
        ("### Title\n-# small", '<h3>Title</h3><div class="small">small</div>'),
        ("snake_case_name", "<div>snake_case_name</div>"),
        ("`a*b*`", "<div><code>a*b*</code></div>"),
        ("``a`b``", "<div><code>a`b</code></div>"),
        ("```rs\nlet x = 1;\n```", "<pre>let x = 1;</pre>"),
        (r"\*\*no\*\* \`no\`", "<div>**no** `no`</div>"),
        ("[label](https://a.example)", '<div><a href="https://a.example">label</a></div>'),
        ("https://a.example/x_y.", '<div><a href="https://a.example/x_y">https://a.example/x_y</a>.</div>'),
        ("a < b && c", "<div>a &lt; b &amp;&amp; c</div>"),
    ],
)
def test_markdown_is_drawn(text: str, shown: str) -> None:
    """Each form of Markdown that a card may hold has its look."""
    assert to_html(text) == shown


@pytest.mark.parametrize(
    "text",
    ["@everyone", "@here", "<@1>", "<@!1>", "<@&1>", "<#1>", "</x:1>", "<t:1:R>", "<:a:1>", "<a:a:1>", "<id:guide>", "||x||", "<mailto:a@b.c>", "> q"],
)  # fmt: skip
def test_what_is_live_is_marked(text: str) -> None:
    """The renderer sees what hostile text would become, so tests that find nothing have looked."""
    assert "live" in to_html(text)


def test_visible_text_is_what_is_read() -> None:
    """Marks are not read, words and code are."""
    assert visible_text("### **A** `b`\n1. [c](https://d.example)\n```\ne\n```") == "A b\n1. c\ne"
