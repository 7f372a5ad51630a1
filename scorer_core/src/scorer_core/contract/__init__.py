"""What a scorer is, and what it gives: specs, replies, options, runs and their results."""
