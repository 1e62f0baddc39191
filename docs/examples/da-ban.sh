# An evening of Da Ban: levels, a kitty, cards laid early, and an exchange.

# A folder and a book of this evening alone.
evening=$(mktemp -d) && trap 'rm -rf "$evening"' EXIT
cd "$evening" && export SCOREKEEPER_BOOK=book.sqlite

# Partners sit opposite: Ana and Cleo, Ben and Dan.
scorekeeper new da-ban Ana Ben Cleo Dan

# The first deal: trump and master are drawn before it. The kitty holds a heart, so it is taken.
scorekeeper record "trump H" "master Ana" "kitty 5H 9C 9C KD 2S TC"
scorekeeper judge Ana: leave || echo "refused (exit code $?)"
scorekeeper record Ana: take "Ana: bury 6"

# A pair is led; Dan shows one club only, so has no other.
scorekeeper record "Ana: AC AC" "Ben: 7C 9C" "Cleo: KC KC" "Dan: 4C 5D"

# Once a trick is led anybody may lay early, and an equal card laid later may be taken back.
scorekeeper record Ana: AS Dan: 7S Ben: AS
scorekeeper record Ben: takeback
scorekeeper judge Ben: AS || echo "refused (exit code $?)"
scorekeeper record Ben: TS Cleo: 5S

# A slip: Cleo played the king. What came after it is judged again.
scorekeeper amend 15 Cleo: KS
scorekeeper status

# Now Dan lays a club after all: their lack of clubs in the first trick was a revoke.
scorekeeper record Ana: AD Ben: 9D Cleo: KD
scorekeeper record Dan: 4C
scorekeeper undo
scorekeeper record Dan: 4D

# The rest by its outcome, the opponents' points: they take over, and two cards are owed.
scorekeeper record "result points=185"
scorekeeper status
scorekeeper record "Ben: declare 3H 3H"
scorekeeper record "Ben: exchange 4C 6D for BJ 3S with Ana"
scorekeeper record "kitty 2S 3D BJ LJ KC 9S"
scorekeeper record Ben: leave
scorekeeper record "result points=80" end

scorekeeper sheet
scorekeeper stats
scorekeeper export --to da-ban.toml
scorekeeper verify da-ban.toml
