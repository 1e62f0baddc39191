"""Rulesets: found, extended, checked, pinned and compiled."""
