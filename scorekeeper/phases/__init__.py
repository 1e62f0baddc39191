"""The kinds of play, one file each; a file owns its words, and imports none of the others."""
