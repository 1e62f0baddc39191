"""Values to text: the neutral sheet, and its renderers."""
