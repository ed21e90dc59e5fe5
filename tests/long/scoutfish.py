#!/usr/bin/env python3
"""Compares `find` for patterns, moves and sequences with scoutfish, which must be built, on its own
examples.

    tests/long/scoutfish.py --fendex build/src/fendex --scoutfish ~/scoutfish/src/scoutfish human.pgn

Games and plies must be the same, but for what DIFFERENCES names: for those, each game that only one of
the two finds is looked at. Prints a line for each example, with the time of both as whole commands, two
threads each, and exits with status 1 if anything else differs. Every game of the archive needs the tag
Event first.
"""

import argparse
import bisect
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

FOUR_KNIGHTS = "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/2N2N2/PPPP1PPP/R1BQK2R"
BENONI = "rnbqkb1r/pp1p1ppp/4pn2/2pP4/2P5/2N5/PP2PPPP/R1BQKBNR"


def difference(pawns=0, knights=0):
    """How many more pieces White has, which scoutfish calls an imbalance."""
    return f"Q-q=0 R-r=0 B-b=0 N-n={knights} P-p={pawns}"


def pattern(board):
    """A part of a board as fendex writes it: empty squares may have anything."""
    return re.sub(r"\d", lambda digit: "?" * int(digit[0]), board)


# What is asked, scoutfish's question, and the words for fendex.
EXAMPLES = (
    ("three pieces", {"sub-fen": "8/8/p7/8/8/1B3N2/8/8"}, ["--pattern", pattern("8/8/p7/8/8/1B3N2/8/8")]),
    ("a king, and material", {"sub-fen": "8/8/8/8/1k6/8/8/8", "material": "KBNKP"},
     ["--pattern", pattern("8/8/8/8/1k6/8/8/8"), "--material", "KBNvKP"]),
    ("three pawns more", {"imbalance": "PPPv"}, ["--material", difference(3)]),
    ("two pawns for a knight", {"imbalance": "PPvN"}, ["--material", difference(2, -1)]),
    ("a pawn fewer for three plies", {"streak": [{"imbalance": "vP"}] * 3},
     ["--material", difference(-1), "--then", difference(-1), "--then", difference(-1), "--streak"]),
    ("White castles long", {"white-move": "O-O-O"}, ["--move", "white O-O-O"]),
    ("e8=Q", {"white-move": "e8=Q"}, ["--move", "white e8=Q"]),
    ("black Rac1", {"black-move": "Rac1"}, ["--move", "black Rac1"]),
    ("white Rac1", {"white-move": "Rac1"}, ["--move", "white Rac1"]),
    ("king or pawn takes a queen", {"moved": "KP", "captured": "Q"}, ["--move", "[KP]xQ"]),
    ("a quiet move", {"captured": ""}, ["--move", "quiet"]),
    ("Black takes a major piece", {"stm": "black", "captured": "QR"}, ["--move", "black x[QR]"]),
    ("anything", {"pass": ""}, ["--move", "any"]),
    ("the bishop's way", {"sequence": [{"sub-fen": FOUR_KNIGHTS, "result": "1-0"},
                                       {"sub-fen": "8/8/8/8/2B5/8/8/8"}, {"sub-fen": "8/8/8/8/8/5B2/8/8"}]},
     ["--pattern", pattern(FOUR_KNIGHTS), "--result", "1-0", "--then", "*/*/*/*/??B*/*/*/*",
      "--then", "*/*/*/*/*/?????B*/*/*"]),
    ("a break in the Benoni",
     {"sequence": [{"sub-fen": BENONI},
                   {"streak": [{"white-move": "e5"}, {"black-move": "dxe5"}, {"white-move": "f5"}]},
                   {"white-move": "Ne4"}]},
     ["--pattern", pattern(BENONI), "--then", "white e5", "--then", "black dxe5 within 1",
      "--then", "white f5 within 1", "--then", "white Ne4"]),
    ("a queen is lost", {"streak": [{"captured": ""}, {"stm": "white", "captured": "Q"}, {"captured": ""}]},
     ["--move", "quiet", "--then", "white xQ", "--then", "quiet", "--streak"]),
    ("e5, anything, f5", {"streak": [{"white-move": "e5"}, {"pass": ""}, {"white-move": "f5"}]},
     ["--move", "white e5", "--then", "any", "--then", "white f5", "--streak"]),
    ("e5 and dxe5", {"streak": [{"white-move": "e5"}, {"black-move": "dxe5"}]},
     ["--move", "white e5", "--then", "black e5", "--streak"]),
)


def promotes(steps):
    return any("=" in san for san in steps)


def quiet_then_a_queen(steps):
    before, capture, after = steps
    return "x" not in before and "x" in capture and "x" not in after


# For an example: which of the two finds more games, of which moves, and why.
DIFFERENCES = {
    "e8=Q": ("scoutfish", lambda steps: promotes(steps) and not steps[0].startswith("e8=Q"),
             "it does not compare the promoted piece"),
    "king or pawn takes a queen": ("fendex", promotes,
                                   "for scoutfish the new piece moved"),
    "Black takes a major piece": ("fendex", promotes, "scoutfish finds no capture that promotes"),
    "a queen is lost": ("fendex", quiet_then_a_queen,
                        "after a step fails, scoutfish does not try again from the ply before"),
}


class Scoutfish:
    def __init__(self, program, archive, folder):
        self.program = program
        self.database = folder / "games.scout"
        link = folder / "games.pgn"
        link.symlink_to(archive.resolve())
        self.run(f"make {link}")
        self.starts = [found.start() for found in re.finditer(rb"^\[Event ", archive.read_bytes(), re.M)]

    def run(self, command):
        # It may begin to answer only after it has read all of its commands.
        return subprocess.run([self.program], input=f"setoption name threads value 2\n{command}\nquit\n",
                              stdout=subprocess.PIPE, check=True, text=True).stdout

    def ask(self, question):
        """The plies of the first match of each game that has one."""
        out = self.run(f"scout {self.database} {json.dumps(question)}")
        return {bisect.bisect_right(self.starts, match["ofs"] + 8): match["ply"]
                for match in json.loads(out[out.index("{"):])["matches"]}


class Fendex:
    def __init__(self, program, archive, folder):
        self.program = program
        self.database = str(folder / "games.db")
        self.run("import", self.database, str(archive), "--quiet")

    def run(self, *words):
        done = subprocess.run([self.program, *words], stdout=subprocess.PIPE, check=False, text=True)
        if done.returncode == 2:
            sys.exit(f"fendex {' '.join(words)} failed")
        return done.stdout

    def ask(self, words):
        rows = map(json.loads, self.run("find", self.database, *words, "--format", "json").splitlines())
        return {row["game_id"]: row.get("steps", [row["ply"]]) for row in rows}

    def moves(self, game, plies):
        rows = self.run("show", self.database, str(game), "--plies", "--format", "json").splitlines()
        played = {row["ply"]: row["san"] for row in map(json.loads, rows)}
        return [played[ply + 1] for ply in plies]


def unexplained(name, theirs, ours, fendex):
    """What differs but for what DIFFERENCES says."""
    more = {"scoutfish": {game: plies for game, plies in theirs.items() if game not in ours},
            "fendex": {game: plies for game, plies in ours.items() if game not in theirs}}
    if name not in DIFFERENCES:
        others = {game: plies for game, plies in ours.items() if theirs.get(game, plies) != plies}
        return [f"only {who}: game {game}" for who, games in more.items() for game in games] + [
            f"game {game}: {plies}, not {theirs[game]}" for game, plies in others.items()]
    finder, is_explained, _ = DIFFERENCES[name]
    wrong = [f"only {who}: game {game}" for who, games in more.items() for game in games if who != finder]
    for game, plies in more[finder].items():
        moves = fendex.moves(game, plies)
        if not is_explained(moves):
            wrong.append(f"only {finder}: game {game}, {' '.join(moves)}")
    return wrong


def timed(act, *arguments):
    start = time.monotonic()
    out = act(*arguments)
    return out, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--fendex", required=True)
    parser.add_argument("--scoutfish", required=True)
    parser.add_argument("archive", type=pathlib.Path)
    options = parser.parse_args()
    os.environ["LC_ALL"] = "C"
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        scoutfish = Scoutfish(options.scoutfish, options.archive, folder)
        fendex = Fendex(options.fendex, options.archive, folder)
        for name, question, words in EXAMPLES:
            theirs, their_time = timed(scoutfish.ask, question)
            _, our_time = timed(fendex.run, "find", fendex.database, *words, "--count")
            ours = fendex.ask(words)
            wrong = unexplained(name, theirs, ours, fendex)
            failed += bool(wrong)
            reason = f"; {DIFFERENCES[name][2]}" if name in DIFFERENCES else ""
            print(f"{name}: scoutfish {len(theirs)} games in {their_time:.2f} s, fendex {len(ours)} in "
                  f"{our_time:.2f} s{reason}", *wrong[:10], sep="\n    ", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
