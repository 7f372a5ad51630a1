"""Results written in another form, to a file that is whole or not there at all."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from scorer_core import UsageError

from .flat import Table
from .forms import FORMS


def export(table: Table, form: str, to: Path | IO[bytes]) -> None:
    """Write `table` in one of `FORMS`.

    Raises:
        UsageError: the results can't be read, or the file is there already or can't be written.
    """
    if not isinstance(to, Path):
        FORMS[form](table, to)
        to.flush()
        return
    try:
        with open(to, "xb") as file:
            FORMS[form](table, file)
    except FileExistsError as e:
        raise UsageError(f"--out {to} is there already; choose another name, or remove it") from e
    except OSError as e:
        to.unlink(missing_ok=True)
        raise UsageError(f"--out {to} can't be written: {e.strerror}") from e
    except BaseException:
        to.unlink(missing_ok=True)
        raise
