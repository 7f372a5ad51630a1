"""What was asked for: options of the command line and of settings files, as values."""
