"""Tests read English and know no settings, whatever this user has set."""

import gc
import os

from hypothesis import HealthCheck, settings

os.environ["LANGUAGE"] = "en"
os.environ["SCOREKEEPER_SETTINGS"] = os.devnull

# How long an example takes says how busy a machine is, and nothing of us.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# Whole evenings are kept for many tests: looking through them for garbage again and again takes a
# tenth of the time.
gc.set_threshold(100_000, 20, 100)
