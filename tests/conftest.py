"""Tests read English and know no settings, whatever this user has set."""

import os

os.environ["LANGUAGE"] = "en"
os.environ["SCOREKEEPER_SETTINGS"] = os.devnull
