# An evening of Dudo: bids, doubts, a slip of the tongue, a mistyped count, and the sheet.

# A folder and a book of this evening alone.
evening=$(mktemp -d) && trap 'rm -rf "$evening"' EXIT
cd "$evening" && export SCOREKEEPER_BOOK=book.sqlite

# Names go round the table clockwise. Your cups, your rules: three dice each, not five.
scorekeeper new dudo Ana Ben Cleo --set tally.start=3

# The name may be left out where the turn settles who acts; the faces have their own names.
scorekeeper record 2x4 "3 cuadras"

# Cleo asks before they bid: may it be one ace? Asking records nothing.
scorekeeper judge Cleo: 1x1 || echo "refused (exit code $?)"
scorekeeper odds 2x1 --seen "1 4 6"
scorekeeper record Cleo: 2x1
scorekeeper record Ana: dudo "count 3"

# That was miscounted. The count is taken back and entered again; the log keeps both.
scorekeeper undo
scorekeeper record "count 1"

# Round 2 is under way when Ana says that their first bid was another one. Where an amendment
# would break what came after it, nothing is saved without a word.
scorekeeper record 1x5 2x5
scorekeeper amend 1.1 Ana: 3x5 || echo "nothing was saved (exit code $?)"
scorekeeper amend 1.1 Ana: 2x3
scorekeeper status

# The rest of the round by its outcome; a round may be nothing but its outcome, too.
scorekeeper record "result loser=Ana"
scorekeeper record "foul Ben: looked under Cleo's cup" "result gainer=Cleo"
scorekeeper record "note Ben went home early" end

scorekeeper sheet
scorekeeper score --explain 1
scorekeeper stats

# A record of the evening, and the proof of it: every entry is judged again.
scorekeeper export --to dudo.toml
scorekeeper verify dudo.toml
