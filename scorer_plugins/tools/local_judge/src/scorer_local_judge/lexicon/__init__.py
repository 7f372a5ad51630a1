"""The words the judge knows. Plain data, set by hand: nothing here was fitted to a data set."""
