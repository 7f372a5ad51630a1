"""Scores over many machines: a dataset of Ray Data in, a dataset of results out."""

from .dataset import numbered, score_dataset
from .lines import write_lines

__all__ = ["numbered", "score_dataset", "write_lines"]
