#!/usr/bin/env python3
"""Compares the draw claims of `repeats` with those of python-chess, ply by ply.

    PYTHONPATH=~/python-chess tests/long/claims.py --fendex build/src/fendex --games 5000 archive.pgn

Imports the PGN files and asks for all claims, then replays the games as `export` writes them with
python-chess, which must be installed. A player may claim at a ply if can_claim_threefold_repetition() says so; fendex says so if
the ply is the third occurrence of a position, a later one, or one at which a move to it could be
announced. The same with can_claim_fifty_moves() and `repeats --rule50`. Which side checked with every
move of a repetition is computed with is_check(). Prints totals and each game that differs; exit
status 1 if one does.
"""

import argparse
import collections
import json
import logging
import multiprocessing
import pathlib
import subprocess
import sys
import tempfile

import chess.pgn


def rows_of(fendex, database, *options):
    """The rows of `repeats` for each game."""
    rows = collections.defaultdict(list)
    done = subprocess.run([fendex, "repeats", database, "--format", "json", *options],
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit("repeats failed")
    for line in done.stdout.splitlines():
        row = json.loads(line)
        rows[row["game_id"]].append(row)
    return rows


def games_of(fendex, database):
    """The number of each game whose rules python-chess knows, its start and its moves."""
    with subprocess.Popen([fendex, "export", database], stdout=subprocess.PIPE, text=True,
                          encoding="utf-8") as export:
        number = 0
        while game := chess.pgn.read_game(export.stdout):
            number += 1
            try:
                yield number, game.board(), list(game.mainline_moves())
            except ValueError as unknown:
                print(f"game {number} left out: {unknown}")
        export.stdout.close()


def replayed(board, moves):
    """The plies at which python-chess lets a player claim, and those that are check."""
    claims = {"threefold": set(), "fifty": set()}
    checks = []
    for ply in range(len(moves) + 1):
        checks.append(board.is_check())
        if board.can_claim_threefold_repetition():
            claims["threefold"].add(ply)
        if board.can_claim_fifty_moves():
            claims["fifty"].add(ply)
        if ply < len(moves):
            board.push(moves[ply])
    return claims, checks


def answered(repetitions, runs):
    """The same claims by fendex."""
    threefold = set()
    for row in repetitions:
        threefold.update(row["plies"][2:])
        threefold.update(row["announced_plies"] or [])
    fifty = set()
    for row in runs:
        if row["announced_ply"] is not None:
            fifty.add(row["announced_ply"])
        if row["claimant"] is not None:
            clock = int(row["fen"].split()[4])
            fifty.update(range(row["ply50"], row["ply50"] + row["longest"] - clock + 1))
    return {"threefold": threefold, "fifty": fifty}


def checker(row, checks, white_starts):
    """Who gave check with every move from the first occurrence to the last."""
    plies = range(row["plies"][0] + 1, row["plies"][-1] + 1)
    by = {"white": True, "black": True}
    for ply in plies:
        mover = "white" if (ply % 2 == 1) == white_starts else "black"
        by[mover] = by[mover] and checks[ply]
    named = [side for side, always in by.items() if always]
    return "both" if len(named) == 2 else named[0] if named else None


def compare(job):
    number, board, moves, repetitions, runs = job
    white_starts = board.turn
    claims, checks = replayed(board, moves)
    problems = []
    ours = answered(repetitions, runs)
    for rule, plies in claims.items():
        if plies != ours[rule]:
            problems.append(f"{rule}: python-chess {sorted(plies)}, fendex {sorted(ours[rule])}")
    for row in repetitions:
        if row["checks"] != checker(row, checks, white_starts):
            problems.append(f"checks: {row}")
    announced = sum(len(row["announced_plies"] or []) for row in repetitions)
    unplayed = sum(row["third_ply"] is None for row in repetitions)
    return number, problems, collections.Counter(
        games=1, plies=len(checks), rows=len(repetitions), perpetual=sum(
            row["checks"] is not None for row in repetitions), runs=len(runs),
        threefold=len(claims["threefold"]), fifty=len(claims["fifty"]), announced=announced,
        unplayed=unplayed, games_with_unplayed_only=int(
            unplayed > 0 and unplayed == len(repetitions)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--fendex", required=True)
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--every", type=int, default=1, help="only every so many games")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        database = str(pathlib.Path(folder) / "claims.db")
        subprocess.run([options.fendex, "import", database, *options.files, "--quiet"], check=False)
        return compare_all(options, database)


def compare_all(options, database):
    repetitions = rows_of(options.fendex, database, "--claims")
    runs = rows_of(options.fendex, database, "--claims", "--rule50")

    def jobs():
        for number, board, moves in games_of(options.fendex, database):
            if number > options.games * options.every:
                return
            if number % options.every == 0:
                yield number, board, moves, repetitions[number], runs[number]

    total = collections.Counter()
    different = 0
    with multiprocessing.Pool() as pool:
        for number, problems, counts in pool.imap(compare, jobs(), 16):
            total += counts
            different += bool(problems)
            for problem in problems:
                print(f"game {number}: {problem}")
    print(", ".join(f"{name} {count}" for name, count in sorted(total.items())))
    print(f"{different} games differ")
    return 1 if different or not total["games"] else 0


if __name__ == "__main__":
    sys.exit(main())
