"""The live table without its terminal: open matches, typed lines, the screen and spectators."""
