"""Rulesets: found, extended, checked, pinned and compiled. Floor 2."""
