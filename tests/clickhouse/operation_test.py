#!/usr/bin/env python3
"""What those who run a cluster do: they watch whether its servers answer, and keep copies of what it has.

    operation_test.py FENDEX SAMPLES

The cluster is two shards on this machine.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

from cluster import Cluster

FENDEX, SAMPLES = sys.argv[1], pathlib.Path(sys.argv[2])
SKIPPED = 77
QUESTIONS = [["tree", "--format", "json"], ["games", "--format", "json"], ["players", "--format", "json"],
             ["find", "--moves", "1. e4 e5", "--format", "json"]]


def fendex(*words):
    return subprocess.run([FENDEX, *map(str, words), "--quiet"], capture_output=True, text=True, timeout=300)


def must(*words):
    done = fendex(*words)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def answers(location):
    return [must(verb, location, *words) for verb, *words in QUESTIONS]


class Served:
    """`fendex serve` of a database."""

    def __init__(self, location):
        self.process = subprocess.Popen([FENDEX, "serve", location, "--listen", "127.0.0.1:0"],
                                        stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[-1]

    def get(self, target):
        """Returns the status and the body."""
        try:
            with urllib.request.urlopen(self.url + target, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.read().decode()

    def end(self):
        self.process.terminate()
        self.process.communicate(timeout=60)


class OperationTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.cluster = Cluster(cls.folder / "servers")
        cls.addClassCleanup(cls.cluster.end)
        cls.file = cls.folder / "games.db"
        must("import", cls.file, SAMPLES / "classics.pgn", SAMPLES / "repetitions.pgn")
        must("push", cls.file, cls.cluster.url("chess"), "--cluster", "two")

    def test_metrics_tell_which_servers_answer(self):
        served = Served(self.cluster.url("chess"))
        self.addCleanup(served.end)

        def servers_that_answer():
            status, text = served.get("metrics")
            self.assertEqual(status, 200)
            return {line.split('server="')[1].split('"')[0]: line.split()[-1] for line in text.splitlines()
                    if line.startswith("fendex_cluster_server_up{")}

        first, second = (f"{server.host}:{server.http}" for server in self.cluster.servers)
        everything = served.get("api/v1/tree")
        self.assertEqual(everything[0], 200)
        self.assertEqual(servers_that_answer(), {first: "1", second: "1"})
        self.cluster.servers[1].kill()
        self.assertEqual(servers_that_answer(), {first: "1", second: "0"})
        # Half of the games is not an answer.
        status, text = served.get("api/v1/tree")
        self.assertEqual(status, 503)
        self.assertIn("cannot reach another server of its cluster", text)
        self.cluster.restart(1)
        self.assertEqual(servers_that_answer(), {first: "1", second: "1"})
        self.assertEqual(served.get("api/v1/tree"), everything)

    def test_a_copy_of_the_file_is_pushed_into_a_new_cluster(self):
        copy = self.folder / "copy.db"
        must("backup", self.file, copy)
        must("push", copy, self.cluster.url("again"), "--cluster", "two")
        self.assertEqual(answers(self.cluster.url("again")), answers(self.file))

    def test_parts_that_the_servers_copied_are_attached_again(self):
        url = self.cluster.url("parts")
        must("push", self.file, url, "--cluster", "two")
        expected = answers(url)
        self.assertEqual(expected, answers(self.file))
        parts = []
        for number in range(2):
            data = self.folder / f"servers/two{number + 1}/data"
            for table, partition in self.cluster.sql(
                    "SELECT DISTINCT table, partition FROM system.parts WHERE database = 'parts' AND active",
                    number):
                self.cluster.sql(f"ALTER TABLE parts.{table} FREEZE PARTITION {partition}", number)
                [copied] = (data / "shadow").glob(f"*/data/parts/{table}")
                parts.append((number, table, partition, copied, data / "data/parts" / table / "detached"))
        self.assertIn("game_shard", [table for _, table, *_ in parts])
        for number, table, partition, _, _ in parts:
            if table != "push_shard":
                self.cluster.sql(f"ALTER TABLE parts.{table} DROP PARTITION {partition}", number)
        lost = fendex("tree", url)
        self.assertEqual(lost.returncode, 2)
        self.assertIn("table game has 0 rows of push 1", lost.stderr)
        for number, table, partition, copied, detached in parts:
            if table != "push_shard":
                shutil.copytree(copied, detached, dirs_exist_ok=True)
                self.cluster.sql(f"ALTER TABLE parts.{table} ATTACH PARTITION {partition}", number)
        self.assertEqual(answers(url), expected)


if __name__ == "__main__":
    if not shutil.which("clickhouse-server"):
        print("skipped: clickhouse-server is not installed")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
