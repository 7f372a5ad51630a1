"""Secrets out of texts that may reach a result, a log or a screen."""

from __future__ import annotations

import os
import re

_NAMED = r"(?i:api[-_ ]?key|token|secret|password|authorization)(?:\ provided)?"
_BEARER = r"(?i:bearer|basic)\s+"
_SECRETS = re.compile(
    rf"""\b(?:sk|pk|rk|gsk|xai|hf|ghp|key|AIza)[-_][-\w]{{8,}}|\bAIza[-\w]{{20,}}|{_BEARER}[-\w.=+/]{{8,}}"""
    r"""|(?<=://)[^\s/@:]*:[^\s/@]+(?=@)"""
    rf"""|{_NAMED}["']?\s*[:=]\s*["']?(?:{_BEARER})?[^\s"',}}]{{4,}}"""
)


def scrubbed(text: str) -> str:
    """`text` without key-like strings, and without the values of environment variables that hold keys."""
    for name, value in os.environ.items():
        if len(value) >= 8 and re.search(r"KEY|TOKEN|SECRET|PASSWORD", name) and value in text:
            text = text.replace(value, f"[{name}]")
    return _SECRETS.sub("[secret]", text)
