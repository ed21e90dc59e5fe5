#!/usr/bin/env python3
"""Makes one call of the system fail, in each verb, at each place; nothing may be lost or said falsely.

    tests/long/failing_calls.py --fendex build/src/fendex --library build/tests/libfailing_calls.so

A verb runs once while a library that is loaded before all others counts its calls: malloc, write,
fsync, ftruncate, read, unlink. Then it runs again for each place in the program that made such a
call (by its call stack), and for --random other calls: this one call fails. Either the verb gives the
same answer all the same, or it ends with exit status 2 and an error that names the cause. After that
the database is intact, no file is left beside it, and the same verb, without a failing call, does
what it always does. `serve` may also answer a request with an error of the server.

Prints one line of totals; exit status 1 where anything was wrong. --seconds limits the time: then the
calls are picked at random, by turns of verbs and kinds. --sample with the same --seed picks the same.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import http.client
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

# What an error must say about its cause.
# SQLite does not say why VACUUM cannot read or open the copy that it makes.
_BY_THE_DISK = r"I/O error|Input/output error"
CAUSES = {"malloc": r"memory", "write": r"full|space|room", "fsync": _BY_THE_DISK,
          "ftruncate": _BY_THE_DISK, "read": _BY_THE_DISK + r"|malformed|unable to open",
          "unlink": _BY_THE_DISK}
# What must be the same after the verb has run to its end.
SAME = ("games", "plies", "positions", "errors", "fingerprint", "ply_rows", "records",
        "joined_names")
NAMES = ("Zapata, Alonso", "Ding Liren", "Huebner, Robert")
LIMIT = 60  # seconds that a verb may take; none needs one


class Result:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err


class Tester:
    def __init__(self, options, directory):
        self.options = options
        self.directory = directory
        self.samples = options.samples
        self.bases = {}

    def run(self, words, folder, **environment):
        process = subprocess.Popen([self.options.fendex, *words], cwd=folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env={**os.environ, **environment})
        try:
            out, err = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return Result("hangs", b"", "")
        return Result(process.returncode, out, err.decode(errors="replace").strip())

    def failing(self, kind, **more):
        return {"LD_PRELOAD": str(self.options.library), "FENDEX_FAIL_CALL": kind, **more}

    def info(self, folder):
        done = self.run(["info", "my.db", "--format", "json"], folder)
        if done.status != 0:
            return {"error": done.err}
        found = json.loads(done.out)
        games = self.run(["export", "my.db"], folder)
        evals = self.run(["export", "my.db", "--evals", "jsonl"], folder)
        return {"export": hashlib.sha256(games.out).hexdigest(),
                "evals": hashlib.sha256(evals.out).hexdigest(),
                **{name: found.get(name) for name in SAME}}

    def make_bases(self):
        """Databases from which the verbs start."""
        for name in ("none", "some", "damaged", "rows", "doubles", "plain"):
            folder = self.bases[name] = self.directory / name
            folder.mkdir()
            for sample in ("classics.pgn", "repetitions.pgn", "curiosities.pgn"):
                shutil.copyfile(self.samples / sample, folder / sample)
            (folder / "first.jsonl").write_text("".join(map(evaluation, range(0, 300))))
            (folder / "second.jsonl").write_text("".join(map(evaluation, range(200, 900))))
            commented = re.sub(r"^1\. (\S+)", r"1. \1 {a comment}",
                               (folder / "classics.pgn").read_text(), flags=re.M)
            (folder / "commented.pgn").write_text(commented)
            (folder / "names.csv").write_text("".join(f'"{one}",One\\n' for one in NAMES))
            if name == "none":
                continue
            for words in (["import", "other.db", "commented.pgn", "--annotations"],
                          ["import", "my.db", "repetitions.pgn", "--annotations",
                           "--variations", "--ply-rows", "yes" if name == "rows" else "no"],
                          ["import", "my.db", "curiosities.pgn", "first.jsonl"],
                          ["delete", "my.db", "--games", "1"]):
                done = self.run(words, folder)
                if done.status != 0:
                    raise SystemExit(f"{words}: {done.err}")
        done = self.run(["import", "my.db", "commented.pgn"], self.bases["plain"])
        if done.status != 0:
            raise SystemExit(f"commented.pgn: {done.err}")
        folder = self.bases["doubles"]
        text = (folder / "classics.pgn").read_text()
        (folder / "doubles.pgn").write_text(text + re.sub(r'\[Event ".*"\]', '[Event "?"]', re.sub(
            r'\[Date "(\d+)\..*"\]', r'[Date "\1.??.??"]', text)))
        done = self.run(["import", "my.db", "doubles.pgn", "--annotations"], folder)
        if done.status != 0:
            raise SystemExit(f"doubles: {done.err}")
        shutil.copyfile(self.bases["rows"] / "my.db", self.bases["damaged"] / "my.db")
        damage(self.bases["damaged"] / "my.db")


def evaluation(number):
    """A line of Lichess's form. The positions of different numbers below 1,000 are different."""
    ranks = "/".join(str(8 if digit == 0 else f"{digit - 1 or ''}P{8 - digit or ''}")
                     for digit in ((number // 9 ** i) % 9 for i in range(6)))
    search = {"pvs": [{"cp": number * 7 % 300 - 150, "line": "e1e2 e8e7"}],
              "knodes": number * 31 % 9999, "depth": 20 + number % 17}
    return json.dumps({"fen": f"4k3/{ranks}/4K3 w - -", "evals": [search]}) + "\n"


def damage(database):
    """What is derived from the games, and the number of records."""
    import sqlite3
    connection = sqlite3.connect(database)
    with connection:
        connection.execute("DELETE FROM block WHERE id % 3 = 0")
        connection.execute("DELETE FROM repetition WHERE game_id % 2 = 0")
        connection.execute("UPDATE meta SET value = value + 1 WHERE name IN ('plies', 'records')")
    connection.close()


class Verb:
    """A verb with its words, and what it does when no call fails."""

    def __init__(self, tester, name, base, words, statuses=(0,), writes=True):
        self.tester, self.name, self.words = tester, name, words
        self.base, self.statuses, self.writes = tester.bases[base], statuses, writes

    def __str__(self):
        return self.name

    def fresh(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.tester.directory))
        shutil.rmtree(folder)
        shutil.copytree(self.base, folder)
        return folder

    def go(self, folder, **environment):
        return self.tester.run(self.words, folder, **environment)

    def learn(self):
        folder = self.fresh()
        self.truth = self.go(folder)
        if self.truth.status not in self.statuses:
            raise SystemExit(f"{self}: exit status {self.truth.status}: {self.truth.err}")
        self.files = {path.name for path in folder.iterdir()}
        self.end = self.at_the_end(folder)
        shutil.rmtree(folder)

    def at_the_end(self, folder):
        return self.tester.info(folder)

    def places(self, kind):
        """The number of the first call from each place, and the number of all calls."""
        folder, log = self.fresh(), self.tester.directory / f"calls-{self.name}-{kind}"
        self.go(folder, **self.tester.failing(kind, FENDEX_FAIL_LOG=str(log)))
        lines = log.read_text().split("\n")[:-1] if log.exists() else []
        shutil.rmtree(folder)
        count = sum(int(line[4:]) for line in lines if line.startswith("all "))
        return [int(line) for line in lines if not line.startswith("all ")], count

    def same_answer(self, result):
        return result.out == self.truth.out

    def left(self, folder):
        return {path.name for path in folder.iterdir()} - self.files

    def wrong(self, kind, number):
        """What is wrong after this call failed; None if nothing is."""
        folder = self.fresh()
        result = self.go(folder, **self.tester.failing(kind, FENDEX_FAIL_AT=str(number)))
        found = self.judge(folder, kind, result)
        if found:
            found = f"{self} {kind} {number}: {found} | {result.status} {result.err[-300:]}"
        shutil.rmtree(folder)
        return found

    def judge(self, folder, kind, result):
        if result.status == 2:
            if not re.search(r"^fendex: ", result.err, re.M):
                return "no error is printed"
            errors = re.findall(r"^fendex: .*", result.err, re.M)
            if not any(re.search(CAUSES[kind], error) for error in errors):
                return "the error does not name its cause"
        elif result.status not in self.statuses:
            return "a wrong exit status"
        elif not self.same_answer(result):
            return "another answer"
        # What SQLite keeps beside a database may hold what was committed; the next writer ends it.
        left = self.left(folder) - {"my.db-wal", "my.db-shm", "my.db-journal"}
        if left and kind != "unlink":
            return f"left behind: {sorted(left)}"
        if (folder / "my.db").exists() and (folder / "my.db").stat().st_size:
            clean = self.tester.run(["check", "my.db"], folder)
            # It may be that nothing was stored, and that the file cannot be removed.
            empty = kind == "unlink" and "is empty" in clean.err
            if clean.status != 0 and self.base.name != "damaged" and not empty:
                return f"check: {clean.status} {clean.out.decode()[:200]} {clean.err}"
        again = self.go(folder)
        if again.status not in self.statuses:
            return f"the next run: {again.status} {again.err}"
        if self.left(folder) and self.writes:
            return f"left behind by the next run: {sorted(self.left(folder))}"
        end = self.at_the_end(folder)
        # Where a file could be read only in part, the game that was cut has been replaced by a whole
        # one, which has another number.
        if kind == "read" and "fingerprint" in end:
            end["fingerprint"] = self.end["fingerprint"]
        if end != self.end:
            return f"the next run ends with {end}, not {self.end}"
        return None


class Attempt(Verb):
    """An import of which a failed attempt stays in the ledger, with its error."""

    def at_the_end(self, folder):
        end = super().at_the_end(folder)
        end.pop("errors", None)
        return end


class Save(Verb):
    """Deletes games that it saves in a file. A run that failed leaves no file or a complete one."""
    FILE = "saved.pgn"
    saved = None

    def go(self, folder, **environment):
        file = folder / self.FILE
        if file.exists():
            if file.read_bytes() != self.saved:
                return Result("the saved file is not complete", b"", "")
            file.unlink()  # it would be refused
        result = super().go(folder, **environment)
        if self.saved is None:
            self.saved = file.read_bytes()
        return result

    def judge(self, folder, kind, result):
        if not (folder / self.FILE).exists() and self.games(folder) != self.games_before:
            return "games are deleted that are not saved"
        return super().judge(folder, kind, result)

    def learn(self):
        self.games_before = self.games(self.base)
        super().learn()

    def games(self, folder):
        return json.loads(self.tester.run(["info", "my.db", "--format", "json"], folder).out)["games"]


class Serve(Verb):
    """Starts a server, asks, and ends it."""
    TARGETS = ("/api/v1/find?fen=" + "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR%20w%20KQkq%20-",
               "/lichess", "/api/v1/games?limit=5", "/api/v1/openings?limit=5")

    def go(self, folder, **environment):
        process = subprocess.Popen([self.tester.options.fendex, *self.words], cwd=folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, **environment})
        timer = threading.Timer(LIMIT, process.kill)
        timer.start()
        answers, error = [], ""
        line = process.stdout.readline()
        found = re.match(r"fendex serves http://127\.0\.0\.1:(\d+)/", line)
        if found:
            # Twice: what failed once must work then.
            for target in self.TARGETS * 2:
                answers.append(self.ask(int(found[1]), target))
            process.send_signal(signal.SIGTERM)
        err = process.communicate()[1].strip()
        timer.cancel()
        return Result(process.returncode, answers, err)

    @staticmethod
    def ask(port, target):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
        try:
            connection.request("GET", target)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            return 0, str(error).encode()
        finally:
            connection.close()

    def same_answer(self, result):
        if len(result.out) != len(self.truth.out):
            return False
        half = len(self.TARGETS)
        bad = [i for i in range(2 * half) if result.out[i] != self.truth.out[i]]
        # One request may have failed, and a connection may have been closed.
        return len(bad) <= 1 and all(result.out[i][0] == 0 or result.out[i][0] >= 500 for i in bad)


def verbs(tester):
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    few = ["--threads", "1", "--memory", "16M"]
    return [
        Verb(tester, "import", "none", ["import", "my.db", "repetitions.pgn", "--annotations",
                                        "--ply-rows", "yes", *few]),
        Verb(tester, "append", "some", ["import", "my.db", "classics.pgn", "--ply-rows", "no",
                                        *few]),
        Attempt(tester, "merge", "some", ["import", "my.db", "other.db", *few]),
        Attempt(tester, "annotations", "plain", ["import", "my.db", "commented.pgn",
                                                 "--annotations", *few]),
        Verb(tester, "evals", "none", ["import", "my.db", "first.jsonl", "second.jsonl", *few]),
        Verb(tester, "append-evals", "some", ["import", "my.db", "second.jsonl", "--only-known",
                                              "classics.pgn", *few]),
        Verb(tester, "merge-evals", "some", ["import", "my.db", "second.jsonl", *few]),
        Verb(tester, "delete-evals", "some", ["delete", "my.db", "--records"], (0, 1)),
        Verb(tester, "delete", "some", ["delete", "my.db", "--games", "2-9"], (0, 1)),
        Save(tester, "save-doubles", "doubles", ["delete", "my.db", "--duplicates", "similar",
                                                 "--save", Save.FILE, *few], (0, 1)),
        Verb(tester, "join", "some", ["names", "my.db", "--join", *NAMES], (0, 1)),
        Verb(tester, "join-file", "some", ["names", "my.db", "--from", "names.csv"], (0, 1)),
        Verb(tester, "compact", "some", ["compact", "my.db"]),
        Verb(tester, "materialize", "some", ["materialize", "my.db"]),
        Verb(tester, "drop", "rows", ["materialize", "my.db", "--drop"]),
        Verb(tester, "repair", "damaged", ["repair", "my.db"], (0, 1)),
        Verb(tester, "repair-healthy", "some", ["repair", "my.db"], (0, 1)),
        Verb(tester, "backup", "some", ["backup", "my.db", "copy.db"]),
        Verb(tester, "find", "some", ["find", "my.db", fen], writes=False),
        Verb(tester, "tree", "some", ["tree", "my.db", fen], writes=False),
        Verb(tester, "export", "some", ["export", "my.db"], writes=False),
        Verb(tester, "export-evals", "some", ["export", "my.db", "--evals", "epd"], writes=False),
        Verb(tester, "show-evals", "some", ["evals", "my.db", json.loads(evaluation(7))["fen"]],
             writes=False),
        Serve(tester, "serve", "some", ["serve", "--listen", "127.0.0.1:0", "my.db"], writes=False),
    ]


def turns(of):
    """One of each, by turns, until all are used up."""
    of = [iter(each) for each in of]
    while of:
        for each in list(of):
            try:
                yield next(each)
            except StopIteration:
                of.remove(each)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fendex", default="build/src/fendex", type=pathlib.Path)
    parser.add_argument("--library", default="build/tests/libfailing_calls.so", type=pathlib.Path)
    parser.add_argument("--samples", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2] / "samples")
    parser.add_argument("--random", default=500, type=int,
                        help="calls of each verb that fail besides the first from each place")
    parser.add_argument("--sample", type=int, metavar="N",
                        help="N calls of each verb and kind, and no others")
    parser.add_argument("--seconds", type=float, help="for everything")
    parser.add_argument("--verbs", help="only these, separated by commas")
    parser.add_argument("--calls", default=",".join(CAUSES), help="only these kinds")
    parser.add_argument("--only", type=int, help="only this call")
    parser.add_argument("--jobs", default=os.cpu_count(), type=int, help="at the same time")
    parser.add_argument("--seed", default=random.randrange(1 << 32), type=int)
    parser.add_argument("--tmp", default=tempfile.gettempdir(), help="where the databases go")
    options = parser.parse_args()
    options.fendex, options.library = options.fendex.resolve(), options.library.resolve()
    print(f"seed {options.seed}", flush=True)
    chance = random.Random(options.seed)
    started = time.monotonic()
    failed, totals = [], collections.Counter()

    with tempfile.TemporaryDirectory(prefix="fendex-calls-", dir=options.tmp) as directory, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tester = Tester(options, pathlib.Path(directory))
        tester.make_bases()
        chosen = [verb for verb in verbs(tester)
                  if not options.verbs or verb.name in options.verbs.split(",")]
        list(pool.map(lambda verb: verb.learn(), chosen))
        kinds = options.calls.split(",")
        pairs = list(itertools.product(chosen, kinds))
        picked = []
        for (verb, kind), (places, count) in zip(pairs, pool.map(
                lambda pair: pair[0].places(pair[1]), pairs)):
            totals[f"places of {kind}"] += len(places)
            wanted = list(places)
            if options.only:
                wanted = [options.only]
            elif options.sample:
                wanted = chance.sample(range(1, count + 1), min(options.sample, count))
            elif count:
                wanted += [chance.randint(1, count)
                           for _ in range(max(1, options.random // len(kinds)))]
            chance.shuffle(wanted)
            picked.append([(verb, kind, number) for number in dict.fromkeys(wanted)])

        def one(each):
            if options.seconds and time.monotonic() - started > options.seconds:
                return None, None
            verb, kind, number = each
            return each, verb.wrong(kind, number)

        for each, wrong in pool.map(one, turns(picked)):
            if each is None:
                continue
            totals["calls failed"] += 1
            if wrong:
                failed.append(wrong)
                print(wrong, flush=True)
    print(", ".join(f"{count} {what}" for what, count in totals.items()),
          f"in {time.monotonic() - started:.0f} s: {len(failed)} wrong")
    return 1 if failed or not totals["calls failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
