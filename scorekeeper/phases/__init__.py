"""The kinds of play, one file or folder each; it owns its words, and imports none of the others."""
