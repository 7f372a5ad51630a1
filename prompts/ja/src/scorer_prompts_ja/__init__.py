"""The pack `ja`: every template of the scorers in Japanese, one folder for each; what they share is in `ja/`."""
