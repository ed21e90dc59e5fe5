#!/usr/bin/env python3
"""Pushes archives into ClickHouse servers on this machine and prints what that costs: rows and bytes
of each table, postings a second, and how long questions take (schema/FORMAT.md, "In ClickHouse").

    tests/bench/cluster_figures.py --fendex build/src/fendex [--kind one|two|new] [--runs N] INPUT...

INPUT is an archive, or a number of games, which fendex_generate makes (--generate PROGRAM,
--openings ARCHIVE). Times are of whole commands, with the start of the program: the median and the
95th percentile of the runs. The servers are those of the tests (tests/clickhouse/servers.py).
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SERVERS = ROOT / "tests/clickhouse/servers.py"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
TREES = {
    "tree of the start": [],
    "... since 2010": ["--since", "2010"],
    "... both 2400 and more": ["--min-elo", "2400"],
    "... of a player": ["--player", "carlsen"],
    "... by ECO and result": ["--eco", "B90-B99", "--result", "1-0"],
}


def output(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def ask(host, sql):
    with urllib.request.urlopen(f"http://{host}/", data=sql.encode()) as answer:
        return [line.split("\t") for line in answer.read().decode().splitlines()]


def milliseconds(runs, command):
    """The median and the 95th percentile of `runs` calls of command(number)."""
    times = []
    for number in range(runs):
        words = command(number)
        begin = time.perf_counter()
        subprocess.run([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(1000 * (time.perf_counter() - begin))
    return statistics.median(times), sorted(times)[int(0.95 * (runs - 1))]


def archive_of(asked, options, folder):
    if not asked.isdigit():
        return asked
    made = pathlib.Path(folder, "made.pgn")
    output(options.generate, "--games", asked, "--seed", 7, "--openings", options.openings, "-o", made)
    return made


def measure(asked, options, folder, hosts):
    fendex, file = options.fendex, pathlib.Path(folder, "games.db")
    file.unlink(missing_ok=True)
    output(fendex, "import", file, archive_of(asked, options, folder), "--ply-rows", "no")
    url = f"clickhouse://{','.join(hosts)}/figures"
    cluster = ["--cluster", "two"] if options.kind == "two" else []
    pushed = json.loads(output(fendex, "push", file, url, "--format", "json", *cluster))
    postings = pushed["postings"]
    print(f"\n{asked}: {pushed['games']:,} games, {postings:,} postings; push {pushed['seconds']:.1f} s,"
          f" {postings / pushed['seconds'] / 1e6:.2f} M postings/s; file {file.stat().st_size:,} bytes")
    print(f"{'table':14} {'rows':>12} {'bytes':>14} {'a row':>7} {'a posting':>9}  parts")
    sizes = {}
    for host in hosts:
        for table, rows, size, parts in ask(host, """SELECT table, sum(rows), sum(bytes_on_disk), count()
                FROM system.parts WHERE active = 1 AND database = 'figures' GROUP BY table"""):
            before = sizes.get(table, (0, 0, 0))
            sizes[table] = tuple(a + int(b) for a, b in zip(before, (rows, size, parts)))
    for table, (rows, size, parts) in sorted(sizes.items(), key=lambda each: -each[1][1]):
        if rows:
            print(f"{table:14} {rows:12,} {size:14,} {size / rows:7.1f} {size / postings:9.2f}  {parts}")

    chance = random.Random(1)
    rare = [json.loads(output(fendex, "sql", file, "--format", "json",
                              f"SELECT fen FROM ply WHERE game_id = {chance.randrange(pushed['games']) + 1}"
                              " ORDER BY ply DESC LIMIT 1 OFFSET 12").splitlines()[0])["fen"]
            for _ in range(options.runs)]
    print(f"{'whole command, ms':26} {'cluster':>8} {'p95':>7} {'file':>7}")
    questions = {name: lambda _, words=words: ["tree", START, *words] for name, words in TREES.items()}
    questions["find of a rare position"] = lambda number: ["find", rare[number]]
    questions["program's start (--version)"] = None
    for name, words in questions.items():
        if words is None:
            median, high = milliseconds(options.runs, lambda _: [fendex, "--version"])
            print(f"{name:26} {median:8.0f} {high:7.0f}")
            continue

        def command(database, number, words=words):
            verb, *rest = words(number)
            return [fendex, verb, database, *rest]
        median, high = milliseconds(options.runs, lambda number: command(url, number))
        local, _ = milliseconds(options.runs, lambda number: command(file, number))
        print(f"{name:26} {median:8.0f} {high:7.0f} {local:7.0f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--fendex", required=True)
    parser.add_argument("--generate")
    parser.add_argument("--openings")
    parser.add_argument("--kind", choices=["one", "two", "new"], default="one")
    parser.add_argument("--chdb", default=str(ROOT / "build-chdb"))
    parser.add_argument("--runs", type=int, default=21)
    parser.add_argument("--folder", help="for files, which are removed (default: a temporary one)")
    options = parser.parse_args()
    for asked in options.inputs:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            state = pathlib.Path(folder, "state.json")
            output(SERVERS, "start", state, "--kind", options.kind, "--chdb", options.chdb, "--for",
                   os.getpid())
            try:
                kind = json.loads(state.read_text(encoding="utf-8"))["kinds"][options.kind]
                if kind["why"]:
                    sys.exit(kind["why"])
                measure(asked, options, folder, kind["hosts"])
            finally:
                output(SERVERS, "stop", state)


main()
