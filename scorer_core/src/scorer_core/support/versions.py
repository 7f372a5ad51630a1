"""Which version of a distribution is installed, and whether a version is within bounds."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

_ARE: Mapping[str, Any] = {
    ">=": operator.ge, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">": operator.gt, "<": operator.lt,
    "~=": operator.ge,
}  # fmt: skip
BOUND = re.compile(r"\s*(>=|<=|==|!=|~=|>|<)\s*(\d+(?:\.\d+)*)(\.\*)?\s*")


@cache
def version_of(package: str) -> str:
    """The version of the distribution that an import package belongs to; "0" if it is not installed."""
    import importlib_metadata

    try:
        found = named(importlib_metadata.distribution(package.partition(".")[0].replace("_", "-")))
    except (ValueError, importlib_metadata.PackageNotFoundError):
        return "0"
    return found[1] if found else "0"


def named(distribution: Any) -> tuple[str, str] | None:
    """Name and version of a distribution; None of what an interrupted installation leaves."""
    try:
        told = distribution.metadata
    except OSError:
        return None
    name, version = told.get("Name"), told.get("Version")
    return (name, version) if name and version else None


def within(version: str, bounds: str) -> bool:
    """Whether `version` is within `>=0.1,<0.2` or the like, by its numbers; bounds of other forms say nothing."""
    found = (BOUND.fullmatch(bound) for bound in bounds.split(","))
    return all(_holds(version, *bound.groups()) for bound in found if bound)


def _holds(version: str, how: str, limit: str, star: str | None) -> bool:
    ours, told = _numbers(version), _numbers(limit)
    many, alike = len(told), len(told) - 1 if how == "~=" else 0
    pad = [0] * max(len(ours), many)
    ours, told = ((n + pad)[: many if star else len(pad)] for n in (ours, told))
    return bool(_ARE[how](ours, told)) and ours[:alike] == told[:alike]


def _numbers(version: str) -> list[int]:
    return [int(n) for n in re.match(r"[\d.]*", version)[0].split(".") if n]  # type: ignore[index]
