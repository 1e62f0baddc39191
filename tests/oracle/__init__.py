"""What can be proven over unseen hands, worked out from the rules alone, to hold the referee
against: all distributions of a small pack, and whether one exists of a whole one."""
