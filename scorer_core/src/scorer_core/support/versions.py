"""Which version of a distribution is installed, and whether a version is within bounds."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from functools import cache
from itertools import zip_longest
from typing import Any

_ARE: Mapping[str, Any] = {
    ">=": operator.ge, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">": operator.gt, "<": operator.lt,
}  # fmt: skip
BOUND = re.compile(r"\s*(>=|<=|==|!=|>|<)\s*(\d+(?:\.\d+)*)\s*")


@cache
def version_of(package: str) -> str:
    """The version of the distribution that an import package belongs to; "0" if it is not installed."""
    import importlib_metadata

    try:
        return str(importlib_metadata.version(package.partition(".")[0].replace("_", "-")))
    except (ValueError, importlib_metadata.PackageNotFoundError):
        return "0"


def within(version: str, bounds: str) -> bool:
    """Whether `version` is within `>=0.1,<0.2` or the like, by its numbers; bounds of other forms say nothing."""
    found = (BOUND.fullmatch(bound) for bound in bounds.split(","))
    return all(_holds(bound[1], bound[2], version) for bound in found if bound)


def _holds(how: str, limit: str, version: str) -> bool:
    pairs = zip_longest(_numbers(version), _numbers(limit), fillvalue=0)
    return bool(_ARE[how](*zip(*pairs, strict=True)))


def _numbers(version: str) -> list[int]:
    return [int(n) for n in re.match(r"[\d.]*", version)[0].split(".") if n]  # type: ignore[index]
