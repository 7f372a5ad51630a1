"""A run: rows scored, written and shown, until they are done or it is stopped."""
