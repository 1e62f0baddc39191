"""Across matches: places, figures, leagues; what tables of matches tell: values."""
