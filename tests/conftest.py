"""Tests read English, whatever language the system is set to."""

import os

os.environ["LANGUAGE"] = "en"
