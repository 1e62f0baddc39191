"""Games written a second time from their rule texts alone, to hold the rulesets against."""
