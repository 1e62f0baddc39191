"""The live table without a terminal: open matches, typed lines, the screen and spectators."""
