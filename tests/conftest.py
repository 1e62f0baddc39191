"""Settings of all tests: they run in English and without the user's settings."""

import gc
import os

from hypothesis import HealthCheck, settings

os.environ["LANGUAGE"] = "en"
os.environ["SCOREKEEPER_SETTINGS"] = os.devnull

# An example's duration depends on the load of the machine, not on the program.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# Whole evenings are cached for many tests. Repeated garbage collection of them takes a tenth of the
# time.
gc.set_threshold(100_000, 20, 100)
