# Rules of one's own: a ruleset that changes a shipped one, and a game from nothing.

rulesets=$(cd "$(dirname "${BASH_SOURCE[0]}")/rulesets" && pwd)
# A folder and a book of this evening alone; rulesets are looked up in that folder first.
evening=$(mktemp -d) && trap 'rm -rf "$evening"' EXIT
cd "$evening" && export SCOREKEEPER_BOOK=book.sqlite SCOREKEEPER_RULESETS=$evening
cp "$rulesets"/*.toml "$rulesets"/*.md .

# Dudo as one table plays it: a few keys, and all the rest as shipped.
scorekeeper rules check dudo-at-ours
scorekeeper rules diff dudo dudo-at-ours
scorekeeper new dudo-at-ours Ana Ben Cleo
scorekeeper judge Ana: 10x4 || echo "refused (exit code $?)"
scorekeeper record 3x4 4x4 Ana: calzo "count 4"
scorekeeper record "foul Cleo: turned a die"
scorekeeper score

# A trick game from nothing, with its rule text beside it.
scorekeeper rules check plain-whist
scorekeeper rules explain tricks.follow --ruleset plain-whist
scorekeeper new plain-whist Ana Ben Cleo Dan
scorekeeper record "hand Ben: QS 7S 6S 4S 2S AH 8H AD KD 7D 6D 3D 2C"
scorekeeper record QC
scorekeeper judge Ben: AH || echo "refused (exit code $?)"
scorekeeper record 2C AC TC

# Four cards in a row are a trick; the rest of the deal, then what it is worth.
scorekeeper record > deal.txt <<END
KC 6C 9C AH; KS 3S 8S QS; KH 4H JH 8H; JC 7C 5C AD; JD 5D TD KD; 7S 9S AS 5S
QH 2H 7D 7H; QD 2D 6D 9D; JS 3C 6S TS; TH 3H 4S 6H; 9H 5H 3D 8D; 8C 4D 2S 4C
END
tail -n 3 deal.txt
scorekeeper score --explain 1
scorekeeper sheet

# A slip in it is reported with its key, what was found and what is allowed.
sed -i.bak 's/^held /hold /; s/most = "tricks"/most = "trick"/' plain-whist.toml
scorekeeper rules check plain-whist.toml || echo "mistakes (exit code $?)"

# The match goes on by the rules it began with: they are kept in the book, not read from the file.
scorekeeper record AC
