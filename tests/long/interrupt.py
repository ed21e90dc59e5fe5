#!/usr/bin/env python3
"""Sends SIGINT (Ctrl-C) to every verb at several moments, and measures how long it takes to end.

    tests/long/interrupt.py --fendex build/src/fendex --archive human.pgn.zst

Each verb runs once to its end, then again for each moment: a share of the time that it took, or
some seconds if its input is endless. Prints a line for each verb: how long it takes, the moments,
the time from the signal to the exit. Afterwards a database that was changed must pass a sample of
`fendex check`. Exit status 1 if anything takes more than a second (--limit) or fails.
"""

import argparse
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BLANKS = 1 << 34  # uncompressed bytes of an endless archive
# Seconds after which an endless case is interrupted.
MOMENTS = (0.3, 1.5, 3)


class Place:
    """The databases and inputs, made once, and copies that verbs may change."""

    def __init__(self, options, directory):
        self.options, self.directory = options, directory
        self.fendex = str(options.fendex)
        self.games = self.made("games.db", "no")
        self.database = directory / "changed.db"
        self.plain = directory / "games.pgn"
        with open(self.plain, "wb") as plain:
            subprocess.run(["zstd", "-dcq", options.archive], stdout=plain, check=True)

    def made(self, name, ply_rows, program=None):
        path = self.directory / name
        subprocess.run([program or self.fendex, "import", path, self.options.archive, "--ply-rows",
                        ply_rows], stderr=subprocess.DEVNULL, check=True)
        return path

    def deleted(self, database):
        """A copy without some games, so that compacting has something to do."""
        path = self.directory / "deleted.db"
        shutil.copyfile(database, path)
        subprocess.run([self.fendex, "delete", path, "--games", "1-20"], stderr=subprocess.DEVNULL,
                       check=True)
        return path

    def remove_changed(self):
        for path in self.directory.glob("changed.db*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def run(self, case, after=None):
        """Runs a case to its end, or interrupts it; returns how long that took, or None if it had
        ended before."""
        self.remove_changed()
        if case.before:
            shutil.copyfile(case.before, self.database)
        source = None
        if case.input:
            source = subprocess.Popen(["sh", "-c", case.input], stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, start_new_session=True)
        words = [self.fendex, *(str(word) for word in case.words)]
        with open(self.directory / "err", "w+") as errors:
            with subprocess.Popen(words, stdin=source.stdout if source else subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=errors,
                                  start_new_session=True) as process:
                started = time.monotonic()
                taken = None
                try:
                    process.wait(after)
                    if after is None:
                        taken = time.monotonic() - started
                except subprocess.TimeoutExpired:
                    started = time.monotonic()
                    process.send_signal(signal.SIGINT)
                    process.wait(120)
                    taken = time.monotonic() - started
                status = process.returncode
            errors.seek(0)
            said = errors.read()
        if source:
            source.stdout.close()
            source.kill()
            source.wait()
        if status not in (0, 1, 130, -signal.SIGINT) and not case.may_fail:
            raise SystemExit(f"{case.name}: exit status {status}: {said}")
        if case.before and self.database.exists():
            subprocess.run([self.fendex, "check", self.database, "--sample", "50"], check=True,
                           stderr=subprocess.DEVNULL)
        return taken


class Case:
    def __init__(self, name, *words, before=None, endless=False, input=None, may_fail=False):
        self.name, self.words, self.before = name, words, before
        self.endless, self.input, self.may_fail = endless, input, may_fail


def bomb(place):
    path = place.directory / "blanks.zst"
    subprocess.run(f"head -c {BLANKS} /dev/zero | tr '\\0' ' ' | zstd -1q -o {path}", shell=True,
                   check=True)
    return path


def cases(place):
    archive, plain, games, database = (place.options.archive, place.plain, place.games,
                                       place.database)
    yield Case("import plain", "import", database, plain)
    yield Case("import .zst", "import", database, archive)
    yield Case("import ply rows", "import", database, plain, "--ply-rows", "yes")
    yield Case("import variations", "import", database, plain, "--variations")
    yield Case("import --skip-duplicates", "import", database, plain, "--skip-duplicates",
               before=games)
    yield Case("import, known", "import", database, "-", before=games, input=f"cat {plain}")
    yield Case("import stdin", "import", database, "-", input=f"cat {plain}")
    yield Case("import, silent pipe", "import", database, "-", input="sleep 100", endless=True)
    yield Case("import blanks", "import", database, bomb(place), endless=True, may_fail=True)
    yield Case("import open comment", "import", database, "-", endless=True, may_fail=True,
               input="(echo '1. e4 {'; yes 'and so on')")
    yield Case("import open tag", "import", database, "-", endless=True, may_fail=True,
               input="(echo '1. e4 *'; printf '[Event \"'; yes 'and so on' | tr -d '\\n')")
    yield Case("import one word", "import", database, "-", endless=True, may_fail=True,
               input="(echo '1. e4 *'; yes 'abcdefgh' | tr -d '\\n')")
    yield Case("import endless game", "import", database, "-", endless=True, may_fail=True,
               input="(printf '1. e4 e5 '; yes 'Nf3 Nf6 Ng1 Ng8')")
    yield Case("delete", "delete", database, "--games", "1-60000", before=games)
    yield Case("delete --duplicates", "delete", database, "--duplicates", "identical", before=games)
    yield Case("compact", "compact", database, before=place.deleted(games))
    yield Case("materialize", "materialize", database, before=games)
    rows = place.made("rows.db", "yes")
    yield Case("materialize --drop", "materialize", database, "--drop", before=rows)
    yield Case("compact ply rows", "compact", database, before=place.deleted(rows))
    yield Case("check ply rows", "check", rows)
    yield Case("backup ply rows", "backup", rows, database)
    rows.unlink()
    yield Case("repair", "repair", database, before=games)
    yield Case("check", "check", games)
    yield Case("check --sample", "check", games, "--sample", "20000")
    yield Case("backup", "backup", games, database)
    yield Case("backup --compact", "backup", games, database, "--compact")
    if place.options.old_fendex:
        old = place.made("old.db", "no", place.options.old_fendex)
        yield Case("upgrade", "upgrade", database, before=old)
        old = place.made("old-rows.db", "yes", place.options.old_fendex)
        yield Case("upgrade ply rows", "upgrade", database, before=old)
        old.unlink()
    yield Case("export", "export", games, "-o", place.directory / "changed.db.pgn")
    yield Case("export plies", "export", games, "--format", "csv", "--rows", "plies", "-o",
               place.directory / "changed.db.csv")
    yield Case("export epd", "export", games, "--format", "epd", "-o",
               place.directory / "changed.db.epd")
    yield Case("export polyglot", "export", games, "--format", "polyglot", "-o",
               place.directory / "changed.db.bin")
    yield Case("find", "find", games, START, "--format", "json")
    yield Case("find --pattern", "find", games, "--pattern", "*/*/*/???N*/??P?P*/*/*/*",
               "--format", "json")
    yield Case("find --material", "find", games, "--material", "KRPvKR", "--count")
    yield Case("tree", "tree", games, "--depth", "8", "--format", "json")
    yield Case("repeats", "repeats", games, "--format", "json")
    yield Case("patterns in sql", "sql", games, "SELECT count(*), max(fen) FROM ply")
    yield Case("games", "games", games, "--format", "json")
    yield Case("duplicates", "duplicates", games, "--format", "json")
    yield Case("errors", "errors", games)
    yield Case("show", "show", games, "1-20000", "--plies")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fendex", default="build/src/fendex", type=pathlib.Path)
    parser.add_argument("--old-fendex", type=pathlib.Path,
                        help="a program of an earlier format, for upgrade")
    parser.add_argument("--archive", default="../shared/corpus/human.pgn.zst", type=pathlib.Path)
    parser.add_argument("--only", help="cases whose name this expression finds")
    parser.add_argument("--moments", type=float, nargs="+", default=(0.05, 0.3, 0.5, 0.7, 0.85, 0.97),
                        help="shares of the time that a verb takes")
    parser.add_argument("--limit", default=1.0, type=float, help="seconds")
    parser.add_argument("--tmp", default=tempfile.gettempdir(), help="where the databases go")
    options = parser.parse_args()
    too_long = 0
    with tempfile.TemporaryDirectory(prefix="fendex-interrupt-", dir=options.tmp) as directory:
        place = Place(options, pathlib.Path(directory))
        for case in cases(place):
            if options.only and not re.search(options.only, case.name):
                continue
            moments = MOMENTS
            seconds = None
            if not case.endless:
                seconds = place.run(case)
                moments = [share * seconds for share in options.moments]
            results = [(after, place.run(case, after)) for after in moments]
            times = [taken for _, taken in results if taken is not None]
            worst = max(times, default=0.0)
            too_long += worst > options.limit
            took = f"{seconds:8.2f} s" if seconds is not None else "   endless"
            print(f"{case.name:26}{took}  worst {worst:5.2f} s ",
                  " ".join(f"{after:.2f}:{'-' if taken is None else format(taken, '.2f')}"
                           for after, taken in results),
                  " TOO LONG" if worst > options.limit else "", flush=True)
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
