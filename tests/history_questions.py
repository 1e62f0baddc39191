"""The questions behind statistics in simple SQL, which use none of the program's own computation.

The tables for the questions, however they were filled (`tests/history_compare.py`):

    matches  match ruleset day place over         those of which anything is recorded
    sat      match player side tally              who sits there, with the current tally
    played   match round over void                each round and who sat there: the tally
             player side before change sat_out    before it, what it changed (NULL: no score)
    held     match round player role              who had which role
    items    match round player fact item         the items of a player's fact, a row for each
    rules    ruleset wins out_at stopped how      the ruleset's choices: who is out at which
             shared fixed                         tally, how a round is won, if sides share one
    winning  ruleset role sign                    roles that win a round (1), or lose it (-1)
    counted  ruleset line role                    statistics that count a role
    alone    ruleset line role wanted             of these the roles that one must have, too
    acts     match round player word              what they did that counts
    verbs    ruleset line verb                    statistics that count acts
    others   ruleset line role                    of these the roles that another must have
    listed   ruleset line fact item               statistics that count items (NULL: any)
    parts    ruleset breakdown role               breakdowns by roles
    by_fact  ruleset breakdown fact role success  breakdowns by a fact: of whom (NULL: everybody),
                                                  and in which fact parts are that went well

Every statement runs in SQLite and in DuckDB. The last column of a question is its answer. The
columns before it identify the subject.
"""

from __future__ import annotations

TABLES = """
CREATE TABLE matches (match BIGINT, ruleset TEXT, day TEXT, place TEXT, over INTEGER);
CREATE TABLE sat (match BIGINT, player TEXT, side TEXT, tally BIGINT);
CREATE TABLE played (match BIGINT, round INTEGER, over INTEGER, void INTEGER, player TEXT,
                     side TEXT, before BIGINT, change BIGINT, sat_out INTEGER);
CREATE TABLE held (match BIGINT, round INTEGER, player TEXT, role TEXT);
CREATE TABLE rules (ruleset TEXT, wins TEXT, out_at BIGINT, stopped TEXT, how TEXT,
                    shared INTEGER, fixed INTEGER);
CREATE TABLE winning (ruleset TEXT, role TEXT, sign INTEGER);
CREATE TABLE counted (ruleset TEXT, line TEXT, role TEXT);
CREATE TABLE alone (ruleset TEXT, line TEXT, role TEXT);
CREATE TABLE items (match BIGINT, round INTEGER, player TEXT, fact TEXT, item TEXT);
CREATE TABLE acts (match BIGINT, round INTEGER, player TEXT, word TEXT);
CREATE TABLE verbs (ruleset TEXT, line TEXT, verb TEXT);
CREATE TABLE others (ruleset TEXT, line TEXT, role TEXT);
CREATE TABLE listed (ruleset TEXT, line TEXT, fact TEXT, item TEXT);
CREATE TABLE parts (ruleset TEXT, breakdown TEXT, role TEXT);
CREATE TABLE by_fact (ruleset TEXT, breakdown TEXT, fact TEXT, role TEXT, success TEXT)
"""

# Common parts of several questions. Each uses those before it.
STEPS = """
-- Who took part in a finished round, and whether they won it (1) or lost it (-1) by their roles.
CREATE TABLE signed AS
SELECT h.match, h.round, h.player, max(w.sign) AS sign
FROM held h JOIN matches m ON m.match = h.match
JOIN winning w ON w.ruleset = m.ruleset AND w.role = h.role
GROUP BY h.match, h.round, h.player;

CREATE TABLE there AS
SELECT m.ruleset, p.*, r.how, r.wins
FROM played p JOIN matches m ON m.match = p.match JOIN rules r ON r.ruleset = m.ruleset
WHERE p.over = 1 AND p.sat_out = 0 AND (r.out_at IS NULL OR p.before > r.out_at);

CREATE TABLE went AS
SELECT t.*, CASE WHEN t.void = 1 THEN 0 WHEN t.how = 'roles' THEN coalesce(s.sign, 0)
                 WHEN t.high = t.low OR t.change IS NULL THEN 0
                 WHEN t.change = CASE t.how WHEN 'most' THEN t.high ELSE t.low END THEN 1
                 ELSE -1 END AS sign
FROM (SELECT *, max(change) OVER (PARTITION BY match, round) AS high,
                min(change) OVER (PARTITION BY match, round) AS low FROM there) t
LEFT JOIN signed s ON s.match = t.match AND s.round = t.round AND s.player = t.player;

-- Rounds of which it is known who won them, if anybody did.
CREATE TABLE decided AS
SELECT match, round FROM went GROUP BY match, round
HAVING max(void) = 0 AND (count(change) > 0 OR max(abs(sign)) = 1);

-- Who took part in a match: in a round of it, or in none because they were out, or nobody did yet.
CREATE TABLE took AS
SELECT m.match, m.ruleset, m.day, s.player, s.side, s.tally,
       coalesce(n.points, 0) AS points, coalesce(n.last_in, 0) AS last_in
FROM sat s JOIN matches m ON m.match = s.match JOIN rules r ON r.ruleset = m.ruleset
LEFT JOIN (
    SELECT p.match, p.player, sum(p.over) AS rounds, sum(p.change * p.over) AS points,
           sum(CASE WHEN p.over = 1 AND p.sat_out = 0 AND (r.out_at IS NULL OR p.before > r.out_at)
                    THEN 1 ELSE 0 END) AS present,
           max(CASE WHEN p.over = 1 AND p.before <= r.out_at THEN 1 ELSE 0 END) AS out,
           max(CASE WHEN p.before > r.out_at THEN p.round ELSE 0 END) AS last_in
    FROM played p JOIN matches m ON m.match = p.match JOIN rules r ON r.ruleset = m.ruleset
    GROUP BY p.match, p.player) n ON n.match = s.match AND n.player = s.player
LEFT JOIN (SELECT match, max(over) AS over FROM played GROUP BY match) f ON f.match = m.match
WHERE n.present > 0 OR n.out = 1 OR coalesce(f.over, 0) = 0;

-- Matches that have a result, and how good what each came to is: higher is better.
CREATE TABLE ranked AS
SELECT t.*, CASE r.wins WHEN 'most' THEN t.tally WHEN 'fewest' THEN -t.tally
                 ELSE CASE WHEN t.tally > r.out_at THEN 1000000 + t.tally ELSE t.last_in END
                 END AS worth,
       CASE WHEN r.shared = 1 THEN t.side ELSE t.player END AS party
FROM took t JOIN matches m ON m.match = t.match JOIN rules r ON r.ruleset = m.ruleset
WHERE m.over = 1 OR (r.stopped = 'stands'
    AND EXISTS (SELECT 1 FROM played p WHERE p.match = m.match AND p.over = 1));

CREATE TABLE placed AS
SELECT a.match, a.ruleset, a.day, a.player, a.side, a.party, a.points,
       1 + count(DISTINCT b.party) AS place
FROM ranked a LEFT JOIN ranked b ON b.match = a.match AND b.worth > a.worth
GROUP BY a.match, a.ruleset, a.day, a.player, a.side, a.party, a.points;

CREATE TABLE won AS
SELECT p.*, CASE WHEN max(place) OVER (PARTITION BY match) = 1 THEN 0
                 WHEN place = 1 THEN 1 ELSE -1 END AS sign
FROM placed p;
"""


# The figures of a player, of rows with `ruleset player`. Every other column is a figure.
PLAYERS = [
    "SELECT ruleset, player, count(*) AS played, sum(points) AS points FROM took GROUP BY 1, 2",
    """SELECT t.ruleset, t.player, count(*) - count(p.place) AS unfinished
       FROM took t LEFT JOIN placed p ON p.match = t.match AND p.player = t.player GROUP BY 1, 2""",
    """SELECT ruleset, player, sum(CASE WHEN sign = 1 THEN 1 ELSE 0 END) AS won
       FROM won GROUP BY 1, 2""",
    """SELECT ruleset, player, count(*) AS rounds, sum(CASE WHEN void = 0 AND change IS NOT NULL
              THEN 1 ELSE 0 END) AS rounds_scored FROM there GROUP BY 1, 2""",
    """SELECT w.ruleset, w.player, count(*) AS rounds_decided,
              sum(CASE WHEN sign = 1 THEN 1 ELSE 0 END) AS rounds_won,
              sum(CASE WHEN sign = -1 THEN 1 ELSE 0 END) AS rounds_lost
       FROM went w JOIN decided d ON d.match = w.match AND d.round = w.round GROUP BY 1, 2""",
    """SELECT ruleset, player, avg(change) AS per_round FROM there
       WHERE void = 0 AND change IS NOT NULL GROUP BY 1, 2""",
    """SELECT t.ruleset, t.player, 1.0 * t.points / nullif(t.matches, 0) AS per_match
       FROM (SELECT t.ruleset, t.player, sum(t.points) AS points,
                    sum(CASE WHEN m.over = 1 OR EXISTS (SELECT 1 FROM played p WHERE p.over = 1
                        AND p.match = t.match) THEN 1 ELSE 0 END) AS matches
             FROM took t JOIN matches m ON m.match = t.match GROUP BY 1, 2) t""",
    """SELECT r.ruleset, r.player, 1.0 * r.won / r.decided AS round_share FROM (
           SELECT w.ruleset, w.player, count(*) AS decided,
                  sum(CASE WHEN sign = 1 THEN 1 ELSE 0 END) AS won
           FROM went w JOIN decided d ON d.match = w.match AND d.round = w.round GROUP BY 1, 2) r
       WHERE EXISTS (SELECT 1 FROM went o WHERE o.ruleset = r.ruleset AND o.sign = 1)""",
]
# Final places: `ruleset player place`, and how often.
PLACES = "SELECT ruleset, player, place, count(*) AS times FROM placed GROUP BY 1, 2, 3"
COUNTS = """
SELECT c.ruleset, p.player, c.line, count(*) AS times
FROM counted c JOIN matches m ON m.ruleset = c.ruleset JOIN played p ON p.match = m.match
JOIN held h ON h.match = p.match AND h.round = p.round AND h.player = p.player AND h.role = c.role
WHERE p.void = 0 AND p.over = 1 AND (
    NOT EXISTS (SELECT 1 FROM alone a WHERE a.ruleset = c.ruleset AND a.line = c.line)
    OR EXISTS (SELECT 1 FROM alone a JOIN held o ON o.role = a.role WHERE a.ruleset = c.ruleset
               AND a.line = c.line AND o.match = p.match AND o.round = p.round
               AND o.player = p.player))
GROUP BY 1, 2, 3"""
ACTS = """
SELECT v.ruleset, p.player, v.line, count(*) AS times
FROM verbs v JOIN matches m ON m.ruleset = v.ruleset JOIN played p ON p.match = m.match
JOIN acts a ON a.match = p.match AND a.round = p.round AND a.player = p.player AND a.word = v.verb
WHERE p.void = 0 AND p.over = 1 AND (
    NOT EXISTS (SELECT 1 FROM alone o WHERE o.ruleset = v.ruleset AND o.line = v.line)
    OR EXISTS (SELECT 1 FROM alone o JOIN held h ON h.role = o.role WHERE o.ruleset = v.ruleset
               AND o.line = v.line AND h.match = p.match AND h.round = p.round
               AND h.player = p.player)
) AND (
    NOT EXISTS (SELECT 1 FROM others o WHERE o.ruleset = v.ruleset AND o.line = v.line)
    OR (SELECT max(CASE WHEN h.player = p.player THEN 2 ELSE 1 END) FROM others o
        JOIN held h ON h.role = o.role WHERE o.ruleset = v.ruleset AND o.line = v.line
        AND h.match = p.match AND h.round = p.round) = 1
) GROUP BY 1, 2, 3"""
LISTED = """
SELECT l.ruleset, i.player, l.line, count(*) AS times
FROM listed l JOIN matches m ON m.ruleset = l.ruleset JOIN played p ON p.match = m.match
JOIN items i ON i.match = p.match AND i.round = p.round AND i.player = p.player
            AND i.fact = l.fact AND (l.item IS NULL OR i.item = l.item)
WHERE p.void = 0 AND p.over = 1 GROUP BY 1, 2, 3"""
# Rounds on one side, void ones counted separately. A shared tally counts once for each player.
PAIRS = """
SELECT m.ruleset, a.player AS one, b.player AS other, count(*) AS rounds,
       count(d.match) AS decided, sum(CASE WHEN a.sign = 1 AND b.sign = 1 THEN 1 ELSE 0 END) AS won,
       sum(CASE WHEN r.shared = 1 THEN a.change ELSE a.change + b.change END) AS points,
       1.0 * sum(CASE WHEN r.shared = 1 THEN a.change ELSE a.change + b.change END)
           / count(a.change) AS per_round
FROM went a JOIN went b ON b.match = a.match AND b.round = a.round AND b.side = a.side
                       AND a.player < b.player
JOIN matches m ON m.match = a.match JOIN rules r ON r.ruleset = m.ruleset
LEFT JOIN decided d ON d.match = a.match AND d.round = a.round
WHERE a.void = 0 GROUP BY 1, 2, 3"""
AGAINST = [
    """SELECT a.ruleset, a.player, b.player AS other, count(*) AS matches,
              sum(CASE WHEN a.place < b.place THEN 1 ELSE 0 END) AS ahead,
              sum(CASE WHEN a.place > b.place THEN 1 ELSE 0 END) AS behind,
              sum(CASE WHEN a.place = b.place THEN 1 ELSE 0 END) AS even
       FROM placed a JOIN placed b ON b.match = a.match AND b.player <> a.player
       JOIN rules r ON r.ruleset = a.ruleset
       WHERE r.fixed = 0 OR a.side <> b.side GROUP BY 1, 2, 3""",
    """SELECT a.ruleset, a.player, b.player AS other, count(*) AS rounds,
              sum(a.change - b.change) AS points
       FROM there a JOIN there b ON b.match = a.match AND b.round = a.round
                                AND b.player <> a.player
       JOIN rules r ON r.ruleset = a.ruleset
       WHERE a.void = 0 AND (r.fixed = 0 OR a.side <> b.side) GROUP BY 1, 2, 3""",
]
DAYS = """
SELECT m.ruleset, m.day, p.player, sum(CASE WHEN p.over = 1 THEN p.change ELSE 0 END) AS points
FROM matches m JOIN played p ON p.match = m.match GROUP BY 1, 2, 3"""
BREAKDOWNS = """
SELECT w.ruleset, b.breakdown, h.role, w.player, count(*) AS rounds,
       count(d.match) AS decided, sum(CASE WHEN w.sign = 1 THEN 1 ELSE 0 END) AS won,
       sum(w.change) AS points,
       1.0 * sum(w.change) / count(w.change) AS per_round
FROM went w JOIN parts b ON b.ruleset = w.ruleset
JOIN held h ON h.match = w.match AND h.round = w.round AND h.player = w.player AND h.role = b.role
LEFT JOIN decided d ON d.match = w.match AND d.round = w.round
WHERE w.void = 0 GROUP BY 1, 2, 3, 4"""
BY_FACT = """
SELECT w.ruleset, b.breakdown, i.item, w.player, count(*) AS rounds,
       sum(CASE WHEN b.success IS NULL AND d.match IS NULL THEN 0 ELSE 1 END) AS decided,
       sum(CASE WHEN b.success IS NULL THEN CASE WHEN w.sign = 1 THEN 1 ELSE 0 END
                WHEN k.item IS NULL THEN 0 ELSE 1 END) AS won,
       sum(w.change) AS points, 1.0 * sum(w.change) / count(w.change) AS per_round
FROM went w JOIN by_fact b ON b.ruleset = w.ruleset
JOIN (SELECT DISTINCT * FROM items) i ON i.match = w.match AND i.round = w.round
     AND i.player = w.player AND i.fact = b.fact
LEFT JOIN decided d ON d.match = w.match AND d.round = w.round
LEFT JOIN (SELECT DISTINCT * FROM items) k ON k.match = w.match AND k.round = w.round
     AND k.player = w.player AND k.fact = b.success AND k.item = i.item
WHERE w.void = 0 AND (b.role IS NULL OR EXISTS (SELECT 1 FROM held h WHERE h.match = w.match
    AND h.round = w.round AND h.player = w.player AND h.role = b.role))
GROUP BY 1, 2, 3, 4"""
MATCHES = [
    """SELECT ruleset, count(*) AS matches, min(day) AS first, max(day) AS last
       FROM matches GROUP BY 1""",
    """SELECT m.ruleset, count(DISTINCT p.match * 100000 + p.round) AS rounds
       FROM matches m JOIN played p ON p.match = m.match WHERE p.over = 1 GROUP BY 1""",
    """SELECT m.ruleset, count(r.match) AS counted, count(*) - count(r.match) AS left_out
       FROM matches m LEFT JOIN (SELECT DISTINCT match FROM ranked) r ON r.match = m.match
       WHERE m.over = 0 GROUP BY 1""",
]

# Final places of each match, in the order in which ratings change.
PLACED = """SELECT ruleset, match, party, player, place FROM placed
            ORDER BY ruleset, day, match, party, player"""
# Leagues of one ruleset each, by every criterion: only matches that have a result.
LEAGUES = """
SELECT ruleset, "by", player, value, matches, rounds, points, won, mean_place,
       1.0 * points / matches AS per_match, 1.0 * made / nullif(scored, 0) AS per_round,
       rank() OVER (PARTITION BY ruleset, "by" ORDER BY value * good) AS place
FROM (
    SELECT l.*, b.*, CASE b."by" WHEN 'points' THEN l.points WHEN 'wins' THEN l.won
                     WHEN 'average' THEN 1.0 * l.points / l.matches ELSE l.mean_place END AS value,
           CASE WHEN b."by" = 'places' OR (l.wins = 'fewest' AND b."by" <> 'wins') THEN 1
                ELSE -1 END AS good
    FROM (SELECT w.ruleset, w.player, r.wins, count(*) AS matches, sum(w.points) AS points,
                 sum(CASE WHEN w.sign = 1 THEN 1 ELSE 0 END) AS won, avg(w.place) AS mean_place,
                 sum(n.rounds) AS rounds, sum(n.scored) AS scored, sum(n.made) AS made
          FROM won w JOIN rules r ON r.ruleset = w.ruleset
          LEFT JOIN (SELECT match, player, count(*) AS rounds,
                            sum(CASE WHEN void = 0 AND change IS NOT NULL THEN 1 ELSE 0 END)
                            AS scored,
                            sum(CASE WHEN void = 0 THEN change ELSE 0 END) AS made
                     FROM there GROUP BY match, player) n
          ON n.match = w.match AND n.player = w.player
          GROUP BY w.ruleset, w.player, r.wins) l
    CROSS JOIN (SELECT 'points' AS "by" UNION ALL SELECT 'average' UNION ALL SELECT 'wins'
                UNION ALL SELECT 'places') b) AS valued"""


def streaks(rows: str, order: str, name: str) -> str:
    """Return the longest runs of wins and losses, and the last run, of rows with `ruleset player
    sign`.

    The last run is negative for losses, and 0 for a round that is neither.
    """
    return f"""
WITH numbered AS (
    SELECT ruleset, player, sign,
           row_number() OVER (PARTITION BY ruleset, player ORDER BY {order}) AS nth,
           row_number() OVER (PARTITION BY ruleset, player, sign ORDER BY {order}) AS among
    FROM {rows}),
runs AS (
    SELECT ruleset, player, sign, count(*) AS length, max(nth) AS ends
    FROM numbered GROUP BY ruleset, player, sign, nth - among),
ended AS (SELECT ruleset, player, max(ends) AS ends FROM runs GROUP BY ruleset, player)
SELECT r.ruleset, r.player,
       max(CASE WHEN r.sign = 1 THEN r.length ELSE 0 END) AS "{name}won",
       max(CASE WHEN r.sign = -1 THEN r.length ELSE 0 END) AS "{name}lost",
       sum(CASE WHEN r.ends = e.ends THEN r.sign * r.length ELSE 0 END) AS "{name}current"
FROM runs r JOIN ended e ON e.ruleset = r.ruleset AND e.player = r.player
GROUP BY r.ruleset, r.player"""


def extreme(rows: str, points: str, place: str, order: str, name: str) -> str:
    """Return the first row of each player with the most, or the fewest, of these points."""
    return f"""
SELECT n.ruleset, n.player, {points} AS "{name}.points", {place}
FROM (SELECT *, row_number() OVER (PARTITION BY ruleset, player ORDER BY {order}) AS nth
      FROM {rows}) AS n WHERE nth = 1"""


def extremes() -> list[str]:
    """Return the best and the worst round and match, by the most points, or the fewest if few are
    good."""
    found = []
    for name, sign in (("best", "-"), ("worst", "")):
        good = "CASE WHEN r.wins = 'fewest' THEN -1 ELSE 1 END"
        scored = f"""(SELECT t.*, m.day, {good} AS good FROM there t
                     JOIN matches m ON m.match = t.match JOIN rules r ON r.ruleset = m.ruleset
                     WHERE t.void = 0 AND t.change IS NOT NULL) s"""
        where = f'n.match AS "{name}.round.match", n.round AS "{name}.round.round"'
        order = f"{sign}good * change, day, match, round"
        found.append(extreme(scored, "n.change", where, order, f"{name}.round"))
        ended = f"""(SELECT p.*, {good} AS good FROM placed p
                    JOIN rules r ON r.ruleset = p.ruleset) e"""
        where = f'n.match AS "{name}.match.match"'
        order = f"{sign}good * points, day, match"
        found.append(extreme(ended, "n.points", where, order, f"{name}.match"))
    return found


# Rounds that a player may have won, with their day.
TURNS = """(SELECT w.*, m.day FROM went w JOIN matches m ON m.match = w.match
            JOIN decided d ON d.match = w.match AND d.round = w.round) AS t"""
# The questions, each with the number of columns that identify its subject.
QUESTIONS: dict[str, tuple[int, list[str]]] = {
    "matches": (1, MATCHES),
    "players": (
        2,
        [
            *PLAYERS,
            *extremes(),
            streaks("won", "day, match", "streaks."),
            streaks(TURNS, "day, match, round", "streaks.rounds_"),
        ],
    ),
    "places": (3, [PLACES]),
    "counts": (3, [COUNTS, ACTS, LISTED]),
    "pairs": (3, [PAIRS]),
    "against": (3, AGAINST),
    "days": (3, [DAYS]),
    "breakdowns": (4, [BREAKDOWNS, BY_FACT]),
    "leagues": (3, [LEAGUES]),
}
