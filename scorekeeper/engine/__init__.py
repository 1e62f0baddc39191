"""One round: phases, clauses, findings and scores, computed from the round's entries."""
