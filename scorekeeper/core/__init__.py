"""Values that know no particular game: packs, hands, claims, rulings, messages and errors."""
