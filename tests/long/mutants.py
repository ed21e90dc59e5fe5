#!/usr/bin/env python3
"""Changes bytes of database files at random, and asks, checks and repairs what became of them.

    tests/long/mutants.py --fendex build/src/fendex --count 10000

A mutant has one flipped bit, a changed byte, a zeroed or exchanged stretch, or is cut off. Of each,
every question must be answered as before, or end with exit status 2 and an error (but names may have
changed, if `check` says so); if `check` calls it clean, every answer must be right. No command may be
ended by a signal or take longer than --limit. After a repair that names nothing as lost or doubtful,
all answers are right; after any repair that came to its end, `check` is clean. Prints a line for each
mutant that breaks a rule, and totals; exit status 1 where there was one. The same --seed makes the
same mutants.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
QUESTIONS = (("find", "DB", AFTER_E4), ("tree", "DB", START), ("repeats", "DB", "--summary"),
             ("games", "DB", "--format", "csv", "--limit", "9999"), ("export", "DB"))

# What a repair names in its answer, where it loses something.
LOSSES = ("games_cut", "games_without_tags", "games_without_annotations", "games_renumbered",
          "unreadable")


class Maker:
    def __init__(self, options, folder):
        self.options = options
        self.base = folder / "base.db"
        samples = options.samples
        for words in (["import", "repetitions.pgn", "--annotations", "--variations"],
                      ["import", "curiosities.pgn", "--annotations"], ["import", "classics.pgn"],
                      ["delete", "--games", "1"]):
            words = [samples / word if word.endswith(".pgn") else word for word in words]
            subprocess.run([options.fendex, words[0], self.base, *words[1:], "--ply-rows", "no"]
                           if words[0] == "import" else
                           [options.fendex, words[0], self.base, *words[1:]],
                           check=True, capture_output=True)
        self.bytes = self.base.read_bytes()
        self.truth = [self.run(question, self.base) for question in QUESTIONS]
        for question, (status, _, error) in zip(QUESTIONS, self.truth):
            if status != 0:
                raise SystemExit(f"{question}: {status} {error}")

    def run(self, words, database):
        words = [database if word == "DB" else word for word in words]
        try:
            done = subprocess.run([self.options.fendex, *words], stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=self.options.limit)
        except subprocess.TimeoutExpired:
            return "hangs", b"", ""
        return done.returncode, done.stdout, done.stderr.decode(errors="replace").strip()

    def mutant(self, number):
        """The bytes of a mutant, and what was done to them."""
        chosen = random.Random(f"{self.options.seed} {number}")
        out = bytearray(self.bytes)
        at = chosen.randrange(len(out))
        kind = chosen.choice(("flip", "flip", "set", "set", "zeros", "exchange", "cut"))
        length = chosen.choice((4, 64, 512, 4096))
        if kind == "flip":
            out[at] ^= 1 << chosen.randrange(8)
        elif kind == "set":
            out[at] = chosen.randrange(256)
        elif kind == "zeros":
            at -= at % length
            out[at:at + length] = bytes(length)
        elif kind == "exchange":
            at -= at % length
            other = chosen.randrange(len(out) // length) * length
            out[at:at + length], out[other:other + length] = (out[other:other + length],
                                                              out[at:at + length])
        else:
            del out[at:]
        return bytes(out), f"{kind} at {at}, {length}"

    def judge(self, number):
        """What became of a mutant, and what was wrong with that."""
        mutated, what = self.mutant(number)
        if mutated == self.bytes:
            return "unchanged", []
        with tempfile.TemporaryDirectory(dir=self.base.parent) as folder:
            database = pathlib.Path(folder) / "my.db"
            database.write_bytes(mutated)
            end, wrong = self.judge_database(database)
        return end, [f"mutant {number} ({what}): {each}" for each in wrong]

    def judge_database(self, database):
        wrong = []

        def ended(words):
            status, out, error = self.run(words, database)
            if status not in (0, 1, 2):
                wrong.append(f"{words[0]}: {status}")
            if status == 2 and not out and not re.search("^fendex: ", error, re.M):
                wrong.append(f"{words[0]}: no error is printed: {error[-200:]}")
            return status, out, error

        def differences():
            for question, truth in zip(QUESTIONS, self.truth):
                status, out, _ = ended(question)
                if status == 2:
                    yield question[0], "error"
                elif (status, out) != truth[:2]:
                    yield question[0], "another answer"

        checked, report, _ = ended(("check", "DB", "--format", "json"))
        answers = dict(differences())
        # The checksum of names is that of the whole table.
        may_differ = checked == 2 and re.search(rb'"kind":"(names|file)"', report)
        wrong += [f"{name}: {difference}" for name, difference in answers.items()
                  if difference != "error" and not may_differ]
        if checked == 0:
            return "check finds nothing", wrong
        status, out, error = ended(("repair", "DB", "--format", "json"))
        cleaned, report, _ = ended(("check", "DB"))
        if status == 2 and not out:
            return "repair refuses: " + error[-200:].replace(str(database), "DB"), wrong
        if cleaned != 0:
            wrong.append(f"repair: {status}, then check: {cleaned} {report[:200]}")
            return "not clean", wrong
        said = json.loads(out)
        if said["doubtful"] or any(said[name] for name in LOSSES):
            return "repaired, and what is lost or doubtful is named", wrong
        wrong += [f"{name} after repair: {difference}" for name, difference in differences()]
        return "repaired", wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fendex", default="build/src/fendex",
                        type=lambda path: pathlib.Path(path).absolute())
    parser.add_argument("--samples", type=pathlib.Path,
                        default=pathlib.Path(__file__).absolute().parents[2] / "samples")
    parser.add_argument("--count", default=10000, type=int)
    parser.add_argument("--first", default=0, type=int, help="number of the first mutant")
    parser.add_argument("--limit", default=20, type=float, help="seconds for each command")
    parser.add_argument("--jobs", default=os.cpu_count(), type=int, help="at the same time")
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--keep", type=pathlib.Path, help="write the mutant --first to this file")
    parser.add_argument("--tmp", default=tempfile.gettempdir(), help="where the databases go")
    options = parser.parse_args()
    ends = collections.Counter()
    broken = 0
    with tempfile.TemporaryDirectory(prefix="fendex-mutants-", dir=options.tmp) as folder:
        maker = Maker(options, pathlib.Path(folder))
        if options.keep:
            options.keep.write_bytes(maker.mutant(options.first)[0])
        numbers = range(options.first, options.first + options.count)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for end, wrong in pool.map(maker.judge, numbers):
                ends[end] += 1
                broken += bool(wrong)
                for each in wrong:
                    print(each, flush=True)
    for end, count in ends.most_common():
        print(f"{count:6} {end}")
    print(f"seed {options.seed}: {options.count} mutants, {broken} break a rule")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
