"""Files of rows in, results with their evidence out: the command `scorer`."""
