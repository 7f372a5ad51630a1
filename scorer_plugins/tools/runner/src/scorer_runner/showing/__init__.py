"""What the results of a run come to, as people see it."""
