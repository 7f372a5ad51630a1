"""What is wrong with a template: where, what the line says, and what to do."""

from __future__ import annotations

from attrs import frozen


@frozen
class Finding:
    """One thing that is wrong.

    Args:
        file: The template, as it is looked up.
        what: What is wrong and what to do; a sentence of its own where no line is known.
        pack: The pack that the file is of.
        line: Its line, from 1; None where it is about the whole file.
        text: What that line says.
        error: Whether the template can't be used; else it is a warning.
    """

    file: str
    what: str
    pack: str = ""
    line: int | None = None
    text: str = ""
    error: bool = True

    def __str__(self) -> str:
        if self.line is None:
            return self.what
        return f"template {self.file}, line {self.line}: {self.what}" + (f"\n    {self.text}" if self.text else "")


def finding(pack: str, file: str, source: str, line: int, what: str, *, error: bool = True) -> Finding:
    """What is wrong in a line of `source`, with the line itself, cut to a hundred characters."""
    lines = source.split("\n")
    text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return Finding(file, what, pack, line, text if len(text) <= 100 else f"{text[:99]}…", error)
