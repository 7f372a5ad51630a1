"""A package, so that pytest takes no file here for a part of `scorer_core` (the folder above has its name)."""
