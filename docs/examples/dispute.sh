# A dispute under tournament rules: a revoke that shows three tricks later, who may claim it, what
# the judge makes of it, and what stands on the sheet.

# A folder and a book of this evening alone.
evening=$(mktemp -d) && trap 'rm -rf "$evening"' EXIT
cd "$evening" && export SCOREKEEPER_BOOK=book.sqlite

scorekeeper new doppelkopf-ddv Ana Ben Cleo Dan

# Ana calls re, and with eleven cards left that the others will not have 90 points.
scorekeeper record all: gesund Ana: re "AC 9C KC KC" Ana: keine90

# Ana leads spades. Ben lays a trump, and nobody can know yet that there is a spade in that hand.
scorekeeper record AS JD KS 9S

# Two tricks go by. In the second Cleo shows a queen of clubs, and so is with Ana.
scorekeeper record "AH KH 9H 9H" "9D QC JD QS"

# Cleo leads spades, and Ben follows. Now it shows: the ruling goes on with who may claim it and
# until when, what each choice would cost in this match, and what is typed.
scorekeeper record 9S TS AS TS

# Ana has not noticed, and leads to the next trick: that is to go on. Cleo has not gone on yet.
scorekeeper record QC
scorekeeper status

# So Ana may not claim it any more. Dan plays with Ben, and may not at all. Cleo may, and does.
scorekeeper record "claim Ana: 9" || echo "refused (exit code $?)"
scorekeeper record "claim Dan: 9" || echo "refused (exit code $?)"
scorekeeper record "claim Cleo: 9"
scorekeeper rulings

# How grave it was is for the judge to say. What would it have been, and what is it?
scorekeeper judge "weigh 9 minor"
scorekeeper record "weigh 9 serious"
scorekeeper rulings

# The deal is void, so Dan deals again; the next two deals are known by their outcome.
scorekeeper record "result contract=normal re=Ben+Dan points=132"
scorekeeper record "result contract=normal re=Ana+Dan points=151 calls=re:re"
scorekeeper score --explain 1
scorekeeper sheet

# It all stands in the record, and is judged again with it.
scorekeeper export --to dispute.toml
scorekeeper verify dispute.toml
