"""Ruleset files as data: finding, merging, checking, and what may be declared in them."""
