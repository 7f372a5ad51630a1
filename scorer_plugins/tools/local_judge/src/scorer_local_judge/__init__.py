"""A judge that counts words and numbers: deterministic, offline, of low fidelity, and open about it."""

from .model import LocalJudge, local_judge

__all__ = ["LocalJudge", "local_judge"]
