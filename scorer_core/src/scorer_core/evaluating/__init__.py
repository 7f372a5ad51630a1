"""Many rows: targets, rows side by side, and what they come to."""
