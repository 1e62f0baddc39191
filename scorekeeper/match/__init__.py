"""What happens: a round, a match, who judges an entry, what it was worth, how it stands."""
