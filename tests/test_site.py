"""The site of the docs: built without a warning, asking no other host, with all that is public to be found in it.

It needs the group `docs`; `.ci/run` has a step of its own for it.
"""

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import scorer_core
from scorer_core import testing

pytest.importorskip("mkdocstrings", reason="the site is built with the group `docs`: uv run --group test --group docs")
ROOT = Path(__file__).parents[1]
CONFIG = ROOT / ".ci" / "mkdocs.yml"
LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "object": "data"}


def build(config, site):
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", config, "--site-dir", site],
        capture_output=True, text=True, timeout=300, cwd=ROOT, env={"NO_MKDOCS_2_WARNING": "1", "PATH": ""},
    )  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = build(CONFIG, folder)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


class Loaded(HTMLParser):
    """The addresses that a browser loads with a page."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        address = dict(attrs).get(LOADED.get(tag, ""))
        self.found += [address] if address else []


def test_a_page_loads_nothing_from_another_host(site):
    pages = [*site.rglob("*.html")]
    loaded = {address for page in pages for address in Loaded(page).found}
    assert any(address.endswith(".css") for address in loaded), "nothing was read"
    assert [a for a in sorted(loaded) if re.match(r"(https?:)?//", a)] == []
    styles = "".join(p.read_text("utf-8") for p in site.rglob("*.css"))
    assert re.findall(r"""(?:url\(|@import\s*)["']?((?:https?:)?//[^"')]+)""", styles) == []


def test_the_search_finds_every_public_name_without_a_network(site):
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    found = {entry["location"].partition("#")[2] for entry in index["docs"]}
    assert {f"scorer_core.{name}" for name in dir(scorer_core)} <= found


HELD_BY_OTHERS = {"Expected", "Moments", "Pack", "Passing"}  # attributes of what is public, told in its words


def test_a_type_of_the_core_is_shown_where_it_is_named(site):
    ours = {
        n for p in ROOT.glob("scorer_core/src/**/*.py") for n in re.findall(r"^class (\w+)", p.read_text("utf-8"), re.M)
    }
    shown = re.compile(r'<div class="doc-signature highlight">.*?</div>|<code>.*?</code>', re.S)
    pages = [p.read_text("utf-8") for p in (site / "reference").rglob("index.html") if p.parent.name != "packages"]
    named = {
        n for page in pages for part in shown.findall(page) for n in re.findall(r"\b\w+\b", re.sub("<.*?>", "", part))
    }
    assert (named & ours) - {*dir(scorer_core), *dir(testing)} == HELD_BY_OTHERS


def test_a_field_stands_with_its_type_its_default_and_its_words(site):
    page = (site / "reference" / "evals" / "index.html").read_text("utf-8")
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    assert "max_calls (int | None, default: None ) – Judge calls, 1 or more" in text


FAULTS = {
    "a link to no page": ("[gone](gone.md)", "not found among documentation files"),
    "a link to no heading": ("[gone](#gone)", "no such anchor"),
    "a name that is not there": ("::: faulty.gone", "faulty.gone could not be found"),
    "an argument that is not taken": ("::: faulty.made", "'other' does not appear in the function signature"),
    "a field that is not there": ("::: faulty.Made", "'other' does not appear in the function signature"),
}
FAULTY = '''
from attrs import frozen

def made(one):
    """Something.

    Args:
        other: Not there.
    """

@frozen
class Made:
    """Something.

    Args:
        other: Not there.
    """

    one: int
'''


@pytest.mark.parametrize(("text", "told"), FAULTS.values(), ids=FAULTS)
def test_a_fault_fails_the_build(tmp_path, text, told):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(f"# Faulty\n\n{text}\n")
    (tmp_path / "faulty.py").write_text(FAULTY)
    handler = f"python: {{paths: [{tmp_path}], options: {{extensions: [{ROOT / '.ci' / 'reference.py'}]}}}}"
    (tmp_path / "mkdocs.yml").write_text(
        f"INHERIT: {CONFIG}\ndocs_dir: docs\nnav: [index.md]\nplugins: [mkdocstrings: {{handlers: {{{handler}}}}}]\n"
    )
    done = build(tmp_path / "mkdocs.yml", tmp_path / "site")
    assert done.returncode == 1, done.stderr
    assert told in done.stderr
