#!/usr/bin/env python3
"""Kills pushes and servers, fills a disk, and shows that nothing is lost, doubled or half done.

    tests/clickhouse/kill_test.py --fendex build/src/fendex --kills 50 --server-kills 20 \
        --join-kills 50 --server-kills-in-joins 20

The cluster is two shards on this machine (servers.py). At random moments of a push, or while pushes
are joined, it kills the pushing program, or one of the servers; or the disk of one is full. Readers
must give the answers from before or after the push, or one clear error. In the end the same push is
run to its end and must leave the same rows as an undisturbed one (all columns but the number of the
push). The same seed picks the same moments.
"""
import argparse
import collections
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

from cluster import Cluster, Wrong

SAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "samples"
SKIPPED = 77


class PushedCluster(Cluster):
    """Two shards, and what pushes have left on them."""

    def rows(self, database):
        """Of each table, the count and a sum of the hashes of its rows; only of pushes that count."""
        ended = f"(SELECT push FROM {database}.push WHERE state = 2)"
        complete = (f"(SELECT push FROM {database}.push WHERE state = 1 AND push GLOBAL NOT IN {ended})")
        replaced = (f"(SELECT arrayJoin(replaces) FROM {database}.push WHERE state = 1 "
                    f"AND push GLOBAL NOT IN {ended})")
        found = {}
        tables = self.sql(f"SELECT name FROM system.tables WHERE database = '{database}' "
                          "AND engine = 'Distributed' ORDER BY name")
        for [table] in tables:
            columns = self.sql("SELECT name, type FROM system.columns WHERE database = "
                               f"'{database}' AND table = '{table}' ORDER BY name")
            names = {name for name, _ in columns}
            # Old servers hash no arrays.
            values = [f"arrayStringConcat(arrayMap(x -> toString(x), {name}), ',')"
                      if kind.startswith("Array") else name
                      for name, kind in columns if name not in ("push", "time")]
            where = "1"
            if "push" in names:
                where = f"push GLOBAL IN {complete} AND push GLOBAL NOT IN {replaced}"
            if "state" in names:
                where += " AND state = 1"
            found[table] = self.sql(f"SELECT count(), sum(cityHash64({', '.join(values)})) "
                                    f"FROM {database}.{table} WHERE {where}")
            if "push" in names and "state" not in names:
                [[left]] = self.sql(f"SELECT count() FROM {database}.{table} "
                                    f"WHERE push GLOBAL NOT IN {complete}")
                if left != "0":
                    raise Wrong(f"{left} rows of pushes that are not complete are in {table}")
        return found


class Torture:
    def __init__(self, options, directory):
        self.options = options
        self.random = random.Random(options.seed)
        self.directory = directory
        self.totals = collections.Counter()
        self.first = directory / "first.db"
        self.second = directory / "second.db"
        self.make_databases()
        self.questions = ["", "e4 e5 Nf3", "e4 c5"]
        self.error = ""  # why answers() gave none
        self.grown = []  # a database after each of several imports; pushes of all are joined

    def run(self, *words, status=(0,)):
        done = subprocess.run([str(self.options.fendex), *map(str, words)], text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        if done.returncode not in status:
            raise Wrong(f"{' '.join(map(str, words))}: exit status {done.returncode}: "
                        f"{done.stderr.strip()}")
        if done.returncode == 2:
            self.check_error(done.stderr)
        return done

    def check_error(self, text):
        """One clear line."""
        if text.count("\n") != 1 or "127.0.0." not in text and "cluster" not in text:
            raise Wrong(f"not one clear line: {text!r}")
        self.totals["clear errors"] += 1

    def make_databases(self):
        """The second is the first after another import, and with games deleted."""
        archives = sorted(SAMPLES.glob("*.pgn"))
        text = b"\n\n".join(path.read_bytes() for path in archives)
        for name, times in (("first", self.options.copies), ("more", self.options.copies // 2)):
            (self.directory / f"{name}.pgn").write_bytes(b"\n\n".join([text] * times))
        words = ("--annotations", "--variations")
        self.run("import", self.first, self.directory / "first.pgn", *words)
        shutil.copyfile(self.first, self.second)
        self.run("import", self.second, self.directory / "more.pgn")
        self.run("delete", self.second, "--games", "3,5,17-30")

    def make_grown(self):
        archives = sorted(SAMPLES.glob("*.pgn"))
        for number in range(4):
            database = self.directory / f"grown{number}.db"
            if self.grown:
                shutil.copyfile(self.grown[-1], database)
            self.run("import", database, archives[number])
            self.grown.append(database)

    def push(self, database, name, status=(0,)):
        """A push that nobody disturbs. If it says so, or if a server ended by itself, it is run
        again, once, as its users would."""
        words = ("push", database, self.cluster.url(name), "--cluster", "two")
        done = self.run(*words, status=(*status, 2))
        if done.returncode not in status:
            ended = self.cluster.ended()
            print(f"a push ended with: {done.stderr.strip()}; {ended or 'both servers run'}", flush=True)
            if not ended and "run this again" not in done.stderr:
                raise Wrong("a push failed that nobody disturbed")
            for number, server in enumerate(self.cluster.servers):
                if server.process.poll() is not None:
                    self.cluster.restart(number)
            self.totals["pushes that were run again"] += 1
            done = self.run(*words, status=status)
        return done

    def start_push(self, database, name):
        return subprocess.Popen([str(self.options.fendex), "push", str(database),
                                 self.cluster.url(name), "--cluster", "two"],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def is_push_killed(self, database, name, moment):
        """Kills a push after so many seconds, unless it has ended before; says whether it has not."""
        process = self.start_push(database, name)
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            process.kill()
        errors = process.communicate()[1]
        if process.returncode not in (0, -signal.SIGKILL):
            raise Wrong(f"push: exit status {process.returncode}: {errors}")
        return process.returncode != 0

    def push_while_server_dies(self, database, name, moment, victim):
        """Kills a server after so many seconds of a push, which must end well or with one error."""
        process = self.start_push(database, name)
        time.sleep(moment)
        self.cluster.servers[victim].kill()
        errors = process.communicate(timeout=120)[1]
        if process.returncode == 2:
            self.check_error(errors)
        elif process.returncode != 0:
            raise Wrong(f"push: exit status {process.returncode}: {errors}")

    def answers(self, url):
        """What readers say, or None after an error."""
        given = []
        for words in (("info", url, "--format", "json"),
                      *(("tree", url, "--moves", moves, "--format", "json") for moves in self.questions)):
            done = self.run(*words, status=(0, 1, 2))
            if done.returncode == 2:
                self.error = done.stderr.strip()
                return None
            if words[0] == "info":
                info = json.loads(done.stdout)
                given.append([info[key] for key in ("games", "plies", "fingerprint")])
            else:
                given.append(done.stdout)
        return given

    def prepare(self):
        """Undisturbed pushes: what there must be after each."""
        self.undisturbed = {}
        self.right = {}
        self.seconds = {}
        for database in (self.first, self.second):
            started = time.monotonic()
            self.push(database, "undisturbed")
            self.seconds[database] = time.monotonic() - started
            self.undisturbed[database] = self.cluster.rows("undisturbed")
            self.right[database] = self.answers(self.cluster.url("undisturbed"))
            if self.right[database] is None:
                raise Wrong("no answer from a whole cluster")
        again = self.push(self.second, "undisturbed")
        if self.cluster.rows("undisturbed") != self.undisturbed[self.second]:
            raise Wrong(f"a second push of the same database changed rows: {again.stdout}")
        self.cluster.drop("undisturbed")

    def check_answers(self, name, database, is_complete=False):
        """The answers from before or after the push; errors only if there is nothing yet, or a
        server is away."""
        given = self.answers(self.cluster.url(name))
        before = None if database == self.first else self.right[self.first]
        allowed = [self.right[database]] if is_complete else [before, self.right[database]]
        empty = given is not None and database == self.first and given[0][0] == 0
        if given not in allowed and not (empty and not is_complete):
            raise Wrong(f"wrong answers: {given or self.error}\ninstead of {allowed}")
        self.totals["checked answers"] += 1

    def finish(self, name, database):
        self.push(database, name)
        rows = self.cluster.rows(name)
        for table, expected in self.undisturbed[database].items():
            if rows.get(table) != expected:
                raise Wrong(f"table {table} has {rows.get(table)} instead of {expected}")
        self.check_answers(name, database, is_complete=True)
        self.totals["pushes compared"] += 1

    def begin(self, name, database):
        self.cluster.drop(name)
        if database == self.second:
            self.push(self.first, name)

    def kill_pushes(self, kills):
        name = "killed"
        for number in range(kills):
            if number % 10 == 0:
                database = (self.first, self.second)[number // 10 % 2]
                self.begin(name, database)
            moment = self.random.uniform(0, self.seconds[database] * 1.1)
            is_killed = self.is_push_killed(database, name, moment)
            self.totals["killed pushes"] += is_killed
            if number % 5 == 4:
                self.check_answers(name, database)
            if number % 10 == 9 or number == kills - 1:
                self.finish(name, database)
            elif not is_killed:
                self.finish(name, database)
                self.begin(name, database)
        self.cluster.drop(name)

    def kill_servers(self, kills):
        name = "lost"
        for number in range(kills):
            database = (self.first, self.second)[number % 2]
            self.begin(name, database)
            # A server of 2018 that dies while it creates a database cannot do it later either: it
            # finds a file lost.sql.tmp. (Those of tables it removes.)
            for host in range(2):
                self.cluster.sql(f"CREATE DATABASE IF NOT EXISTS {name}", host)
            victim = number // 2 % 2
            moment = self.random.uniform(0, self.seconds[database])
            self.push_while_server_dies(database, name, moment, victim)
            self.totals["killed servers"] += 1
            # Half of the cluster gives an error or nothing wrong.
            if self.answers(self.cluster.url(name)) not in (None, self.right[database],
                                                            self.right[self.first]):
                raise Wrong("a cluster with one server gave a wrong answer")
            self.cluster.restart(victim)
            self.check_answers(name, database)
            self.finish(name, database)
        self.cluster.drop(name)

    def kill_servers_under_readers(self, kills):
        name = "read"
        self.begin(name, self.first)
        self.push(self.first, name)
        words = ["export", self.cluster.url(name), "--format", "pgn"]
        whole = self.run(*words).stdout
        for number in range(kills):
            with subprocess.Popen([str(self.options.fendex), *words], text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as process:
                time.sleep(self.random.uniform(0, 0.1))
                self.cluster.servers[number % 2].kill()
                out, errors = process.communicate(timeout=120)
            if process.returncode == 2:
                self.check_error(errors)
            elif process.returncode != 0 or out != whole:
                raise Wrong(f"export: exit status {process.returncode}, not the same games")
            self.totals["killed servers"] += 1
            self.cluster.restart(number % 2)
        if self.run(*words).stdout != whole:
            raise Wrong("not the same games after all servers are back")
        self.cluster.drop(name)

    def prepare_joins(self):
        """Three small pushes, and a fourth with which they are joined."""
        self.make_grown()
        for database in self.grown:
            started = time.monotonic()
            self.push(database, "undisturbed")
            self.seconds[database] = time.monotonic() - started
            self.right[database] = self.answers(self.cluster.url("undisturbed"))
        self.joined_rows = self.cluster.rows("undisturbed")
        [[pushes]] = self.cluster.sql("SELECT uniqExact(push) FROM undisturbed.game_shard WHERE push IN "
                                      "(SELECT push FROM undisturbed.push_shard WHERE length(replaces) = 4)")
        if pushes != "1":
            raise Wrong("the pushes were not joined")
        self.cluster.drop("undisturbed")

    def finish_joins(self, name):
        before, last = self.grown[-2:]
        given = self.answers(self.cluster.url(name))
        if given not in (self.right[before], self.right[last]):
            raise Wrong(f"wrong answers: {given or self.error}; {self.cluster.ended() or 'both servers run'}")
        self.push(last, name)
        self.run("push", last, self.cluster.url(name), "--check")
        rows = self.cluster.rows(name)
        for table, expected in self.joined_rows.items():
            # The ledger has the numbers of the pushes.
            if table != "push" and rows.get(table) != expected:
                raise Wrong(f"table {table} has {rows.get(table)} instead of {expected}")
        self.check_answers(name, last, is_complete=True)
        self.totals["joins compared"] += 1

    def moment_of_join(self):
        """About half of a small push is the join at its end."""
        return self.random.uniform(0.35, 1.05) * self.seconds[self.grown[-1]]

    def begin_joins(self, name):
        self.cluster.drop(name)
        for database in self.grown[:-1]:
            self.push(database, name)

    def kill_joins(self, kills):
        name = "joined"
        left = 0  # of a row of kills, each of which finds what those before left
        for number in range(kills):
            if left == 0:
                self.begin_joins(name)
                left = 3
            left -= 1
            is_killed = self.is_push_killed(self.grown[-1], name, self.moment_of_join())
            self.totals["killed joins"] += is_killed
            if not is_killed or left == 0 or number == kills - 1:
                self.finish_joins(name)
                left = 0
        self.cluster.drop(name)

    def kill_servers_in_joins(self, kills):
        name = "joined"
        before, last = self.grown[-2:]
        for number in range(kills):
            self.begin_joins(name)
            victim = number % 2
            self.push_while_server_dies(last, name, self.moment_of_join(), victim)
            self.totals["killed servers in joins"] += 1
            if self.answers(self.cluster.url(name)) not in (None, self.right[before], self.right[last]):
                raise Wrong("a cluster with one server gave a wrong answer")
            self.cluster.restart(victim)
            self.finish_joins(name)
        self.cluster.drop(name)

    def fill_disk(self):
        """The second shard's disk is full while the database is pushed."""
        name = "full"
        self.begin(name, self.first)
        server = self.cluster.servers[1]
        disk = pathlib.Path(f"/proc/{server.process.pid}/root{self.cluster.disk}")
        self.cluster.sql("CREATE DATABASE full", 1)
        stat = os.statvfs(disk)
        ballast = disk / "ballast"
        with ballast.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, (stat.f_bavail - 100) * stat.f_bsize)
        done = self.push(self.first, name, status=(2,))
        if "no room is left" not in done.stderr:
            raise Wrong(f"not an error of a full disk: {done.stderr}")
        self.check_answers(name, self.first)
        ballast.unlink()
        self.finish(name, self.first)
        self.totals["full disks"] += 1

    def all(self):
        options = self.options
        self.cluster = PushedCluster(self.directory / "a")
        try:
            self.prepare()
            self.kill_pushes(options.kills)
            self.kill_servers(options.server_kills)
            self.kill_servers_under_readers(options.server_kills)
            self.prepare_joins()
            self.kill_joins(options.join_kills)
            self.kill_servers_in_joins(options.server_kills_in_joins)
        finally:
            self.cluster.end()
        try:
            self.cluster = PushedCluster(self.directory / "b", small_disk="200m")
        except OSError as error:
            print(f"skipped: a full disk of a ClickHouse server: {error}")
            return
        try:
            self.fill_disk()
        finally:
            self.cluster.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fendex", default="build/src/fendex", type=pathlib.Path)
    parser.add_argument("--kills", default=12, type=int, help="of pushes")
    parser.add_argument("--server-kills", default=3, type=int,
                        help="of servers, while pushing and again while reading")
    parser.add_argument("--join-kills", default=4, type=int, help="of pushes while they join others")
    parser.add_argument("--server-kills-in-joins", default=1, type=int)
    parser.add_argument("--copies", default=10, type=int, help="of the samples in the database")
    parser.add_argument("--seed", default=random.randrange(1 << 32), type=int)
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fendex-kill-") as directory:
        try:
            torture = Torture(options, pathlib.Path(directory))
            torture.all()
        except FileNotFoundError as error:
            print(f"skipped: {error}")
            return SKIPPED
        except Wrong as wrong:
            print(f"after {dict(torture.totals)}: {wrong}")
            return 1
    totals = ", ".join(f"{count} {what}" for what, count in torture.totals.items())
    print(f"{totals} in {time.monotonic() - started:.0f} s: nothing was lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
