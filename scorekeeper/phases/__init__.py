"""The kinds of play, each in its own file or folder. Each kind defines its own words and imports no
other kind."""
