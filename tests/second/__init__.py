"""Second implementations of games, from their rule texts alone, to test the rulesets."""
