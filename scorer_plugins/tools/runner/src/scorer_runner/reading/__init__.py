"""Rows as users have them, from files of any usual form, as rows that scorers read."""
