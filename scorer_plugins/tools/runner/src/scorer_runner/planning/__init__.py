"""A run that can begin: what was asked for, checked against the data as a whole."""
