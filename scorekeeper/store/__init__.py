"""What is kept: the book, records as TOML files, and the desk that works on both."""
