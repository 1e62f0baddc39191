"""The kinds of play, each in its own file or folder. Each defines its own words and imports none of
the others."""
