"""Results: how they are kept, gone on with, counted, and written in other forms."""
