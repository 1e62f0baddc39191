"""Values to text: the neutral sheet, and its renderers. Floor 7; knows no file and no clock."""
