"""Ruleset files as data: locating, merging and checking them, and what a ruleset may declare."""
