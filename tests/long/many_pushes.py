#!/usr/bin/env python3
"""Pushes many small imports into a cluster, and the same games at once into another database of it.
Prints what questions cost the servers in both, and how long the pushes take (schema/FORMAT.md, "In ClickHouse").

    tests/long/many_pushes.py --fendex build/src/fendex [--pushes N] [--games N] [--kind two|one|new] ARCHIVE

ARCHIVE is a PGN file with N x N games or more. Costs are from system.query_log of all servers: the time
of a processor, and of the clock, over all queries that a question sends. With --old PROGRAM another
program pushes in the same way into a third database and asks it.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SERVERS = ROOT / "tests/clickhouse/servers.py"
# Rows that a push has replaced stay for ten minutes; then the next pushes drop them, for ten seconds each.
SECONDS_TO_STAY = 605
QUESTIONS = {
    "find, start": ["find", "@", "--limit", "10"],
    "find, 3 moves": ["find", "@", "--moves", "1. e4 e5 2. Nf3", "--limit", "10"],
    "find, rare": ["find", "@", "--moves", "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3"],
    "tree, start": ["tree", "@"],
    "tree, rare": ["tree", "@", "--moves", "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3"],
    "tree, filter": ["tree", "@", "--min-elo", "2200"],
    "games, player": ["games", "@", "--player", "Carlsen", "--limit", "10"],
    "repeats": ["repeats", "@", "--limit", "10"],
    "info": ["info", "@"],
}


def games_of(archive, count):
    """The first games of an archive, as bytes."""
    games, game = [], []
    with open(archive, "rb") as lines:
        for line in lines:
            if line.startswith(b"[Event ") and game:
                games.append(b"".join(game))
                game = []
                if len(games) == count:
                    return games
            game.append(line)
    return games + [b"".join(game)]


class Cluster:
    def __init__(self, folder, kind):
        self.state = pathlib.Path(folder, "servers.json")
        subprocess.run([SERVERS, "start", self.state, "--kind", kind], check=True)
        found = json.loads(self.state.read_text(encoding="utf-8"))["kinds"][kind]
        if found["why"]:
            sys.exit(f"skipped: {found['why']}")
        self.hosts = found["hosts"]
        self.words = ["--cluster", "two"] if kind == "two" else []
        self.names = {"two": "two1\ntwo2\n"}.get(kind, kind)
        self.restarts = 0

    def end(self):
        subprocess.run([SERVERS, "stop", self.state], check=True)

    def url(self, name, user=""):
        return f"clickhouse://{user}{self.hosts[0]}/{name}"

    def logged_url(self, name):
        """Of a user whose queries are in system.query_log. To log those of all pushes, too, costs much."""
        return self.url(name, "logged@")

    def restart(self):
        wanted = pathlib.Path(f"{self.state}.restart")
        wanted.write_text(self.names, encoding="utf-8")
        while wanted.exists():
            time.sleep(0.1)
        self.restarts += 1

    def push(self, program, database, name):
        """Pushes. A server of 18.16 can end by itself (samples/manual/cluster.md): it is started again then."""
        words = [program, "push", database, self.url(name), *self.words, "--quiet"]
        if run(*words).returncode != 0:
            self.restart()
            must_run(*words)

    def sql(self, host, text):
        with urllib.request.urlopen(f"http://{host}/", data=text.encode(), timeout=60) as answer:
            return [line.split("\t") for line in answer.read().decode().splitlines()]

    def now(self):
        return self.sql(self.hosts[0], "SELECT toUInt32(now())")[0][0]

    def costs(self, since):
        """Seconds of a processor and of the clock since a time."""
        time.sleep(0.6)  # until the log is written
        sums = [0.0, 0.0]
        for host in self.hosts:
            rows = self.sql(host, f"""SELECT sum(arraySum(arrayMap((name, value) -> if(name IN
                    ('UserTimeMicroseconds', 'SystemTimeMicroseconds'), value, 0), ProfileEvents.Names,
                    ProfileEvents.Values))), sumIf(query_duration_ms, is_initial_query = 1)
                FROM system.query_log WHERE type = 2 AND toUInt32(query_start_time) >= {since}
                    AND query NOT LIKE '%query_log%' AND query NOT LIKE '%toUInt32(now())%'""")
            sums[0] += float(rows[0][0]) / 1e6
            sums[1] += float(rows[0][1]) / 1e3
        return sums

    def partitions(self, name):
        return max(int(self.sql(host, f"""SELECT uniqExact(partition) FROM system.parts WHERE active = 1
            AND database = '{name}' AND table LIKE 'posting%'""")[0][0]) for host in self.hosts)


def run(*words):
    return subprocess.run([str(word) for word in words], check=False, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)


def must_run(*words):
    done = run(*words)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done


def grow(options, cluster, folder, program, name, games):
    """Imports and pushes again and again. Returns the database and the seconds of each push."""
    database = folder / f"{name}.db"
    seconds = []
    for number in range(options.pushes):
        part = folder / f"{name}.pgn"
        part.write_bytes(b"".join(games[number * options.games:(number + 1) * options.games]))
        must_run(program, "import", database, part, "--quiet", "--ply-rows", "no")
        begin = time.perf_counter()
        cluster.push(program, database, name)
        seconds.append(time.perf_counter() - begin)
    if options.settle:
        time.sleep(SECONDS_TO_STAY)
        left = None
        while left != cluster.partitions(name):
            left = cluster.partitions(name)
            cluster.push(program, database, name)
    return database, seconds


def words_at(url, words):
    return [url if word == "@" else word for word in words] + ["--quiet"]


def ask(options, cluster, program, name, words):
    """Milliseconds of processor, of the servers' clocks, and of the command, for a question."""
    words = words_at(cluster.logged_url(name), words)
    run(program, *words)
    time.sleep(1.1)
    since = cluster.now()
    times = []
    for _ in range(options.runs):
        begin = time.perf_counter()
        run(program, *words)
        times.append(time.perf_counter() - begin)
    costs = cluster.costs(since)
    time.sleep(1.1)
    return (1000 * costs[0] / options.runs, 1000 * costs[1] / options.runs, 1000 * statistics.median(times))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archive")
    parser.add_argument("--fendex", default="build/src/fendex", type=pathlib.Path)
    parser.add_argument("--old", type=pathlib.Path)
    parser.add_argument("--pushes", default=1000, type=int)
    parser.add_argument("--games", default=100, type=int, help="of each push")
    parser.add_argument("--kind", default="two", choices=["one", "two", "new"])
    parser.add_argument("--settle", action="store_true", help="ask after replaced rows were dropped")
    parser.add_argument("--runs", default=20, type=int, help="of each question")
    options = parser.parse_args()
    games = games_of(options.archive, options.pushes * options.games)
    if len(games) < options.pushes * options.games:
        sys.exit(f"{options.archive} has only {len(games)} games")
    with tempfile.TemporaryDirectory(prefix="fendex-pushes-") as place:
        folder = pathlib.Path(place)
        cluster = Cluster(folder, options.kind)
        try:
            programs = {"many": options.fendex, "once": options.fendex}
            if options.old:
                programs["old"] = options.old
            answers = {}
            for name, program in programs.items():
                if name == "once":
                    cluster.push(program, folder / "many.db", name)
                else:
                    _, seconds = grow(options, cluster, folder, program, name, games)
                    half = seconds[len(seconds) // 2:]
                    print(f"{name}: {options.pushes} pushes of {options.games} games, median "
                          f"{1000 * statistics.median(seconds):.0f} ms, mean "
                          f"{1000 * statistics.mean(seconds):.0f}, of the second half "
                          f"{1000 * statistics.mean(half):.0f}, most {max(seconds):.1f} s")
                print(f"{name}: {cluster.partitions(name)} partitions; servers started again "
                      f"{cluster.restarts} times", flush=True)
                if name == "many":
                    check = must_run(program, "push", folder / "many.db", cluster.url(name), "--check")
                    print(check.stderr.strip())
                answers[name] = {question: run(program, *words_at(cluster.url(name), words)).stdout
                                 for question, words in QUESTIONS.items() if question != "info"}
            heads = "".join(f"{name + ' cpu':>10}{'clock':>8}{'whole':>8}" for name in programs)
            print(f"{'milliseconds':16}{heads}{'many/once: clock':>18}{'whole':>7}")
            for question, words in QUESTIONS.items():
                costs = {name: ask(options, cluster, program, name, words)
                         for name, program in programs.items()}
                line = f"{question:16}"
                for name in programs:
                    line += "{:10.1f}{:8.1f}{:8.1f}".format(*costs[name])
                many, once = costs["many"], costs["once"]
                same = answers["many"].get(question) == answers["once"].get(question)
                print(line + f"{many[1] / max(once[1], 0.001):18.2f}{many[2] / once[2]:7.2f}"
                      + ("" if same else "  OTHER ANSWER"), flush=True)
        finally:
            cluster.end()


if __name__ == "__main__":
    main()
