"""Conversion of values to text: the sheet as values, and its renderers."""
