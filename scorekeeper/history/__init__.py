"""Match results, statistics across matches, leagues, and the columns of exports."""
