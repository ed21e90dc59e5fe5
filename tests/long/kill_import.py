#!/usr/bin/env python3
"""Kills fendex at random moments, and shows that nothing that was committed is lost.

    tests/long/kill_import.py --fendex build/src/fendex --archive human.pgn.zst --kills 200

Each kill (SIGKILL to the whole process group) comes at a random moment of an import, of the resume
of one that was killed, or of a verb that changes or copies a database (--changes). After each,
`fendex check` must be clean (while a repair is not committed, what it repairs may be there), and
`find` must name exactly the committed games of the undisturbed import; in the end the same command
is run to its end and must give the same database: games, plies, fingerprint, answers.
While an import runs, readers must get answers, of committed games only. Prints one line of totals;
exit status 1 where anything was wrong. The same seed picks the same moments.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time


class Wrong(Exception):
    """Something that must hold does not."""


class Fendex:
    def __init__(self, program, stream=None):
        """`stream`: a file that stands for stdin, where a command has the word "-"."""
        self.program = str(program)
        self.stream = stream

    def input_of(self, words):
        return open(self.stream if "-" in words else os.devnull, "rb")

    def run(self, *words, status=(0,)):
        with self.input_of(words) as stdin:
            done = subprocess.run([self.program, *map(str, words)], stdin=stdin,
                                  capture_output=True, text=True)
        if done.returncode not in status:
            raise Wrong(f"{' '.join(map(str, words))}: exit status {done.returncode}: "
                        f"{done.stderr.strip()} {done.stdout[-2000:]}")
        return done.stdout

    def is_clean(self, database):
        return subprocess.run([self.program, "check", database], stdin=subprocess.DEVNULL,
                              capture_output=True).returncode == 0

    def info(self, database):
        return json.loads(self.run("info", database, "--format", "json"))

    def find(self, database, fen):
        """The games that reached it, as they are printed, by their number."""
        lines = self.run("find", database, fen, "--format", "json", status=(0, 1)).splitlines()
        return {json.loads(line)["game_id"]: line for line in lines}

    def kill(self, delay, *words, meanwhile=None):
        """Starts it and kills it after some seconds; False where it was done before that."""
        with self.input_of(words) as stdin, \
             subprocess.Popen([self.program, *map(str, words)], stdin=stdin,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              start_new_session=True) as process:
            started = time.monotonic()
            if meanwhile:
                meanwhile()
            try:
                process.wait(max(0.0, delay - (time.monotonic() - started)))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
            status = process.wait()
            errors = process.stderr.read().strip()
        if status == -signal.SIGKILL:
            return True
        if status != 0:
            raise Wrong(f"{' '.join(map(str, words))}: exit status {status}: {errors}")
        return False


# What must be the same in the end. The order of rows and the number of segments may differ.
SAME = ("games", "plies", "positions", "errors", "fingerprint", "ply_rows", "records")


class Torture:
    def __init__(self, options, directory):
        self.options = options
        self.random = random.Random(options.seed)
        self.directory = directory
        self.database = directory / "killed.db"
        self.archive = options.archive
        if options.generate:
            self.archive = directory / "made.pgn"
            subprocess.run([options.generate, "--games", str(options.games), "--openings",
                            options.archive, "-o", self.archive], check=True, capture_output=True)
        self.fendex = Fendex(options.fendex, self.archive)
        self.totals = collections.Counter()
        source = "-" if options.stream else self.archive
        self.import_words = ("import", self.database, source, "--memory", options.memory,
                             "--threads", options.threads, "--ply-rows", "no")

        self.commented = directory / "commented.pgn"
        self.reference = directory / "reference.db"
        started = time.monotonic()
        self.fendex.run("import", self.reference, *self.import_words[2:])
        self.seconds = time.monotonic() - started
        self.truth = self.fendex.info(self.reference)
        self.questions = {fen: self.fendex.find(self.reference, fen) for fen in self.positions()}

    def __str__(self):
        return ", ".join(f"{count} {what}" for what, count in self.totals.items())

    def positions(self):
        """Of games of all parts of the archive, early and late ones."""
        for _ in range(self.options.questions):
            game = self.random.randint(1, self.truth["games"])
            plies = [json.loads(line) for line in
                     self.fendex.run("show", self.reference, game, "--plies", "--format",
                                     "json").splitlines()]
            yield self.random.choice(plies[2:] or plies)["fen"]

    def remove(self):
        """Remains of a kill stay: the next run has to remove them."""
        for suffix in ("", "-wal", "-shm", "-journal"):
            pathlib.Path(f"{self.database}{suffix}").unlink(missing_ok=True)

    def restart_from(self, database):
        self.remove()
        shutil.copyfile(database, self.database)

    def exists(self):
        """It may have been killed before there was a database."""
        if not self.database.exists():
            return False
        probe = subprocess.run([self.fendex.program, "info", self.database], capture_output=True,
                               text=True)
        if probe.returncode == 0:
            return True
        if "is empty" not in probe.stderr:
            raise Wrong(f"cannot be opened: {probe.stderr.strip()}")
        return False

    def check(self, database=None):
        kill = self.totals["kills"]
        full = self.options.full_every and kill % self.options.full_every == 0
        self.fendex.run("check", database or self.database, *(() if full else ("--sample", "200")))
        self.totals["checks"] += 1
        self.totals["full checks"] += bool(full)

    def check_answers(self, truth, games, database=None):
        """Of all questions; `games`: those that must be there."""
        for fen, expected in truth.items():
            found = self.fendex.find(database or self.database, fen)
            wanted = {game: line for game, line in expected.items() if game <= games}
            if found != wanted:
                raise Wrong(f"{fen}: games {sorted(found)[:20]}, not {sorted(wanted)[:20]}, "
                            f"of {games}")
            self.totals["answers"] += 1

    def ask_while_running(self):
        """A reader sees what was committed, from the first game on, without a hole."""
        if not self.exists():
            return
        before = self.fendex.info(self.database)["games"]
        fen = self.random.choice(list(self.questions))
        found = self.fendex.find(self.database, fen)
        after = self.fendex.info(self.database)["games"]
        expected = self.questions[fen]
        if any(expected.get(game) != line for game, line in found.items()) or any(
                game not in found for game in expected if game <= before) or any(
                    game > after for game in found):
            raise Wrong(f"{fen}: a reader during the import got games {sorted(found)[:20]}")
        self.totals["answers during imports"] += 1

    def check_end(self, truth, questions, database=None):
        if remains := remains_of(database or self.database):
            raise Wrong(f"left behind: {remains}")
        info = self.fendex.info(database or self.database)
        for name in SAME:
            if info[name] != truth[name]:
                raise Wrong(f"{name} is {info[name]} in the end, not {truth[name]}")
        self.check_answers(questions, float("inf"), database)

    def kill_imports(self, kills):
        """Chains: an import is killed, resumed and killed again, or resumed to its end."""
        resuming = False
        while kills or resuming:
            if resuming and (not kills or self.random.random() < 0.7):
                started = time.monotonic()
                self.fendex.run(*self.import_words)
                # The machine may be slower now, so moments are scaled to the length of an import.
                self.seconds = max(self.seconds, time.monotonic() - started)
                self.check_end(self.truth, self.questions)
                self.totals["completed resumes"] += 1
                resuming = False
                self.remove()
                continue
            delay = self.random.random() * self.seconds
            asks = self.random.random() < 0.25
            if not self.fendex.kill(delay, *self.import_words,
                                    meanwhile=self.ask_while_running if asks else None):
                # It ended before the kill.
                self.check_end(self.truth, self.questions)
                self.totals["completed resumes"] += resuming
                resuming = False
                self.remove()
                continue
            kills -= 1
            self.totals["kills"] += 1
            if self.totals["kills"] % 20 == 0:
                print(self, file=sys.stderr, flush=True)
            self.totals["kills of resumes"] += resuming
            resuming = True
            if self.exists():
                info = self.fendex.info(self.database)
                self.totals["kills before the first commit"] += info["games"] == 0
                self.totals["kills after the last game"] += info["games"] == self.truth["games"]
                self.check()
                self.check_answers(self.questions, info["games"])
            else:
                self.totals["kills before the first commit"] += 1
                self.totals["checks"] += 1

    def write_evaluations(self, path):
        """Lines of Lichess's form, of positions of the games, some of them several times. Returns
        what is to be kept: by position, for each number of PVs the deepest search, of equally deep
        ones that with more nodes."""
        epd = self.directory / "positions.epd"
        self.fendex.run("export", self.reference, "--format", "epd", "--limit",
                        self.options.evaluations, "-o", epd)
        fens = [" ".join(line.split()[:4]) for line in epd.read_text().splitlines()]
        fens += self.random.choices(fens, k=len(fens) // 2)
        self.random.shuffle(fens)
        kept = collections.defaultdict(dict)
        with open(path, "w", encoding="ascii") as out:
            for fen in fens:
                pvs = [{"cp": self.random.randint(-300, 300)}
                       for _ in range(self.random.choice((1, 1, 1, 3)))]
                search = {"pvs": pvs, "knodes": self.random.randint(1, 99999),
                          "depth": self.random.randint(1, 9)}
                print(json.dumps({"fen": fen, "evals": [search]}), file=out)
                searches = kept[without_en_passant(fen)]
                best = searches.get(len(pvs), search)
                searches[len(pvs)] = max(best, search, key=rank)
        return kept

    def records(self):
        """Of the database, by their position."""
        lines = self.fendex.run("export", self.database, "--evals", "jsonl",
                                status=(0, 1)).splitlines()
        return {json.loads(line)["fen"]: line for line in lines}

    def kill_records(self, kills):
        """Imports of evaluations into a database with games, killed and resumed like those of games:
        while they come, while they are merged, and at the end."""
        if not kills:
            return
        lines = self.directory / "evals.jsonl"
        kept = self.write_evaluations(lines)
        words = ("import", self.database, lines, "--memory", "1M", "--threads",
                 self.options.threads)
        self.restart_from(self.reference)
        started = time.monotonic()
        self.fendex.run(*words)
        seconds = time.monotonic() - started
        truth = self.records()
        found = {without_en_passant(fen): {len(each["pvs"]): rank(each)
                                           for each in json.loads(line)["evals"]}
                 for fen, line in truth.items()}
        wanted = {fen: {pvs: rank(each) for pvs, each in searches.items()}
                  for fen, searches in kept.items()}
        if found != wanted:
            raise Wrong("other records than the lines have")
        with_records = self.directory / "with_records.db"
        shutil.copyfile(self.database, with_records)
        self.restart_from(self.reference)
        while kills:
            if self.random.random() < 0.4 or not self.fendex.kill(
                    self.random.random() * seconds, *words):
                self.fendex.run(*words)
                if self.records() != truth:
                    raise Wrong("other records than after an import in one run")
                self.check_end({**self.truth, "records": len(truth)}, self.questions)
                self.totals["completed imports of records"] += 1
                self.restart_from(self.reference)
                continue
            kills -= 1
            self.totals["kills"] += 1
            self.totals["kills of imports of records"] += 1
            self.check()
            found = self.records()
            if found.keys() - truth.keys():
                raise Wrong("a record of a position that no line has")
            self.totals["kills with some records"] += 0 < len(found) < len(truth)
        self.restart_from(with_records)
        for _ in range(5):
            killed = self.fendex.kill(self.random.random() * seconds / 10, "delete",
                                      self.database, "--records")
            self.totals["kills of delete --records"] += killed
            self.check()
            if self.records() not in (truth, {}):
                raise Wrong("some records are deleted")
            self.restart_from(with_records)
        self.remove()

    def write_commented(self):
        """An archive: the first games of the reference, with comments."""
        self.fendex.run("export", self.reference, "--limit", self.truth["games"] // 10 + 1, "-o",
                        self.commented)
        text = self.commented.read_text(encoding="utf-8")
        self.commented.write_text(re.sub(r"^1\. (\S+)", r"1. \1 {a comment}", text, flags=re.M),
                                  encoding="utf-8")

    def kill_changes(self, kills):
        """`delete`, `compact` and others: all of it has happened, or it can be done again."""
        database, copy = self.database, self.directory / "copy.db"
        games = f"1-{self.truth['games'] // 3}"
        changes = {"delete": ("delete", database, "--games", games),
                   "compact": ("compact", database), "materialize": ("materialize", database),
                   "drop": ("materialize", database, "--drop"), "repair": ("repair", database),
                   "backup": ("backup", database, copy),
                   "backup-compact": ("backup", database, copy, "--compact"),
                   "upgrade": ("upgrade", database),
                   "merge": ("import", database, self.reference),
                   "annotations": ("import", database, self.commented, "--annotations"),
                   "again": ("import", database, self.archive, "--again", "--yes")}
        names = self.options.changes.split(",")
        for n, name in enumerate(names):
            share = kills // len(names) + (n < kills % len(names))
            if share:
                Killed(self, name, changes[name], copy).kill(share)
        self.remove()


class Killed:
    """A change that is killed again and again, from the same database each time."""

    def __init__(self, torture, name, words, copy):
        self.torture, self.name, self.words = torture, name, words
        self.fendex, self.totals = torture.fendex, torture.totals
        self.before = torture.directory / "before.db"
        self.copy = copy if name.startswith("backup") else None
        if name == "upgrade":
            Fendex(torture.options.old_fendex, torture.archive).run("import", self.before,
                                                   *torture.import_words[2:])
        elif name in ("merge", "annotations"):
            if not torture.commented.exists():
                torture.write_commented()
            self.fendex.run("import", self.before, torture.commented)
        else:
            shutil.copyfile(torture.reference, self.before)
        self.fingerprint = self.fendex.info(self.before)["fingerprint"]
        if name == "drop":
            self.fendex.run("materialize", self.before)
        if name == "repair":
            damage(self.before)
        if name.endswith("compact"):
            # Otherwise there may be nothing to do.
            self.fendex.run("delete", self.before, "--games", "1-20")
            self.fingerprint = self.fendex.info(self.before)["fingerprint"]

    def restart(self):
        self.torture.restart_from(self.before)
        if self.copy:
            # A smaller earlier backup.
            shutil.copyfile(self.earlier, self.copy)

    def kill(self, kills):
        torture = self.torture
        if self.copy:
            self.earlier = torture.directory / "earlier.db"
            shutil.copyfile(torture.reference, self.earlier)
            self.fendex.run("delete", self.earlier, "--games", "1-9")
            earlier = self.fendex.info(self.earlier)
        self.restart()
        started = time.monotonic()
        self.fendex.run(*self.words)
        seconds = time.monotonic() - started
        changed = self.copy or torture.database
        truth = self.fendex.info(changed)
        if self.name not in ("delete", "merge", "again") and (
                truth["fingerprint"] != self.fingerprint):
            raise Wrong("other games than before")
        text = self.fendex.run("export", changed)
        if self.name == "annotations" and "{a comment}" not in text:
            raise Wrong("no comment was added")
        questions = {fen: self.fendex.find(changed, fen) for fen in torture.questions}
        while kills:
            self.restart()
            if not self.fendex.kill(torture.random.random() * seconds, *self.words):
                continue
            kills -= 1
            self.totals["kills"] += 1
            self.totals[f"kills of {self.name}"] += 1
            if self.copy:
                found = self.fendex.info(self.copy)["fingerprint"]
                if found not in (earlier["fingerprint"], truth["fingerprint"]):
                    raise Wrong("the copy is neither the earlier one nor the new one")
                self.totals["remains of backups"] += len(remains_of(self.copy)) != 0
            if self.name != "repair":
                torture.check(changed)
            elif not self.fendex.is_clean(torture.database):
                self.totals["kills before the repair was committed"] += 1
            words = self.words
            if self.name == "again" and self.is_complete(truth):
                words = words[:-2]  # or it would be imported once more
            self.fendex.run(*words, status=(0, 1))
            torture.check_end(truth, questions, changed)
            if self.fendex.run("export", changed) != text:
                raise Wrong("other games or comments in the end")
            self.totals["completed changes"] += 1
            if self.totals["kills"] % 20 == 0:
                print(torture, file=sys.stderr, flush=True)
        self.before.unlink()

    def is_complete(self, truth):
        connection = sqlite3.connect(self.torture.database)
        begun = connection.execute("SELECT count(*) FROM source WHERE NOT complete").fetchone()[0]
        connection.close()
        return not begun and self.fendex.info(self.torture.database)["games"] == truth["games"]


def without_en_passant(fen):
    """The square is written in some places only if a capture there is legal."""
    return " ".join(fen.split()[:3])


def rank(search):
    return search["depth"], search["knodes"]


def remains_of(database):
    """Files beside the database that a verb is to remove at its end, also those of a killed one."""
    return [path.name for path in database.parent.iterdir()
            if path != database and path.name.startswith(database.name)]


def damage(database):
    """What is derived from the games."""
    connection = sqlite3.connect(database)
    with connection:
        connection.execute("DELETE FROM block WHERE id % 7 = 3")
        connection.execute("UPDATE fact SET data = zeroblob(length(data)) WHERE chunk = 0")
        connection.execute("DELETE FROM repetition WHERE game_id % 2 = 0")
        connection.execute("UPDATE meta SET value = value + 1 WHERE name = 'plies'")
    connection.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fendex", default="build/src/fendex", type=pathlib.Path)
    parser.add_argument("--archive", default="../shared/corpus/human.pgn.zst", type=pathlib.Path)
    parser.add_argument("--kills", default=200, type=int, help="of imports")
    parser.add_argument("--record-kills", default=40, type=int, help="of imports of evaluations")
    parser.add_argument("--evaluations", default=200_000, type=int, help="positions that get one")
    parser.add_argument("--change-kills", default=40, type=int,
                        help="of all --changes together")
    parser.add_argument("--changes", default="delete,compact,materialize,drop,repair,backup,merge,annotations,again",
                        help="which; also backup-compact, and upgrade with --old-fendex")
    parser.add_argument("--old-fendex", type=pathlib.Path,
                        help="a program of an earlier format, which makes what is upgraded")
    parser.add_argument("--generate", type=pathlib.Path, metavar="FENDEX_GENERATE",
                        help="make up an archive that begins as the games of the given one")
    parser.add_argument("--stream", action="store_true", help="the archive is read from stdin")
    parser.add_argument("--games", default=4000, type=int, help="of an archive that is made up")
    parser.add_argument("--questions", default=12, type=int, help="positions asked for each time")
    parser.add_argument("--quick", action="store_true",
                        help="ask for 3 positions, unless FENDEX_TEST_SIZE is full")
    parser.add_argument("--full-every", default=10, type=int,
                        help="check everything, not a sample, after every n-th kill")
    parser.add_argument("--memory", default="64M")
    parser.add_argument("--threads", default=2, type=int)
    parser.add_argument("--seed", default=random.randrange(1 << 32), type=int)
    parser.add_argument("--tmp", default=tempfile.gettempdir(), help="where the databases go")
    options = parser.parse_args()
    if options.generate and not options.generate.exists():
        print(f"skipped: {options.generate} has not been built")
        return 77
    if options.quick and os.environ.get("FENDEX_TEST_SIZE") != "full":
        options.questions = 3
    print(f"seed {options.seed}", flush=True)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fendex-kill-", dir=options.tmp) as directory:
        torture = Torture(options, pathlib.Path(directory))
        try:
            torture.kill_imports(options.kills)
            torture.kill_records(options.record_kills)
            torture.kill_changes(options.change_kills)
        except Wrong as wrong:
            kept = pathlib.Path(options.tmp) / f"fendex-kill-{options.seed}"
            shutil.copytree(directory, kept, dirs_exist_ok=True)
            print(f"after {torture.totals['kills']} kills: {wrong}; kept in {kept}")
            return 1
    print(torture, f"in {time.monotonic() - started:.0f} s: nothing was lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
