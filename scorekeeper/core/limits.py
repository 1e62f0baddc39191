"""How much a ruleset, its options and a record may hold. May import nothing.

Rulesets and records come from strangers, so all of it is checked before anything is built. The
guide (rulesets/README.md) and docs/records.md say the same numbers; a test compares them.
"""

# --- rulesets and options

NUMBERS = (-999_999, 999_999)  # whole numbers, where a key does not say less
FILE_BYTES = 256 * 1024  # of a ruleset, and of its rule text
DEPTH = 16  # tables and lists inside one another
CHAIN = 8  # rulesets that extend one another
KEY_PARTS = 100  # dots in a line, outside of texts
ROWS = 400  # of a table
ROW_NAME = 60  # characters
TEXT = 1_000  # characters of a value
ITEMS = 400  # of a list
OPTIONS = 400  # values that are set
FAULTS = 100  # that are told

RANKS = 50
RANK_NAME = 3  # characters
JOKERS = 20
COPIES = 20
CARDS = 1_000  # of a pack
CARD_POINTS = 1_000  # of a card
PLAYERS = 200  # of a match
FACES = 20  # of a die
DICE = 50  # that a player may hold
POINTS = 1_000_000_000  # of a line of a score

# --- records

RECORD_BYTES = 8 * 1024 * 1024
RECORD_LINES = 200_000  # outside of texts
RECORD_LINE = 16 * 1024  # characters of a line outside of texts
JSON_BYTES = 32 * 1024 * 1024  # of a JSON file, and of a line of JSON lines
JSON_VALUES = 2_000_000  # in these
TABLE_BYTES = 8 * 1024 * 1024  # of a table of scores
TABLE_ROWS = 100_000
TABLE_COLUMNS = 250
ROUNDS = 50_000
CLAIMABLE = 60  # acts and tellings of a round that may be claimed or weighed at once
