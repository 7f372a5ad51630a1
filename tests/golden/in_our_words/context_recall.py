"""Context recall: what extracts a context is `get_context`."""

from in_our_words.context_precision import keywords as keywords
