#!/usr/bin/env python3
"""Compares `repertoire` with a search by brute force, with the positions and moves of python-chess.

    PYTHONPATH=~/python-chess tests/long/repertoires.py --fendex build/src/fendex archive.pgn

Takes 2,000 games of the archive for each of 20 repertoires: some written by hand (below, and in
samples/), the others made from the moves that these games played, with several openings and
transpositions. python-chess, which must be installed, reads the lines and the games; each position
of each game is looked up. The rows of all three lists are compared, for White and for Black. Prints
totals and what differs; exit status 1 if anything does.
"""

import argparse
import collections
import functools
import io
import json
import logging
import pathlib
import random
import sys
import tempfile

import chess
import chess.pgn

from python_chess import fendex, key_of

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "samples" / "repertoire.txt"
BY_HAND = [
    # Several ways to the same positions, and a line that ends where another one goes on.
    "1. d4 Nf6 (1... d5 2. c4 e6 (2... c6 3. Nf3 Nf6 4. Nc3) (2... dxc4 3. e3) 3. Nc3 Nf6) "
    "2. c4 e6 (2... g6 3. Nc3 Bg7 4. e4 d6 5. Nf3) 3. Nc3 (3. Nf3 d5 4. Nc3) 3... Bb4 (3... d5 "
    "4. Nf3 Be7) 4. e3 *",
    # Contradictions, and repetitions.
    "1. e4 c5 (1... e5 2. Nf3 Nc6 (2... Nf6 3. Ng1 Ng8 4. Nf3 Nc6 5. Bb5) 3. Bb5 (3. Bc4 Bc5 4. c3)"
    " 3... a6 4. Ba4) 2. Nf3 (2. Nc3 Nc6 3. Nf3 d6) 2... Nc6 3. d4 (3. Nc3) *\n\n1. Nf3 c5 2. e4 *",
    # The lines of a player with Black.
    "1. e4 c6 2. d4 (2. Nc3 d5 3. Nf3) (2. c4 d5) 2... d5 3. e5 (3. exd5 cxd5 4. c4) (3. Nc3 dxe4)"
    " 3... Bf5 *\n\n1. d4 d5 2. c4 c6 3. Nf3 (3. cxd5 cxd5) 3... Nf6 4. Nc3 *\n\n1. c4 c6 2. e4 d5 *",
    # From a position that is set up, with a right move number and without one.
    '[SetUp "1"]\n[FEN "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2"]\n\n'
    "2. Nf3 d6 (2... Nc6 3. d4) (2... e6 3. d4) 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 *\n\n1. e4 c5 *",
    '[SetUp "1"]\n[FEN "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"]\n\n'
    "1... Nf6 2. c4 (2. Nf3 g6) 2... g6 3. Nc3 Bg7 (3... d5) 4. e4 d6 *",
]


def games_of(text):
    stream = io.StringIO(text)
    while game := chess.pgn.read_game(stream):
        yield game


class Place:
    def __init__(self, board):
        self.fen = board.fen(en_passant="fen")
        self.key = key_of(board)
        self.turn = board.turn
        self.after = {}  # by SAN: the key of the position after the move
        self.depth = None
        self.starts = False


class Lines:
    """The lines of a PGN text."""

    def __init__(self, text):
        self.places = {}
        for game in games_of(text):
            if game.errors:
                sys.exit(f"python-chess cannot read a repertoire: {game.errors}")
            board = game.board()
            start = self.place(board)
            start.starts = True
            self.shallower(start, 2 * (board.fullmove_number - 1) + (board.turn == chess.BLACK))
            self.add(game, board)

    def place(self, board):
        return self.places.setdefault(key_of(board), Place(board))

    def shallower(self, place, depth):
        if place.depth is None or depth < place.depth:
            place.depth = depth
            for key in place.after.values():
                self.shallower(self.places[key], depth + 1)

    def add(self, node, board):
        before = self.place(board)
        for child in node.variations:
            san = board.san(child.move)
            board.push(child.move)
            after = self.place(board)
            before.after[san] = after.key
            self.shallower(after, before.depth + 1)
            self.add(child, board)
            board.pop()


class Games:
    """Games in the order of their numbers: their positions and moves."""

    def __init__(self, text):
        self.games = []
        self.reached = collections.defaultdict(set)   # by key: games
        self.played = collections.defaultdict(dict)   # by key and SAN: games
        self.after = {}                               # by key and SAN: the key after the move
        for number, game in enumerate(games_of(text), 1):
            board = game.board()
            keys, sans = [key_of(board)], []
            for move in game.mainline_moves():
                sans.append(board.san(move))
                board.push(move)
                keys.append(key_of(board))
            self.games.append((number, keys, sans, game.headers.get("Result", "*")))
            for ply, key in enumerate(keys):
                self.reached[key].add(number)
                if ply < len(sans):
                    self.played[key].setdefault(sans[ply], set()).add(number)
                    self.after[key, sans[ply]] = keys[ply + 1]


def departures(lines, games, color):
    for number, keys, sans, result in games.games:
        known = [ply for ply, key in enumerate(keys) if key in lines.places]
        if not known:
            continue
        ply = known[-1]
        place = lines.places[keys[ply]]
        played = sans[ply] if ply < len(sans) else None
        left_by = None
        if played and place.after:
            left_by = "player" if place.turn == color else "opponent"
        points = {"1-0": 1, "0-1": 0, "1/2-1/2": .5}.get(result)
        if points is not None and color == chess.BLACK:
            points = 1 - points
        yield {"game_id": number, "left_by": left_by, "ply": ply, "played": played,
               "expected": sorted(place.after), "points": points}


class Gaps:
    def __init__(self, lines, games, color):
        self.lines, self.games, self.color = lines, games, color
        self.before = collections.defaultdict(list)  # by key: (key before, share of the move)
        for key, place in lines.places.items():
            for share, after in self.moves(place):
                if after in lines.places and lines.places[after].depth > place.depth:
                    self.before[after].append((key, share))
        led_to = {after for place in lines.places.values() for after in place.after.values()
                  if lines.places[after].depth > place.depth}
        self.certain = {key for key, place in lines.places.items()
                        if place.starts and key not in led_to}

    def moves(self, place):
        if place.turn == self.color:
            return [(1 / len(place.after), after) for after in place.after.values()]
        total = len(self.games.reached[place.key])
        return [(len(games) / total, self.games.after[place.key, san])
                for san, games in self.games.played[place.key].items()]

    @functools.cache  # pylint: disable=method-cache-max-size-none
    def probability(self, key):
        return (key in self.certain) + sum(share * self.probability(before)
                                           for before, share in self.before[key])

    def all(self):
        for key, place in self.lines.places.items():
            if place.turn == self.color or not place.after:
                continue
            for san, games in self.games.played[key].items():
                if self.games.after[key, san] in self.lines.places:
                    continue
                share = len(games) / len(self.games.reached[key]) * self.probability(key)
                if share:
                    yield (" ".join(place.fen.split()[:3]), san), (len(games), 100 * share)


def made_of(games, chooser):
    """The lines of some games: their first moves, and at some of them what else was played."""
    out = chess.pgn.Game()
    chosen = [game for game in games if game.headers.get("FEN") is None]
    for game in chooser.sample(chosen, min(len(chosen), chooser.randint(20, 90))):
        node = out
        for move in list(game.mainline_moves())[:chooser.randint(3, 16)]:
            if node.has_variation(move):
                node = node.variation(move)
            else:
                node = node.add_variation(move)
    return str(out)


def compare(program, database, text, games, lines_file):
    """Returns what differs, and how many rows there are."""
    lines = Lines(text)
    counts = collections.Counter(positions=len(lines.places))
    different = []

    def rows(color, *options):
        return [json.loads(line) for line in fendex(
            program, "repertoire", database, lines_file, "--color", chess.COLOR_NAMES[color],
            "--format", "json", "--quiet", *options).splitlines()]

    for color in chess.COLORS:
        name = chess.COLOR_NAMES[color]
        expected = list(departures(lines, games, color))
        found = [{**{key: row[key] for key in expected[0]}, "expected": sorted(row["expected"])}
                 for row in rows(color)]
        different += [f"{name}: {a} is not {b}" for a, b in zip(found, expected) if a != b][:3]
        if len(found) != len(expected):
            different.append(f"{name}: {len(found)} games, not {len(expected)}")
        counts.update(games=len(found), left=sum(row["left_by"] is not None for row in found))

        gaps = dict(Gaps(lines, games, color).all())
        shares = [row["share"] for row in rows(color, "--gaps")]
        if shares != sorted(shares, reverse=True):
            different.append(f"{name}: gaps are not sorted")
        for row in rows(color, "--gaps"):
            place = (" ".join(row["fen"].split()[:3]), row["san"])
            games_there, share = gaps.pop(place, (0, 0))
            if row["games"] != games_there or abs(row["share"] - share) > .000501:
                different.append(f"{name}: gap {row} is not {games_there} {share}")
            counts["gaps"] += 1
        different += [f"{name}: no gap {gap}" for gap in gaps.items()]

        wanted = sorted((" ".join(place.fen.split()[:3]), sorted(place.after))
                        for place in lines.places.values()
                        if place.turn == color and len(place.after) > 1)
        listed = sorted((" ".join(row["fen"].split()[:3]), sorted(row["moves"]))
                        for row in rows(color, "--contradictions"))
        if wanted != listed:
            different.append(f"{name}: contradictions {listed} are not {wanted}")
        counts["contradictions"] += len(listed)
    return different, counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--fendex", required=True)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--repertoires", type=int, default=20)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    chooser = random.Random(options.seed)
    written = [*BY_HAND, SAMPLE.read_text(encoding="utf-8")]
    total = collections.Counter()
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        everything = str(folder / "all.db")
        fendex(options.fendex, "import", everything, *options.files, "--quiet")
        known = json.loads(fendex(options.fendex, "info", everything, "--format", "json"))["games"]
        for number in range(options.repertoires):
            first = number * options.games % max(1, known - options.games)
            text = fendex(options.fendex, "export", everything, "--variant", "standard",
                          "--limit", str(options.games), "--offset", str(first))
            part, database = folder / "part.pgn", str(folder / f"{number}.db")
            part.write_text(text, encoding="utf-8")
            fendex(options.fendex, "import", database, str(part), "--quiet")
            lines = written[number] if number < len(written) else made_of(games_of(text), chooser)
            lines_file = folder / "lines.pgn"
            lines_file.write_text(lines, encoding="utf-8")
            different, counts = compare(options.fendex, database, lines, Games(text),
                                        str(lines_file))
            total += counts
            failed += bool(different)
            for each in different[:10]:
                print(f"repertoire {number}: {each}")
    print(", ".join(f"{name} {count}" for name, count in sorted(total.items())))
    print(f"{failed} of {options.repertoires} repertoires differ")
    return 1 if failed or not total["gaps"] else 0


if __name__ == "__main__":
    sys.exit(main())
