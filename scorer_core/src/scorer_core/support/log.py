"""What happens beside the results, told to the standard logger "scorer_core"; each thing once."""

from __future__ import annotations

import logging
from functools import lru_cache

_log = logging.getLogger("scorer_core")
_log.addHandler(logging.NullHandler())


@lru_cache(maxsize=1000)
def warn_once(message: str) -> None:
    """Log a warning, unless the same was logged before in this process."""
    _log.warning(message)
