"""The entry point for `python -m scorekeeper`."""

from scorekeeper.cli import main

main()
