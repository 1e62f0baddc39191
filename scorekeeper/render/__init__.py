"""The sheet of a match as values, and the modules that render it and other values as text."""
