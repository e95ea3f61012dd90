"""Examples in the reference of operations, types and attributes are what the tool reads.

They use values that they don't define, so that there is nothing to verify: MLIR parses a use by the type
that it says, and complains at the end about names that nothing defines. Any other complaint is a mistake.
"""

import re
from pathlib import Path

import pytest
from tools import run

PAGES = Path(__file__).parents[2] / "docs" / "dialects"
SPAN = re.compile(r"`([^`]+)`")
#: What is wrong with an example that stands alone, and with no other.
ALONE = re.compile(
    "error: (use of undeclared SSA value name|reference to an undefined block)"
    "|is not a symbol of this module|must be inside a stencil.apply"
)
#: An example that leaves something out, and a word of the text around examples.
ELIDED = re.compile(r"\.\.\.|…")
WORD = re.compile(r"\w+$")


def examples(page):
    """Give the examples of a page, each with the heading that it is under."""
    heading, found = "", []
    paragraphs = (PAGES / f"{page}.md").read_text().split("\n\n")
    for paragraph in paragraphs:
        first, _, rest = paragraph.partition("\n")
        if first.startswith("###"):
            heading = first.strip("# `").split("`")[0]
        block = re.search(r"```mlir\n(.*?)```", paragraph, re.S)
        if first.rstrip("s:") == "Example" and block:
            found.append((heading, block[1]))
        elif first.startswith("Example"):
            spans = SPAN.findall(paragraph.partition(":")[2].replace("\n", " "))
            found += [(heading, span) for span in spans if not WORD.match(span)]
    return [(heading, text) for heading, text in found if not ELIDED.search(text)]


ALL = [(page, *example) for page in ("py", "typed", "parfor", "stencil") for example in examples(page)]


def module(text):
    """Put an example where it can stand."""
    if text.startswith(("!", "#")):
        return f'"test.op"() {{what = {text}}} : () -> ()'
    if re.match(r"(func\.func|py\.(func|code|binding|specialize)|parfor\.combiner|module)\b", text):
        return text
    return f'"test.region"() ({{\n{text}\n}}) : () -> ()'


def complaints(text):
    """Give what the tool says against an example, but for names that it doesn't define."""
    done = run("pyopt", "--allow-unregistered-dialect", "-", input=module(text).encode())
    errors = [line for line in done.stderr.decode().splitlines() if " error: " in line]
    return [error for error in errors if not ALONE.search(error)]


@pytest.mark.parametrize(("page", "heading", "text"), ALL, ids=lambda part: part[:40])
def test_examples_parse(page, heading, text):
    assert complaints(text) == []


def test_examples_are_found():
    assert len(ALL) > 150


def test_mistakes_are_found():
    assert complaints("%2 = typed.binary plus %0, %1 : f64")
    assert complaints("#typed.binary_kind<mul>")
