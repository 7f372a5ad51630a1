"""What users pass, as a run: rows, messages, contexts."""
