"""What the classes of checks have in common: a check that does not hold is told, never left out."""

from __future__ import annotations

from inspect import isfunction
from typing import Any

from ..contract.errors import UsageError


class Complete(type):
    """The class of classes that keep all checks, however they are made or changed later."""

    def __init__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> None:
        super().__init__(name, bases, body)
        if bases:
            _hold(cls)

    def __setattr__(cls, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        _hold(cls)


def _hold(cls: type) -> None:
    """Refuse a class of which a check is left out, or that is left out whole."""
    kits = [base for base in cls.__mro__ if isinstance(base, Complete) and Kit in base.__bases__]
    ours = {name: value for kit in kits for name, value in vars(kit).items() if isfunction(value)}
    changed = {name: getattr(cls, name, None) for name, value in ours.items() if getattr(cls, name, None) is not value}
    gone = [name for name, value in changed.items() if not (name.startswith("test_") and _owned(value))]
    if gone or {mark.name for mark in _marks(cls)} & {"skip", "skipif", "xfail"} or not getattr(cls, "__test__", True):
        raise UsageError(
            f"{cls.__name__}: {', '.join(gone) or 'its checks'} may not be left out; "
            'where one can\'t hold, mark it with pytest.mark.xfail(reason="...")'
        )
    for check in changed.values():
        _make_strict(check)


def _owned(check: Any) -> bool:
    """Whether a check is marked as one that always fails, with the reason, and is run all the same."""
    marks = {mark.name: mark for mark in _marks(check)}
    told = marks["xfail"].kwargs if {*marks} & {"skip", "skipif", "xfail"} == {"xfail"} else {}
    conditions = told and (marks["xfail"].args or "condition" in told)
    return bool(told.get("reason") and told.get("run", True) and not conditions)


def _make_strict(check: Any) -> None:
    """Have a check that is marked fail if it holds after all."""
    import pytest

    check.pytestmark = [
        pytest.mark.xfail(**{**mark.kwargs, "strict": True}).mark if mark.name == "xfail" else mark
        for mark in _marks(check)
    ]


def _marks(marked: Any) -> list[Any]:
    marks = getattr(marked, "pytestmark", [])
    return marks if isinstance(marks, list) else [marks]


class Kit(metaclass=Complete):
    """A class of checks; a class made of it has all of them.

    A check that can't hold is marked, and still there to be read:

        @pytest.mark.xfail(reason="its options are made when it is called")
        def test_it_can_be_pickled(self):
            super().test_it_can_be_pickled()

    Raises:
        UsageError: a check was deleted, replaced or skipped without being marked so.
    """
