"""Random input of users, made from a seed and used as they would use it.

`python -m tests.fuzz` runs it for as long as you like, and `tests/test_fuzz.py` for some seconds.
"""
