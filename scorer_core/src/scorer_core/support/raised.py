"""What an exception of another's code says of itself."""

from __future__ import annotations


def error_text(error: BaseException) -> str:
    """`ValueError: no such row`; of a group all in it, without a text its cause, where it can't be told its type."""
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:
        return name
    if isinstance(error, BaseExceptionGroup):
        return f"{name}: {text}: {'; '.join(map(error_text, error.exceptions))}"
    if text.strip():
        return f"{name}: {text}"
    return name if error.__cause__ is None else f"{name} from {error_text(error.__cause__)}"
