"""A file that takes the place of another one once it is whole."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """A new file, which becomes `path` when all went well; else it goes, and `path` is as it was.

    Raises:
        OSError: it can't be written.
    """
    new = path.with_name(f".{path.name}.new")  # what a kill leaves is written over the next time
    try:
        with open(new, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, new)
        os.replace(new, path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
