"""Every pack of the workspace is held to what packs are held to: those under prompts/, the demo's, and our own."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from scorer_core.plugins import SCORERS, installed, load_scorer
from scorer_core.prompting.packs import Pack
from scorer_core.prompting.uses import uses
from scorer_core.testing import PackConformance

ROOT = Path(__file__).parents[1]
SPECS = [spec for id in sorted(installed(SCORERS)) if (spec := load_scorer(id)).asks]
PACKS = sorted(p.parent for p in (ROOT / "prompts").glob("*/src/*/pack.toml"))
TESTS = sorted(name for name in dir(PackConformance) if name.startswith("test_"))


def kit(pack, **how):
    return type("TestOne", (PackConformance,), {"pack": pack, "scorers": SPECS, **how})()


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """All templates of all scorers as one pack, in which nothing falls back to anything."""
    folder = tmp_path_factory.mktemp("own")
    homes = {spec.id: ROOT / f"scorer_plugins/scorers/{spec.id}/src/scorer_{spec.id}/templates" for spec in SPECS}
    homes["claims"] = ROOT / "scorer_core/src/scorer_core/templates/claims"
    for id, home in homes.items():
        (folder / id).mkdir()
        for file in home.glob("*.j2"):
            (folder / id / file.name).write_bytes(file.read_bytes())
    return folder


@pytest.mark.parametrize("test", TESTS)
def test_our_own_templates_are_held_to_what_packs_are(own, test):
    getattr(kit(own, whole=[spec.id for spec in SPECS]), test)()


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("folder", PACKS, ids=lambda p: p.name)
def test_a_pack_of_ours_is_as_it_should_be(folder, test):
    getattr(kit(folder), test)()


@pytest.mark.parametrize("test", TESTS)
def test_the_demos_pack_is_as_it_should_be(test):
    getattr(kit(ROOT / "scorer_plugins/tools/runner/src/scorer_runner/demo/prompts"), test)()


@pytest.mark.parametrize("folder", PACKS, ids=lambda p: p.name)
def test_a_pack_and_its_package_tell_one_name_and_the_version_is_the_packs(folder):
    told = tomllib.loads((folder.parents[1] / "pyproject.toml").read_text("utf-8"))
    manifest = Pack(folder.name, folder).manifest
    assert told["project"]["entry-points"]["scorer_core.prompts"] == {manifest.name: folder.name}
    assert told["project"]["dynamic"] == ["version"]
    assert (folder.parents[1] / told["tool"]["hatch"]["version"]["path"]).samefile(folder / "pack.toml")


def test_every_step_of_every_scorer_is_looked_at(own):
    files = {use.file for spec in SPECS for name, use in uses(spec).items()}
    assert files <= {*Pack("own", own).names()}
    assert len(PACKS) >= 2
