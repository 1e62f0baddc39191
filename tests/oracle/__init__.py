"""An oracle for proofs over unseen hands, worked out from the rules alone, to test the referee.

For a small pack it lists all distributions of the cards. For a whole pack it decides whether a
distribution exists.
"""
