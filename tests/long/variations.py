#!/usr/bin/env python3
"""Compares `tree --variations` and `novelty --variations` with a search by brute force, with the
positions and moves of python-chess.

    PYTHONPATH=~/python-chess tests/long/variations.py --fendex build/src/fendex annotated.pgn...

Games that python-chess reads without an error, and that have no null moves, are imported. Trees of
random positions are compared, of games and of variations, with and without a filter; and what is
new in games of the archive if other players had played them, with their dates and without. Prints
totals and what differs; exit status 1 if anything does.
"""

import argparse
import collections
import io
import json
import logging
import pathlib
import random
import re
import sys
import tempfile

import chess
import chess.pgn

from python_chess import fendex, key_of

DATE = re.compile(r"[12]\d{3}\.(\?\?\.\?\?|(0[1-9]|1[0-2])\.(\?\?|0[1-9]|1\d|2[0-8]))")
RESULTS = ("1-0", "1/2-1/2", "0-1", "*")


def games_of(paths):
    for path in paths:
        stream = io.StringIO(path.read_text(encoding="latin-1"))
        while game := chess.pgn.read_game(stream):
            if not game.errors and type(game.board()) is chess.Board:
                yield with_plain_tags(game)


def with_plain_tags(game):
    """Without the values that fendex reads in its own way."""
    game.headers.pop("UTCDate", None)
    if not DATE.fullmatch(game.headers.get("Date", "")):
        game.headers["Date"] = "????.??.??"
    if game.headers["Result"] not in RESULTS:
        game.headers["Result"] = "*"
    return game


def day(date, last):
    """The first or last day that a date allows; None if the year is unknown."""
    if len(date) != 10 or date.startswith("?"):
        return None
    year, month, of_month = date.split(".")
    if month == "??":
        return f"{year}.12.31" if last else f"{year}.01.01"
    if of_month == "??":
        return f"{year}.{month}.31" if last else f"{year}.{month}.01"
    return date


class Game:
    """The positions and moves of a game and of its variations."""

    def __init__(self, game):
        self.result = game.headers.get("Result", "*")
        self.date = game.headers.get("Date", "")
        board = game.board()
        self.keys, self.sans = [key_of(board)], []
        self.fens = [board.fen(en_passant="legal")]
        self.reached, self.played = {self.keys[0]}, set()
        self.line_of = {}  # by key: a FEN of a position in a variation
        for move in game.mainline_moves():
            self.sans.append(board.san(move))
            self.played.add((self.keys[-1], self.sans[-1]))
            board.push(move)
            self.keys.append(key_of(board))
            self.fens.append(board.fen(en_passant="legal"))
            self.reached.add(self.keys[-1])
        self.has_null_moves = False
        self.walk(game, game.board(), True)

    def walk(self, node, board, in_game):
        for i, child in enumerate(node.variations):
            if not child.move:
                self.has_null_moves = True
                return
            self.played.add((key_of(board), board.san(child.move)))
            board.push(child.move)
            self.reached.add(key_of(board))
            if not in_game or i != 0:
                self.line_of[key_of(board)] = board.fen(en_passant="legal")
            self.walk(child, board, in_game and i == 0)
            board.pop()


class Archive:
    def __init__(self, paths):
        self.games, self.texts = [], []
        for game in games_of(paths):
            read = Game(game)
            if not read.has_null_moves:
                self.games.append(read)
                self.texts.append(str(game))
        self.reached = collections.defaultdict(set)
        self.played = collections.defaultdict(lambda: collections.defaultdict(set))
        for number, game in enumerate(self.games, 1):
            for key in game.reached:
                self.reached[key].add(number)
            for key, san in game.played:
                self.played[key][san].add(number)

    def at(self, key, fits):
        """What is known of a position from the games that fit."""
        def results(numbers):
            codes = [self.games[number - 1].result for number in numbers if fits(number)]
            return [len(codes), *(codes.count(each) for each in RESULTS[:3])]
        played = {san: results(numbers) for san, numbers in self.played[key].items()}
        return {"games": len([each for each in self.reached[key] if fits(each)]),
                "played": {san: sums for san, sums in played.items() if sums[0]},
                "ended": len([each for each in self.reached[key]
                              if fits(each) and self.games[each - 1].keys[-1] == key])}

    def novelty(self, game, date):
        def fits(number):
            theirs = day(self.games[number - 1].date, True)
            ours = day(date, False)
            return ours is None or (theirs is not None and theirs < ours)

        def rank(number):
            their_date = self.games[number - 1].date
            dated = len(their_date) == 10 and not their_date.startswith("?")
            return (their_date.replace("?", "0") if dated else "", -number)
        for ply in reversed(range(len(game.keys))):
            known = [number for number in self.reached.get(game.keys[ply], ()) if fits(number)]
            if known:
                return {**self.at(game.keys[ply], fits), "ply": ply, "last": max(known, key=rank),
                        "new": game.sans[ply] if ply < len(game.sans) else None}
        return {"games": 0, "played": {}, "ended": 0, "ply": None, "last": None, "new": None}


def sums_of(move):
    return [move["games"] if "games" in move else
            move["white"] + move["draws"] + move["black"] + move.get("unfinished", 0),
            move["white"], move["draws"], move["black"]]


def compare_trees(program, database, archive, chooser, count):
    positions = [(key, fen) for game in archive.games
                 for key, fen in [*zip(game.keys, game.fens), *game.line_of.items()]]
    # Half of them such as many games have.
    often = [each for each in positions if len(archive.reached[each[0]]) > 2]
    chosen = [*chooser.sample(positions, min(len(positions), count // 2)),
              *chooser.choices(often or positions, k=count // 2)]
    for key, fen in chosen:
        for words, fits in (((), lambda number: True),
                            (("--result", "1-0"),
                             lambda number: archive.games[number - 1].result == "1-0")):
            tree = json.loads(fendex(program, "tree", database, fen, "--variations", "--format",
                                     "json", "--quiet", *words) or '{"moves":[]}')
            found = {"games": sums_of(tree)[0] if "white" in tree else 0,
                     "played": {move["san"]: sums_of(move) for move in tree["moves"]},
                     "ended": sums_of(tree["ended"])[0] if "ended" in tree else 0}
            yield fen, words, found, archive.at(key, fits)


def compare_novelties(program, database, archive, chooser, count, folder):
    chosen = chooser.sample(range(len(archive.games)), min(len(archive.games), count))
    for dated in (True, False):
        text = ""
        for i in chosen:
            game = chess.pgn.read_game(io.StringIO(archive.texts[i]))
            game.headers["White"] = "Somebody else"
            if not dated:
                game.headers["Date"] = "????.??.??"
            text += str(game) + "\n\n"
        asked = folder / "asked.pgn"
        asked.write_text(text, encoding="utf-8")
        rows = fendex(program, "novelty", database, str(asked), "--variations", "--format", "json",
                      "--quiet").splitlines()
        for i, row in zip(chosen, map(json.loads, rows), strict=True):
            found = {"games": row["games"], "ended": row["ended"], "ply": row["ply"],
                     "played": {move["san"]: sums_of(move) for move in row["played"]},
                     "last": row["last"] and row["last"]["game_id"],
                     "new": row["novelty"] and row["novelty"]["san"]}
            game = archive.games[i]
            yield f"game {i + 1}", ("dated",)[:dated], found, archive.novelty(
                game, game.date if dated else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--fendex", required=True)
    parser.add_argument("--trees", type=int, default=300)
    parser.add_argument("--novelties", type=int, default=500)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    chooser = random.Random(options.seed)
    archive = Archive(options.files)
    different = 0
    counts = collections.Counter(games=len(archive.games))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "games.pgn").write_text("\n\n".join(archive.texts) + "\n", encoding="utf-8")
        database = str(folder / "games.db")
        fendex(options.fendex, "import", database, str(folder / "games.pgn"), "--variations",
               "--quiet")
        for kind, rows in (
                ("trees", compare_trees(options.fendex, database, archive, chooser,
                                        options.trees)),
                ("novelties", compare_novelties(options.fendex, database, archive, chooser,
                                                options.novelties, folder))):
            for what, words, found, expected in rows:
                counts[kind] += 1
                counts["games in " + kind] += found["games"]
                if found != expected:
                    different += 1
                    print(f"{kind}: {what} {' '.join(words)}:\n  {found}\n  {expected}")
    print(dict(counts), f"{different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
