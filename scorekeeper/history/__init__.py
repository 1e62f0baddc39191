"""Results of finished matches, statistics across matches, leagues, and the columns of exports."""
