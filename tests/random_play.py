"""Random play under any shipped ruleset, from a seed. All tests use this generator.

An `Evening` deals the hands (or rolls the dice) of each round and so knows them. They are
entered in the match that it plays. Each entry also has the form of a table that cannot see the
hands, so that the same evening can be played with unseen hands.

The player to act chooses a legal act by chance. Now and then the act is illegal, and the table lets
it stand or withdraws it. Players play only cards of their hand, and never lie about their hand.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from scorekeeper import Failure, Impossible, Match, load_ruleset
from scorekeeper.engine.findings import broken_rules
from tests.card_places import Places
from tests.chance_play import ByOffers
from tests.helpers import SHIPPED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper import Ruleset

ROOT = Path(__file__).parent.parent
NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eva", "Finn"]
DICE = [name for name in SHIPPED if "bids" in load_ruleset(name).phases]
# Phases that this generator can play. Games with other phases are played by their offers.
KNOWN = {
    *("bids", "bouts", "calls", "choice", "counters", "counting", "draw", "exchange", "kitty"),
    *("levels", "parties", "remedies", "reveal", "table", "tricks"),
}


def is_offered(name: str) -> bool:
    """Return whether a ruleset has phases that this generator cannot play. Wishes it can."""
    rules = load_ruleset(name)
    wishes = {"auction"} if "reserve" in rules.all_verbs else set()
    return not (KNOWN | wishes).issuperset(rules.phases)


OFFERED = [name for name in SHIPPED if is_offered(name)]
# Phases that change the number of cards in hands. With a wrong number, play could not end.
SHARING = ("give", "kitty")
# The number of cards in each hand in a round that begins in the middle.
SHORT = 6
# The chance of a word where a card could be played, or dice bid, by the phase.
WORDS = {"bids": 0.3, "bouts": 0.25, "tricks": 0.05}


class Said(NamedTuple):
    """An entry of a table that knows the hands, and of one that does not ("" if it has none).

    `illegal` is true if the entry breaks a rule.
    """

    known: str
    unseen: str
    illegal: bool = False


@cache
def rules_of(name: str) -> Ruleset:
    """Return a shipped ruleset, which is loaded only once."""
    return load_ruleset(name)


@cache
def counts_of(name: str) -> list[int]:
    """Return the numbers of players that the game allows, as far as there are names."""
    found = []
    for count in range(2, len(NAMES) + 1):
        with suppress(Failure):
            Match(rules_of(name), NAMES[:count])
            found.append(count)
    return found


@cache
def evening(name: str, seed: int, most: int = 300) -> Evening:
    """Return an evening that has been played. It is cached, so do not play it on."""
    return Evening(name, seed).play(6 if name in DICE else 2, most)


def result_of(rules: Ruleset, names: list[str], random: Random) -> str:
    """Return a result that a table might enter in place of a whole round."""
    phases = rules.phases
    if "bids" in phases:
        roles = {row["as"] for row in rules.section("outcomes").values()}
        role = random.choice([each for each in ("loser", "gainer") if each in roles])
        result = f"result {role}={random.choice(names)}"
        missed = rules.in_scores(("missed",), (role,))
        return f"{result} dice={random.randint(1, 3)}" if missed else result
    if "bouts" in phases:
        return f"result loser={random.choice(names)}"
    if "levels" in phases:
        return f"result points={random.randrange(0, 200, 5)}"
    one, other = random.sample(names, 2)
    return f"result contract=normal re={one}+{other} points={random.randrange(241)}"


class Evening(Places):
    """A match that is played by chance, with the place of every card.

    `names` are the players, of whom the first ones play. `full` says whether rounds begin with a
    whole deal or in the middle. `wrong` is the chance of an illegal act, and `result` the chance
    of a round that is entered by its result alone. `match` is the match with its hands entered.
    `said` has all entries by rounds.
    """

    def __init__(
        self,
        name: str,
        seed: int,
        *,
        players: int = 0,
        full: bool | None = None,
        wrong: float = 0.08,
        result: float = 0.15,
        names: Sequence[str] = NAMES,
    ) -> None:
        super().__init__(rules_of(name), Random(f"{name} {seed}"))
        self.names = list(names[: players or self.random.choice(counts_of(name))])
        self.match = self.fresh()
        self.full = bool(seed % 2) if full is None else full
        self.wrong, self.result = wrong, result
        self.said: list[list[Said]] = []
        self.offers = ByOffers(self) if name in OFFERED else None

    # --- what came of it

    @property
    def short(self) -> int:
        """The number of cards in each hand in a round that begins in the middle."""
        few = self.match.current_round.deal_size - 2
        return SHORT if self.offers is None else max(1, min(SHORT, few))

    @property
    def over(self) -> bool:
        """True if the last round is finished, or none has begun."""
        return not self.said or (bool(self.match.rounds) and self.match.rounds[-1].over)

    def all(self) -> list[Said]:
        """Return all entries."""
        return [said for part in self.said for said in part]

    def fresh(self) -> Match:
        """Return the match before its first round."""
        return Match(self.rules, self.names)

    # --- playing

    def play(self, rounds: int = 2, most: int = 500) -> Evening:
        """Play that many rounds or entries, or until the match is finished."""
        for _ in range(most):
            if self.match.over or (self.over and len(self.said) == rounds):
                break
            self.step()
        return self

    def step(self) -> None:
        """Play the next event. After a round, start another."""
        if self.over:
            self.said.append([])
            self._begin()
        elif self.draws:
            self._draw(*self.draws.pop(0))
        elif not (self.random.random() < self.wrong and self._go_wrong()):
            if self.offers is None:
                self._go_on()
            else:
                self.offers.go_on()

    def enter(self, known: str, unseen: str | None = None, *, illegal: bool = False) -> None:
        """Record an entry, and keep it as the match wrote it. `unseen` is the entry of a table that
        does not see the hands."""
        known = self.match.record(known).entry
        self.said[-1].append(Said(known, known if unseen is None else unseen, illegal))
        if self.offers is not None:
            self.see_hands(known, self.match)
        elif not known.endswith("!withdrawn"):
            self.move(known.removesuffix(" !stands"), self.match)

    def _go_on(self) -> None:
        """Play an act that is owed, or a legal act."""
        owed = {item["what"] for item in self.match.state["owed"]}
        if "dice" in owed:
            self._show_dice()
        elif "bury" in owed:
            self._bury()
        elif self.kitty and not self.match.to_act:
            self._name_trump(owed)
        elif self.random.random() < 0.02:
            self.enter("note the tea is cold")
        else:
            self._act()

    def _act(self) -> None:
        """Play a random act that the player to act may do."""
        state, legal = self.match.state, self.match.legal()
        turn = f"{state['to_act'][0]}: "
        whole = [text for text in legal if "…" not in text]
        moves = [text for text in whole if self._is_move(text)]
        words = [text for text in whole if not self._is_move(text)]
        # Concede rarely, because it ends the deal.
        words = [t for t in words if not t.endswith(": concede") or self.random.random() < 0.02]
        if state["phase"] == "tricks" and self.random.random() < 0.9:
            moves = [text for text in moves if text.startswith(turn)]
        if words and (not moves or self.random.random() < WORDS.get(state["phase"], 0.3)):
            # Words that every player usually says are first.
            word = words[0] if self.random.random() < 0.5 else self.random.choice(words)
            self.enter(self.by_side(word))
        elif state["phase"] == "tricks" and state["table"]:
            self._answer(turn, moves, f"{turn}…" in legal)
        else:
            larger = f"{turn}attack …" if state["phase"] == "bouts" else f"{turn}…"
            self._lead(moves, larger if larger in legal else "")

    def _lead(self, moves: list[str], larger: str) -> None:
        """Play one of these, or several cards where a line leaves the cards open."""
        rnd, notation = self.match.live_round, self.match.notation
        if larger and rnd.phase is not None and (not moves or self.random.random() < 0.3):
            who, _, act = larger.removesuffix("…").partition(": ")
            entry = notation.read(f"{who}: {act}{self.hands[who][0]}")
            filled = rnd.phase.fill(rnd, entry, self.random)
            if filled is not None and not broken_rules(rnd, filled):
                self.enter(notation.write(filled).text)
                return
        self._move(moves)

    def _answer(self, turn: str, moves: list[str], larger: bool) -> None:
        """Play one of these, or as many other cards as were led."""
        if moves and not (larger and self.random.random() < 0.5):
            self._move(moves)
        else:
            self._follow(turn)

    def _move(self, moves: list[str]) -> None:
        """Play one of the first of these, by chance."""
        self.enter(moves[min(int(self.random.expovariate(0.1)), len(moves) - 1)])

    def by_side(self, text: str) -> str:
        """Return a call with its side, which a table that does not see the hands may not know."""
        who, _, word = text.partition(": ")
        if word not in self.rules.data.get("calls", {}):
            return text
        sides = self.match.state["sides"].items()
        side = next((side for side, names in sides if who in names), "")
        return text if side in (word, "") else f"{who}: {side} {word}"

    def _is_move(self, text: str) -> bool:
        """Return whether cards are played or dice bid."""
        last = text.split()[-1]
        return last in self.rules.pack.kinds or last[0].isdigit()

    def _follow(self, turn: str) -> None:
        """Follow with as many cards as were led when there are too many ways to list them.

        Play first the cards that the game demands, as far as they are known.
        """
        hand = self.hands[turn[:-2]]
        size = min(len(self.match.state["table"][0]["cards"].split()), len(hand))
        group: list[str] = []  # The cards of the led class.
        sets: list[str] = []  # The cards of it that must be played.
        for _ in range(20):
            cards = self._of(sets, group, hand)[:size]
            ruling = self.match.judge(turn + " ".join(cards))
            if ruling.verdict == "legal":
                break
            for finding in ruling.findings:
                if finding.code == "tricks.follow":
                    group = finding.facts["legal"]
                elif "legal" in finding.facts:
                    sets = finding.facts["legal"][0].split()
        # A player who was allowed too many cards cannot play as many as were led any more.
        wrong = ruling.verdict == "illegal"
        self.enter(turn + " ".join(cards) + " !stands" * wrong, illegal=wrong)

    def _of(self, sets: list[str], group: list[str], hand: list[str]) -> list[str]:
        """Return random cards of the hand, these sets first and then that group."""
        rest = self.random.sample(hand, len(hand))
        for card in sets:
            rest.remove(card)
        return sets + sorted(rest, key=lambda card: card not in group)

    # --- rounds

    def _begin(self) -> None:
        """Begin a round by its result alone, or by its start."""
        phases = self.rules.phases
        if self.offers is not None:
            self._begin_by_offers(self.offers)
        elif self.random.random() < self.result:
            self._tell_result()
        elif self._dice:
            self._roll()
        elif "bouts" in phases:
            self._deal_bouts()
        elif "levels" in phases:
            self._deal_levels()
        else:
            self._deal_tricks()

    def _tell_result(self) -> None:
        playing = [name for name, tally in self.match.scores.items() if tally or not self._dice]
        # A player may sit out, or another entry may be due.
        with suppress(Failure):
            self.enter(result_of(self.rules, playing, self.random))
        if not self.said[-1]:
            self.said.pop()

    def _begin_by_offers(self, offers: ByOffers) -> None:
        """Begin a round as its phases offer it, or in the middle with fewer cards."""
        self.hands = {}
        if not self.full and self.rules.pack.kinds:
            self._dealer()
            players = self.match.state["players"]
            playing = [name for name in self.names if not players[name]["out"]]
            self.deal(playing, self.short)
            self._enter_hands()
        offers.go_on()

    @property
    def _dice(self) -> bool:
        return "bids" in self.rules.phases

    @property
    def _levels(self) -> bool:
        """True if all players may be set to the same tally."""
        return self.rules.has("levelling")

    def _enter_hands(self) -> None:
        for name, hand in self.hands.items():
            self.enter(
                f"hand {name}: {' '.join(hand)}", "" if self.full else f"hand {name}: {self.short}"
            )

    def _dealer(self) -> str:
        """Return the dealer of this round, which is sometimes not the expected one."""
        dealer = self.names[self.match.standing["dealer"]]
        if self.random.random() < 0.2:
            dealer = self.random.choice(self.names)
        if self.rules.deal["dealt"]:
            self.enter(f"dealer {dealer}")
        return dealer

    def _deal_tricks(self) -> None:
        self._dealer()
        players = self.match.state["players"]
        playing = [name for name in self.names if not players[name]["out"]]
        rest = self.deal(playing, players[playing[0]]["cards"] if self.full else SHORT)
        self.kitty = rest if self.full else []
        self._enter_hands()

    def _deal_levels(self) -> None:
        size = self.rules.deal_size(len(self.names))
        rest = self.deal(self.names, size if self.full else SHORT)
        if not (self.full and self.match.rounds):
            self.enter(f"trump {self.random.choice('CSHD')}")
            self.enter(f"master {self.random.choice(self.names)}")
        self._enter_hands()
        self.kitty = rest if self.full else []

    def _deal_bouts(self) -> None:
        dealer = self._dealer()
        rest = self.deal(self.names, 6)
        self.turned = ""
        if not self.full:
            self.talon = rest[: self.random.randint(0, 6)]
            trumps = [suit for suit in "CSHD" if suit not in self._barred()]
            self.enter(f"talon {len(self.talon)}")
            self.enter(f"trump {self.random.choice(trumps)}")
            self.enter(f"lead {self.random.choice(self.names)}")
        elif not rest:
            self.enter(f"turnup {self.hands[dealer][0]}")
        while self.full and rest and not self.match.state["bindings"]["trump"]:
            self.turned = rest.pop(0)
            self.enter(f"turnup {self.turned}")
            if self.turned[-1] in self._barred():
                rest.insert(self.random.randint(1, len(rest)), self.turned)
            else:
                self.talon = [*rest, self.turned]
        self._enter_hands()

    def _barred(self) -> list[str]:
        """Return the suits that are never trump."""
        found: list[str] = self.rules.data["phases"]["bouts"]["never_trump"]
        return found

    def _roll(self) -> None:
        """Enter events between rounds of dice: a foul, one die for each player, another number of
        dice."""
        playing = [name for name, dice in self.match.scores.items() if dice]
        who = self.random.choice(playing)
        if not self.full and len(self.said) == 1:
            for name in self.names:
                word = "hand" if self.rules.numbers.dice_are_tally else "standing"
                self.enter(f"{word} {name}: {self.random.randint(1, 3)}")
        chance = self.random.random()
        if chance < 0.1:
            self.enter(f"foul {who}: looked under a cup")
        elif chance < 0.2 and max(self.match.scores.values()) > 1 and self._levels:
            self.enter("sudden-death")
        else:
            self.enter(self.random.choice(self.match.legal()[:8]))

    def _show_dice(self) -> None:
        """Show the dice of every player. A table may enter only their count."""
        state = self.match.state
        owed = [item["who"] for item in state["owed"]]
        rolled = {
            who: [self.random.randint(1, 6) for _ in range(state["players"][who]["dice"])]
            for who in owed
        }
        for who in owed:
            self.enter(f"dice {who}: {' '.join(map(str, rolled[who]))}", "")
        count = self.match.state["bindings"]["matching_count"]
        self.said[-1].append(Said("", f"count {count}"))

    # --- the kitty

    def _name_trump(self, owed: set[str]) -> None:
        """Declare a trump by a player, exchange cards owed to the master, or turn up the kitty."""
        declared = [text for text in self.match.legal() if ": declare " in text]
        if declared and self.random.random() < 0.5:
            self.enter(self.random.choice(declared))
        elif not ("exchange" in owed and self._exchange()):
            self.enter(f"kitty {' '.join(self.kitty)}")

    def _exchange(self) -> bool:
        """Exchange cards of the master for the best ones of the giver. Return false if too many are
        owed."""
        (item,) = (item for item in self.match.state["owed"] if item["what"] == "exchange")
        master, giver = item["to"], item["who"]
        for size in range(min(item["cards"], 2), 0, -1):
            given = " ".join(self.random.sample(self.hands[master], size))
            for taken in set(combinations(sorted(self.hands[giver]), size)):
                text = f"{master}: exchange {given} for {' '.join(taken)} with {giver}"
                with suppress(Impossible):
                    if self.match.judge(text).verdict == "legal":
                        self.enter(text)
                        return True
        return False

    def _bury(self) -> None:
        """Bury as many of the master's cards as the kitty had."""
        master = self.match.to_act[0]
        cards = self.random.sample(self.hands[master], len(self.kitty))
        self.enter(f"{master}: bury {' '.join(cards)}", f"{master}: bury {len(cards)}")
        self.kitty = []

    # --- what is illegal

    def _go_wrong(self) -> bool:
        """Enter an illegal act that stands or is withdrawn. Return false if there is none."""
        state, decision = self.match.state, self.random.choice(["stands", "withdrawn"])
        if state["phase"] in SHARING:
            decision = "withdrawn"
        if self.offers is not None and not self.match.live_round.acted:
            return False  # The hands are still being dealt.
        tried = self._attempts(state) if self.offers is None else self.offers.wrong_acts()
        for text in tried:
            with suppress(Failure):
                if self.match.judge(text).verdict == "illegal":
                    self.enter(f"{text} !{decision}", illegal=True)
                    return True
        return False

    def _attempts(self, state: dict[str, Any]) -> Iterator[str]:
        """Yield acts that a player might try with the cards of the hand."""
        phase = state["phase"]
        if phase == "bouts" and not state["table"] and not state["bindings"]["last_bout"]:
            return  # The right to lead first can depend on hands, which a table does not see.
        for who in self.random.sample(self.names, len(self.names)):
            if phase == "bids":
                yield f"{who}: {self.random.randint(1, 5)}x{self.random.randint(1, 6)}"
            if phase not in ("bouts", "tricks") or not self.hands.get(who):
                continue
            card = self.random.choice(self.hands[who])
            if phase == "tricks":
                yield f"{who}: {card}"
                continue
            lying = [row["attack"] for row in state["table"] if row["cover"] is None]
            acts = [f"attack {card}", "pass", "take"]
            acts += [f"cover {attack} {card}" for attack in lying]
            # With sides, the next player may be a partner, who cannot defend.
            acts += [] if self.match.state["sides"] else [f"transfer {card}"]
            yield f"{who}: {self.random.choice(acts)}"

    # --- draws

    def _draw(self, who: str, cards: list[str]) -> None:
        text = f"{who}: draw {' '.join(cards)}"
        self.enter(text, text if self.random.random() < 0.3 else "")
