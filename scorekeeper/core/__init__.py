"""Values without a game: packs, hands, claims, expressions, rulings, messages and errors."""
