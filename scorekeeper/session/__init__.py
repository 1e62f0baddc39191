"""The live table, except for its terminal: open matches, typed lines, the screen and spectators."""
