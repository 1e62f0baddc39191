"""Conversion of values to text: the layout-independent sheet and its renderers."""
