"""Every scorer and the command `scorer` in one installation; there is nothing to import from here."""
