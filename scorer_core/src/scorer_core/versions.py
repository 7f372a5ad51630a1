"""Which version of a distribution is installed."""

from __future__ import annotations

from functools import cache


@cache
def version_of(package: str) -> str:
    """The version of the distribution that an import package belongs to; "0" if it is not installed."""
    import importlib_metadata

    try:
        return str(importlib_metadata.version(package.partition(".")[0].replace("_", "-")))
    except (ValueError, importlib_metadata.PackageNotFoundError):
        return "0"
