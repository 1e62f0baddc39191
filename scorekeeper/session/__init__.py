"""The live table without a terminal: one or several matches, lines typed, what the screen shows."""
