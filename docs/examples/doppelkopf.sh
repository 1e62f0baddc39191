# An evening of Doppelkopf: hidden partners, calls in time and late, and a revoke that shows later.

# A folder and a book of this evening alone.
evening=$(mktemp -d) && trap 'rm -rf "$evening"' EXIT
cd "$evening" && export SCOREKEEPER_BOOK=book.sqlite

# Dan, the last named, deals first; Ana leads.
scorekeeper new doppelkopf Ana Ben Cleo Dan

# Nobody has a wish. Cards in a row are a trick.
scorekeeper record all: gesund "AC 9C TC KC"
scorekeeper record Dan: re

# Ana leads hearts; Ben lays a spade, so has no heart to follow with, as far as anybody can see.
scorekeeper record AH 9S
scorekeeper legal | tail -n 4
scorekeeper record Cleo: KH Dan: 9H

# With the second trick complete, a call that needs eleven cards is late.
scorekeeper judge Ben: kontra || echo "refused (exit code $?)"

scorekeeper status

# In the first trick Dan laid the ten and Cleo the king. What came after it is judged again.
scorekeeper amend 1.4 Cleo: KC
scorekeeper amend 1.5 Dan: TC

# What if Ben had a heart after all? The proof names both entries, and doubts the typist first.
scorekeeper record AS KS TS 9S
scorekeeper judge Ana: 9D Ben: KH

# Ben plays a jack. The entry after it was typed too early, and is taken back.
scorekeeper record 9D JC QC
scorekeeper undo

# The deal's outcome closes it; the next two are known by their outcome only.
scorekeeper record "result contract=normal re=Ana+Dan points=151 calls=re:re"
scorekeeper record "result contract=normal re=Ben+Cleo points=132"
scorekeeper record "result contract=damensolo re=Cleo points=119"
scorekeeper score
scorekeeper score --explain 3
scorekeeper sheet
scorekeeper stats

scorekeeper export --to doppelkopf.toml
scorekeeper verify doppelkopf.toml
