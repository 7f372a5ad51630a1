"""The pack `strict`: no benefit of the doubt, and exact quotations in reasons; one folder for each scorer."""
