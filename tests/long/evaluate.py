#!/usr/bin/env python3
"""Checks `fendex evaluate` from outside.

    tests/long/evaluate.py --fendex PROGRAM --fake ENGINE [--kills N]
    tests/long/evaluate.py --fendex PROGRAM --engine stockfish [--positions N] [--multipv K] [--nodes N]

With --fake: interrupts and kills runs at random moments, with an engine that answers and with one that
hangs. After each the database is sound, at most the positions in work are lost, and no engine is left;
in the end the records equal those of a run without interruptions.

With --engine: speaks UCI with the engine itself, one thread, a hash of fixed size, `ucinewgame` before
each position, and compares each score, depth, number of nodes and PV with the records of `evaluate`.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77
HASH = "16"
ENGINES = 3
MILLISECONDS = 50


def run(*words, check=True, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if check and done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stderr}")
    return done


def import_sample(fendex, database):
    run(fendex, "import", database, ROOT / "samples/classics.pgn", ROOT / "samples/tournament.pgn.zst")


def records_of(fendex, database):
    return run(fendex, "export", database, "--evals", "jsonl").stdout


# Interruptions


def is_running(mark):
    """Whether a process has this text in its environment, as all that a run starts."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes() and (process / "exe").exists():
                return True
        except OSError:
            pass
    return False


def check_nothing_left(mark):
    for _ in range(200):
        if not is_running(mark):
            return
        time.sleep(0.05)
    sys.exit("an engine is left after its run")


def check_interruptions(fendex, fake, kills, folder):
    words = ["--nodes", "5000", "--multipv", "2", "--max-ply", "20", "--threads", ENGINES, "--engine", fake,
             "--patience", "30"]
    whole = folder / "whole.db"
    import_sample(fendex, whole)
    interrupted = folder / "interrupted.db"
    shutil.copy(whole, interrupted)
    run(fendex, "evaluate", whole, *words)
    expected = records_of(fendex, whole)
    positions = expected.count("\n")
    chance = random.Random(29)
    before = 0
    for number in range(kills):
        hangs = number % 3 == 2
        mark = f"FENDEX_TEST_RUN={os.getpid()}-{number}"
        finished = folder / "finished"
        finished.write_bytes(b"")
        environment = dict(os.environ, FAKE_ENGINE="hang@9 ignores-end" if hangs else "",
                           FAKE_ENGINE_MS=str(MILLISECONDS), FAKE_ENGINE_LOG=str(finished),
                           FENDEX_TEST_RUN=mark.split("=")[1])
        fast = subprocess.Popen([fendex, "evaluate", interrupted, *map(str, words)], env=environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.2, 1) if number % 2 else chance.uniform(1.5, 3))
        sent = chance.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
        running = fast.poll() is None
        if running:
            fast.send_signal(sent)
        status = fast.wait(timeout=60)
        if running and status not in (-signal.SIGKILL, 128 + signal.SIGINT, 128 + signal.SIGTERM, 0):
            sys.exit(f"signal {sent}: ended with {status}")
        check_nothing_left(mark.encode())
        run(fendex, "check", interrupted)
        now = records_of(fendex, interrupted).count("\n")
        # Those that the engines were about to tell, and after a kill those since the last commit.
        lost = before + finished.stat().st_size - now
        most = ENGINES + (1.5 * ENGINES * 1000 / MILLISECONDS if status == -signal.SIGKILL else 0)
        if now < before or lost > most:
            sys.exit(f"signal {sent}: {lost} of {finished.stat().st_size} evaluations were lost")
        before = now
    if before == 0:
        sys.exit("no interrupted run has stored anything")
    run(fendex, "evaluate", interrupted, *words)
    run(fendex, "check", interrupted)
    if records_of(fendex, interrupted) != expected:
        sys.exit("interrupted runs gave other records than a whole one")
    print(f"{kills} interruptions: {before} of {positions} positions were kept, and in the end all")


# The truth


class Engine:
    """Speaks UCI by hand."""

    def __init__(self, program, multipv):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send("uci")
        self.until("uciok")
        for name, value in (("Hash", HASH), ("Threads", "1"), ("MultiPV", str(multipv))):
            self.send(f"setoption name {name} value {value}")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word):
        lines = []
        for line in self.process.stdout:
            lines.append(line.split())
            if lines[-1][:1] == [word]:
                return lines
        sys.exit("the engine has ended")

    def quit(self):
        self.send("quit")
        self.process.wait()

    def evaluation(self, fen, nodes, multipv):
        """Depth, nodes and PVs (score from White's view and moves) of the last depth that has all."""
        self.send("ucinewgame")
        self.send("isready")
        self.until("readyok")
        self.send("position fen " + fen)
        self.send(f"go nodes {nodes}")
        told = 0
        depths = {}
        group = []
        for words in self.until("bestmove"):
            if words[:1] != ["info"] or "nodes" not in words:
                continue
            told = max(told, int(words[words.index("nodes") + 1]))
            if "pv" not in words or "lowerbound" in words or "upperbound" in words:
                group = []
                continue
            number = int(words[words.index("multipv") + 1])
            depth = int(words[words.index("depth") + 1])
            kind, value = words[words.index("score") + 1:][:2]
            line = " ".join(words[words.index("pv") + 1:])
            sign = 1 if fen.split()[1] == "w" else -1
            group = [each for each in group if each[0] < number]
            group.append((number, depth, {kind: sign * int(value), "line": line}))
            if len(group) == number and len({each[1] for each in group}) == 1:
                depths.setdefault(depth, {})[number] = [each[2] for each in group]
        # Of a position with few moves there are fewer PVs.
        most = max(number for lines in depths.values() for number in lines)
        depth = max(depth for depth, lines in depths.items() if most in lines)
        assert most <= multipv
        return {"depth": depth, "nodes": max(told, nodes), "pvs": depths[depth][most]}


def check_truth(fendex, program, positions, multipv, nodes, folder):
    if shutil.which(program) is None:
        print(f"skipped: {program} is not installed")
        sys.exit(SKIPPED)
    database = folder / "truth.db"
    import_sample(fendex, database)
    began = time.monotonic()
    run(fendex, "evaluate", database, "--engine", program, "--nodes", nodes, "--multipv", multipv, "--limit",
        positions, "--option", f"Hash={HASH}", "--option", "Threads=1")
    took = time.monotonic() - began
    engine = Engine(program, multipv)
    compared = 0
    scores = {"cp": 0, "mate": 0}
    for text in records_of(fendex, database).splitlines():
        record = json.loads(text)
        assert len(record["evals"]) == 1, text
        found = record["evals"][0]
        expected = engine.evaluation(record["fen"] + " 0 1", nodes, multipv)
        # Castling is king takes rook in the records, and the king's move in Stockfish's lines.
        pvs = [{**pv, "line": plain_castling(record["fen"], pv["line"])} for pv in found["pvs"]]
        if found["depth"] != expected["depth"] or pvs != expected["pvs"] or \
                nodes_of(found) != expected["nodes"] // 1000 * 1000:
            sys.exit(f"{record['fen']}:\nfendex  {found}\nby hand {expected}")
        for pv in pvs:
            scores["cp" if "cp" in pv else "mate"] += 1
        compared += 1
    engine.quit()
    if compared != positions:
        sys.exit(f"{compared} records, not {positions}")
    print(f"{compared} positions, {scores['cp']} scores and {scores['mate']} mates equal those of {program} "
          f"by hand; evaluate took {took:.1f} s")


def nodes_of(found):
    return found.get("knodes", 0) * 1000


def plain_castling(fen, line):
    """Writes castling as the king's move. Follows only the kings, which is enough for that."""
    placement, _, rights = fen.split()[:3]
    kings = {"e1": "K" in placement.split("/")[7], "e8": "k" in placement.split("/")[0]}
    allowed = {"e1h1": ("K", "e1g1"), "e1a1": ("Q", "e1c1"), "e8h8": ("k", "e8g8"), "e8a8": ("q", "e8c8")}
    moves = []
    for move in line.split():
        right, plain = allowed.get(move, ("", move))
        from_square = move[:2]
        moves.append(plain if right and right in rights and kings[from_square] else move)
        if from_square in kings:
            kings[from_square] = False
    return " ".join(moves)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--fendex", required=True)
    options.add_argument("--fake")
    options.add_argument("--kills", type=int, default=6)
    options.add_argument("--engine", default="stockfish")
    options.add_argument("--positions", type=int, default=2000)
    options.add_argument("--multipv", type=int, default=1)
    options.add_argument("--nodes", type=int, default=20000)
    given = options.parse_args()
    os.environ["PATH"] += ":/usr/games"  # where Debian puts Stockfish
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if given.fake:
            check_interruptions(given.fendex, given.fake, given.kills, folder)
        else:
            check_truth(given.fendex, given.engine, given.positions, given.multipv, given.nodes, folder)


main()
