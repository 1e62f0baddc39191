"""Ruleset files as data: finding, merging and checking them, and the tables that they can have."""
