"""What a pack says of itself."""

from __future__ import annotations

import logging

import pytest

import scorer_faithfulness
from scorer_core import Prompts, UsageError
from scorer_core.prompting.manifest import manifest_of
from scorer_core.support.log import warn_once

WHOLE = """
name = "ours"
description = "The house's own words"
language = "en"
version = "1.2"

[scorers]
faithfulness = ">=0.1,<0.2"
"""


def test_a_manifest_tells_name_language_version_and_what_it_was_made_for():
    told = manifest_of(WHOLE, "pack.toml")
    assert (told.name, told.language, told.version, told.scorers) == (
        "ours", "en", "1.2", {"faithfulness": ">=0.1,<0.2"}
    )  # fmt: skip
    assert manifest_of("", "pack.toml").version is None


@pytest.mark.parametrize(
    ("made_for", "version", "fits"),
    [
        (">=0.1,<0.2", "0.1.0", True),
        (">=0.1,<0.2", "0.1.9.dev3", True),
        (">=0.1,<0.2", "0.2", False),
        (">=0.1,<0.2", "0.10.1", False),
        ("==0.1", "0.1.0", True),
        ("!=0.1", "0.1.0", False),
        (">1", "1.0.1", True),
        ("<=1", "1.0.1", False),
    ],
)
def test_a_version_is_compared_by_its_numbers(made_for, version, fits):
    assert manifest_of(f'scorers = {{ x = "{made_for}" }}', "pack.toml").fits("x", version) is fits


def test_a_pack_that_does_not_say_fits_all():
    assert manifest_of("", "pack.toml").fits("faithfulness", "9.9")


def test_all_that_does_not_belong_there_is_told_at_once():
    text = 'nmae = "x"\nversion = 1\nscorers = { bias = "0.1", faithfulness = 2 }\n'
    with pytest.raises(UsageError) as wrong:
        manifest_of(text, "pack.toml of pack p")
    assert str(wrong.value).split("\n") == [
        "pack.toml of pack p: no key 'nmae' (did you mean 'name'?);"
        " there are: name, description, language, version, scorers",
        "pack.toml of pack p: version: expected a text, got 1",
        "pack.toml of pack p: scorers.bias: expected the versions it was made for, as in \">=0.1,<0.2\", got '0.1'",
        'pack.toml of pack p: scorers.faithfulness: expected the versions it was made for, as in ">=0.1,<0.2", got 2',
    ]


@pytest.mark.parametrize(("text", "said"), [("= 1", "can't be read"), ("scorers = 1", "expected a table of versions")])
def test_what_is_no_manifest_is_told(text, said):
    with pytest.raises(UsageError, match=said):
        manifest_of(text, "pack.toml")


def test_wrong_keys_are_an_error_when_the_pack_is_taken(tmp_path):
    (tmp_path / "pack.toml").write_text("colour = 'red'", encoding="utf-8")
    with pytest.raises(UsageError, match="no key 'colour'"):
        Prompts(tmp_path)


def test_a_pack_made_for_another_version_is_warned_about_once(tmp_path, caplog):
    warn_once.cache_clear()
    made_for = '[scorers]\nfaithfulness = ">=0.5"\nclaims = "<0.0.1"\n'
    (tmp_path / "pack.toml").write_text('version = "2"\n' + made_for, encoding="utf-8")
    with caplog.at_level(logging.WARNING, "scorer_core"):
        for _ in range(3):
            Prompts(tmp_path).check(scorer_faithfulness.spec)
    version = scorer_faithfulness.spec.version
    assert [r.message.partition(", this is ")[0] for r in caplog.records] == [
        f"pack {str(tmp_path)!r} 2 was made for faithfulness >=0.5",
        f"pack {str(tmp_path)!r} 2 was made for claims <0.0.1",
    ]
    assert f"this is {version}; see whether its templates still fit" in caplog.text
