"""What a ruleset may set of its bouts."""

from scorekeeper.core import untrusted
from scorekeeper.ruleset.orders import SUIT_NAMES
from scorekeeper.ruleset.tables import Parameter

NAME = "bouts"  # of the phase
NOBODY = "draw"  # nobody lost
IN_PACK = (0, untrusted.CARDS)
MOST = (1, untrusted.CARDS)  # attacks of a bout
SUITS = tuple(SUIT_NAMES)

PARAMETERS = {
    "fill": Parameter("number", "how many cards hands are filled up to", 6, bounds=IN_PACK),
    "most": Parameter("number", "the most attacks of a bout", 6, bounds=MOST),
    "limit": Parameter(
        "choice",
        "attacks are also limited by the cards that the defender held when they became it"
        " (`before`), holds at the moment (`now`), or not at all (`none`)",
        "before",
        ("before", "now", "none"),
    ),
    "at_once": Parameter(
        "number",
        "the most cards that are led, or added, at a time (0: any number; `laid` is 0 at the lead)",
        0,
        bounds=IN_PACK,
    ),
    "take": Parameter(
        "choice",
        "who says that they take ends the bout (`at-once`), or proposes it (`proposal`)",
        "proposal",
        ("proposal", "at-once"),
    ),
    "adders": Parameter(
        "choice",
        "who may add attacks: all but the defender (`others`), the other `side`, the"
        " defender's two neighbours, or the leader alone",
        "others",
        ("others", "side", "neighbours", "leader"),
    ),
    "foremost": Parameter(
        "choice",
        "who is the first attacker after a transfer",
        "leader",
        ("leader", "transferrer"),
    ),
    "refill": Parameter(
        "texts",
        "in which order hands are filled up: `defender`, `leader`, `others`",
        ["defender", "leader", "others"],
        ("defender", "leader", "others"),
    ),
    "out": Parameter(
        "choice",
        "with the talon empty an attacker is out when they lay their last card (`at-once`), or"
        " when the bout is over (`after`)",
        "at-once",
        ("at-once", "after"),
    ),
    "heir": Parameter(
        "choice",
        "who leads, with sides, in place of a defender who is out: the next of their `side`, or"
        " the next at the `table`",
        "side",
        ("side", "table"),
    ),
    "leads": Parameter(
        "texts",
        "who leads in the first deal: the first of these that there is: the holder of the `lowest`"
        " trump, the player `after-dealer`, the `dealer`",
        ["after-dealer"],
        ("lowest", "after-dealer", "dealer"),
    ),
    "touch": Parameter(
        "choice",
        "who touches the pack before the deal becomes the dealer: the `last` or the `first` of"
        " several, or nobody (`no`)",
        "no",
        ("no", "last", "first"),
    ),
    "never_trump": Parameter(
        "texts", "suits that cannot be trump: another card is turned", [], SUITS
    ),
    "shown": Parameter(
        "choice",
        "with no talon left, the card that shows trump is the `dealer`'s, or `nobody`'s",
        "dealer",
        ("dealer", "nobody"),
    ),
    "returns": Parameter(
        "choice",
        "of cards laid together by one player, those laid `last` go back first, or the `first`",
        "last",
        ("last", "first"),
    ),
    "nobody": Parameter(
        "choice",
        "when nobody has cards left: a draw, or who loses",
        NOBODY,
        (NOBODY, "defender", "leader"),
    ),
}
