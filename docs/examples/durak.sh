# An evening of Durak with transfers: hands are unseen, and what the table shows settles the rest.

# A folder and a book of this evening alone.
evening=$(mktemp -d) && trap 'rm -rf "$evening"' EXIT
cd "$evening" && export SCOREKEEPER_BOOK=book.sqlite

# Cleo, the last named, deals. Diamonds are turned up. Ana attacks; Ben covers (attack, then cover).
scorekeeper new durak-spades-transfer Ana Ben Cleo
scorekeeper record "turnup QD" "attack 6C" "Ben: cover 6C 8D"

# Only ranks that lie on the table may be added. By which rule, and what does the text say?
scorekeeper judge "Cleo: attack 7H" || echo "refused (exit code $?)"
scorekeeper rules explain bouts.on-table
scorekeeper record "Cleo: attack 6H" "Ben: cover 6H 9H"

# It was the ten that covered. The last entry is taken back and typed again.
scorekeeper undo
scorekeeper record "Ben: cover 6H TH" all: pass

# Who draws how many is told, not asked for; a card that was seen may be entered.
scorekeeper record "Cleo: draw AS"

# Cleo covers with a card that is too low and takes it back. Everybody has seen it: it is known.
scorekeeper record "attack 9C"
scorekeeper record --withdrawn "Cleo: cover 9C 8C"
scorekeeper record Cleo: take all: pass
scorekeeper status

# Somebody remembers that Ben's first cover was the seven.
scorekeeper amend 3 "Ben: cover 6C 7D"

# The deal by its outcome. Of the next one only the end is recorded: a position.
scorekeeper record "result loser=Cleo"
scorekeeper record "talon 0; trump H; lead Ana" "hand Ana: 9H 9S" "hand Ben: 2" "hand Cleo: 1"
scorekeeper record "Ana: attack 9H"

# Ben would pass the attack on with a nine. Cleo has one card, and two attacks would be too many.
scorekeeper judge "Ben: transfer 9D" || echo "refused (exit code $?)"
scorekeeper record Ben: take
scorekeeper legal
scorekeeper record "Ana: attack 9S"
scorekeeper status
scorekeeper record "result loser=Ben"

scorekeeper sheet
scorekeeper stats
scorekeeper export --to durak.toml
scorekeeper verify durak.toml
