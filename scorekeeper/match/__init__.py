"""A match of many rounds: recording, amendments, public views, summaries and random play."""
