"""Results as JSON Lines, a part a block, in the form of the results file of `scorer run`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ray.data.datasource import BlockBasedFileDatasink

if TYPE_CHECKING:
    from ray.data import Dataset


class _Lines(BlockBasedFileDatasink):
    """A datasink of results; Ray names the parts, and writes a part anew whose writer was lost."""

    def __init__(self, folder: str, **how: Any) -> None:
        super().__init__(folder, file_format="jsonl", **how)

    def write_block_to_file(self, block: Any, file: Any) -> None:
        for line in block.to_arrow().column("result").to_pylist():
            file.write(f"{line}\n".encode())


def write_lines(results: Dataset, folder: str, **how: Any) -> None:
    """Write the results of `score_dataset` as they are made.

    Args:
        results: What `score_dataset` gave.
        folder: Where the parts go: a folder, or any address that Arrow writes to.
        how: For Ray's file datasinks: filesystem, min_rows_per_file, ...
    """
    results.write_datasink(_Lines(folder, **how))
