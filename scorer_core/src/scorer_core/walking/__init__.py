"""One run through the four steps of one scorer."""
