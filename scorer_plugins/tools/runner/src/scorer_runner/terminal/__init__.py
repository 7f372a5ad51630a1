"""What is written to a terminal: lines, warnings, tables and numbers."""
