"""Values without a game: packs and hands as integers, claims, expressions, rulings, failures."""
