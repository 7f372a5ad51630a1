"""Lists and mappings written into a text, as JSON or as Python writes them."""

from __future__ import annotations

import ast
import io
import json
import tokenize
import warnings
from itertools import pairwise
from typing import Any

_UNFIT = (ValueError, SyntaxError, TypeError, MemoryError, RecursionError)
_NO_TOKENS = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT)


def literal(text: str) -> list[Any] | dict[Any, Any] | None:
    """The list or mapping that `text` is, whole; None if it is none."""
    told = text.strip()
    if told[:1] + told[-1:] not in ("[]", "{}"):
        return None
    try:
        return json.loads(told, parse_constant=lambda _: None)  # type: ignore[no-any-return]
    except (ValueError, RecursionError):
        return _python(told)


def _python(told: str) -> list[Any] | dict[Any, Any] | None:
    """A Python literal; not an array as numpy shows it, whose texts Python would join: `['a' 'b']`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python does not know
            value = ast.literal_eval(told)
        tokens = [t.type for t in tokenize.generate_tokens(io.StringIO(told).readline) if t.type not in _NO_TOKENS]
    except (*_UNFIT, tokenize.TokenError):
        return None
    joined = (tokenize.STRING, tokenize.STRING) in pairwise(tokens)
    return value if isinstance(value, (list, dict)) and not joined else None
