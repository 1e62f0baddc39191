"""Stores of matches: the book, records as TOML files, imports, and the recorder of a match."""
