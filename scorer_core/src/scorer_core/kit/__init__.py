"""What packs and scorers are held to by their own tests."""
