"""Others: game libraries that replay written games, against python-chess replaying SAN."""

from __future__ import annotations

import warnings
from random import Random
from typing import TYPE_CHECKING, Any

from tests.benchmarks.shape import Found, Row, Run

if TYPE_CHECKING:
    from collections.abc import Callable

GAMES = 40
BLOCKS = 5
# PokerKit has four players with two hundred chips each.
STACKS, BLINDS, RAISES = [200] * 4, [1, 2, 0, 0], 0.2


def replayed(run: Run, block: Callable[[], int]) -> Found:
    """Measure some blocks of the same games against chess."""
    block()
    return run.beside_chess([block] * BLOCKS)


def _hand(kit: Any, seed: int) -> list[str]:  # PokerKit is not typed here
    """Return a random hand of hold'em in poker hand history notation."""
    random, auto = Random(seed), kit.Automation
    by_hand = (auto.HOLE_DEALING, auto.BOARD_DEALING)
    state = kit.NoLimitTexasHoldem.create_state(
        tuple(each for each in auto if each not in by_hand), True, 0, tuple(BLINDS), 2, 200, 4
    )
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    random.shuffle(deck)
    acts: list[str] = []
    while state.status:
        if state.can_deal_hole():
            cards = deck.pop() + deck.pop()
            state.deal_hole(cards)
            acts.append(f"d dh p{len(acts) + 1} {cards}")
        elif state.can_deal_board():
            cards = "".join(deck.pop() for _ in range(state.board_dealing_count))
            state.deal_board(cards)
            acts.append(f"d db {cards}")
        elif state.can_complete_bet_or_raise_to() and random.random() < RAISES:
            amount = state.min_completion_betting_or_raising_to_amount
            acts.append(f"p{state.actor_index + 1} cbr {amount}")
            state.complete_bet_or_raise_to(amount)
        else:
            acts.append(f"p{state.actor_index + 1} cc")
            state.check_or_call()
    return acts


def pokerkit(run: Run) -> Found:
    """Measure PokerKit replaying hands of hold'em from hand histories, in actions per second."""
    import pokerkit as kit

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PokerKit warns about burnt cards that are not named.
        histories = [
            kit.HandHistory(
                variant="NT", antes=[0] * 4, blinds_or_straddles=BLINDS, min_bet=2,
                starting_stacks=STACKS, actions=_hand(kit, seed),
            )
            for seed in range(GAMES)
        ]  # fmt: skip

        def block() -> int:
            for history in histories:
                for _ in history:
                    pass
            return sum(len(history.actions) for history in histories)

        return replayed(run, block)


def _texts(game: Any, seed: int) -> list[tuple[int, str]]:  # OpenSpiel is not typed
    """Return a random game: for each act the player and the act's text."""
    random, state = Random(seed), game.new_initial_state()
    texts = []
    while not state.is_terminal():
        chance = state.is_chance_node()
        acts = [act for act, _ in state.chance_outcomes()] if chance else state.legal_actions()
        act, who = random.choice(acts), state.current_player()
        texts.append((who, state.action_to_string(who, act)))
        state.apply_action(act)
    return texts


def openspiel(run: Run, name: str) -> Found:
    """Measure OpenSpiel reading and applying the acts of one of its games, including those of
    chance."""
    import pyspiel

    game = pyspiel.load_game(name)
    written = [_texts(game, seed) for seed in range(GAMES)]

    def block() -> int:
        for texts in written:
            state = game.new_initial_state()
            for who, text in texts:
                state.apply_action(state.string_to_action(who, text))
        return sum(map(len, written))

    return replayed(run, block)


def openspiel_hearts(run: Run) -> Found:
    """Measure OpenSpiel (C++) reading and applying the acts of Hearts, including the deal."""
    return openspiel(run, "hearts")


def openspiel_skat(run: Run) -> Found:
    """Measure OpenSpiel (C++) reading and applying the acts of Skat, including the deal."""
    return openspiel(run, "skat")


def openspiel_dice(run: Run) -> Found:
    """Measure OpenSpiel (C++) reading and applying the acts of Liar's Dice, including the rolls."""
    return openspiel(run, "liars_dice")


def openspiel_gin(run: Run) -> Found:
    """Measure OpenSpiel (C++) reading and applying the acts of Gin Rummy, including the deal."""
    return openspiel(run, "gin_rummy")


def rows() -> list[Row]:
    """Return the rows of other libraries, for comparison with those of the engine."""
    return [
        Row("PokerKit, hold'em", pokerkit),
        *(
            Row(f"OpenSpiel (C++), {name}", measure)
            for name, measure in (
                ("Hearts", openspiel_hearts),
                ("Skat", openspiel_skat),
                ("Liar's Dice", openspiel_dice),
                ("Gin Rummy", openspiel_gin),
            )
        ),
    ]
