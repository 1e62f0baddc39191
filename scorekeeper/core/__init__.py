"""Building blocks that depend on no game: packs, hands, claims, rulings, messages and errors."""
