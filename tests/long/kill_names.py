#!/usr/bin/env python3
"""Kills `fendex names --from` at several moments: all names of the file are joined then, or none.

    tests/long/kill_names.py --fendex build/src/fendex

Imports games of --names players, and joins each ten of them. Prints how long that takes, and how
often a kill left none and all. Exit status 1 if it left a part, or a database that is damaged.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fendex", default="build/src/fendex", type=pathlib.Path)
    parser.add_argument("--names", default=100_000, type=int)
    parser.add_argument("--moments", default=20, type=int)
    options = parser.parse_args()
    fendex = options.fendex.resolve()
    with tempfile.TemporaryDirectory(prefix="fendex-names-") as directory:
        base, database, names, games = (pathlib.Path(directory, name)
                                        for name in ("base.db", "my.db", "names.csv", "games.pgn"))
        with open(games, "w") as out:
            for i in range(0, options.names, 2):
                out.write(f'[White "Name {i}"]\n[Black "Name {i + 1}"]\n\n1. e4 *\n\n')
        names.write_text("".join(f"Name {i},Name {i - i % 10}\n" for i in range(options.names)))
        subprocess.run([fendex, "import", base, games, "--quiet"], check=True)

        def join(after=None):
            for old in database.parent.glob("my.db*"):
                old.unlink()
            shutil.copyfile(base, database)
            started = time.monotonic()
            with subprocess.Popen([fendex, "names", database, "--from", names, "--quiet"]) as run:
                try:
                    run.wait(after)
                except subprocess.TimeoutExpired:
                    run.kill()
            taken = time.monotonic() - started
            subprocess.run([fendex, "check", database, "--quiet"], check=True,
                           stdout=subprocess.DEVNULL)
            joined = subprocess.run([fendex, "names", database, "--joined", "--format", "csv",
                                     "--no-header"], stdout=subprocess.PIPE).stdout
            return joined.count(b"\n"), taken

        whole, taken = join()
        left = [join(taken * (i + 1) / (options.moments + 1))[0] for i in range(options.moments)]
        part = [count for count in left if count not in (0, whole)]
        print(f"{whole} names are joined in {taken:.1f} s; killed {len(left)} times, which left"
              f" none {left.count(0)} times, all {left.count(whole)} times, a part {len(part)} times")
        if part or whole != options.names - (options.names + 9) // 10:
            sys.exit(1)


if __name__ == "__main__":
    main()
