"""The standard of comparison: python-chess reading and pushing moves of random games."""

from __future__ import annotations

import time
from random import Random

import chess


def games(count: int) -> list[list[str]]:
    """Return random games of chess in SAN."""
    found = []
    for seed in range(count):
        random, board = Random(seed), chess.Board()
        moves: list[str] = []
        while len(moves) < 100 and not board.is_game_over():
            move = random.choice(list(board.legal_moves))
            moves.append(board.san(move))
            board.push(move)
        found.append(moves)
    return found


def replayed(texts: list[list[str]]) -> float:
    """Return the seconds that python-chess takes to read and push these moves."""
    start = time.process_time()
    for moves in texts:
        board = chess.Board()
        for san in moves:
            board.push_san(san)
    return time.process_time() - start
