"""A package to start from: a scorer that asks a judge, one that computes, or a pack of templates."""
