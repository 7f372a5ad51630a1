"""Prompts: packs of templates, how they are rendered, and what is wrong with them."""
