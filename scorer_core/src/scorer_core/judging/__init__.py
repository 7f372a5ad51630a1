"""A judge: the model that it is, one call, the call made again, and what all of it took."""
