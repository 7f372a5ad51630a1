"""What an exception of another's code says of itself."""

from __future__ import annotations


def error_text(error: BaseException) -> str:
    """`ValueError: no such row`; of one without a text its cause, and of one that can't even say it its type alone."""
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:
        return name
    if text.strip():
        return f"{name}: {text}"
    return name if error.__cause__ is None else f"{name} from {error_text(error.__cause__)}"
