"""A judge's words as the values that were asked for."""
