"""What the cases of single scorers need to be told in our words."""
