"""What the classes of checks have in common: a check that does not hold is told, never left out."""

from __future__ import annotations

from typing import Any

from ..contract.errors import UsageError


class Kit:
    """A class of checks; a class made of it has all of them.

    A check that can't hold is marked, and still there to be read:

        @pytest.mark.xfail(reason="its options are made when it is called")
        def test_it_can_be_pickled(self):
            super().test_it_can_be_pickled()

    Raises:
        UsageError: a check was deleted, replaced or skipped without being marked so.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        kits = [base for base in cls.__mro__ if Kit in base.__bases__]
        checks = {name: check for kit in kits for name, check in vars(kit).items() if name.startswith("test_")}
        changed = [name for name, check in checks.items() if getattr(cls, name, None) is not check]
        if gone := [name for name in changed if not _owned(getattr(cls, name, None))]:
            raise UsageError(
                f"{cls.__name__}: {', '.join(gone)} may not be left out; "
                'where it can\'t hold, mark it with pytest.mark.xfail(reason="...")'
            )


def _owned(check: Any) -> bool:
    """Whether a check is marked as one that fails, with the reason."""
    marks = getattr(check, "pytestmark", [])
    return any(mark.name == "xfail" and mark.kwargs.get("reason") and mark.kwargs.get("run", True) for mark in marks)
