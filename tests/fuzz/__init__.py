"""Whatever somebody may be given or type, made up from a seed and used as they would use it.

`python -m tests.fuzz` runs it for as long as one likes; `tests/test_fuzz.py` for some seconds.
"""
