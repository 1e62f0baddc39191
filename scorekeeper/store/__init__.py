"""Storage of matches: the book, TOML records, imports, and the recorder of a match."""
