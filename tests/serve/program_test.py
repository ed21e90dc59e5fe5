#!/usr/bin/env python3
"""Tests the verb serve as a person uses it: how it starts, answers, follows its database, and ends.

    program_test.py FENDEX SAMPLES
"""
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

FENDEX, SAMPLES = sys.argv[1], pathlib.Path(sys.argv[2])
# Longer than requests go without a look whether a file was replaced (20 ms), in seconds.
BETWEEN_LOOKS = 0.05


def fendex(*words):
    return subprocess.run([FENDEX, *words], capture_output=True, text=True, timeout=120)


class Served:
    """A running server, and requests to it."""

    def __init__(self, *words):
        self.process = subprocess.Popen([FENDEX, "serve", "--listen", "127.0.0.1:0", *words],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.line = self.process.stdout.readline()
        found = re.fullmatch(r"fendex serves http://127\.0\.0\.1:(\d+)/\n", self.line)
        if not found:
            raise AssertionError(self.line + self.process.communicate(timeout=60)[1])
        self.port = int(found[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate(timeout=60)

    def get(self, target, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", target, headers=headers)
            answer = connection.getresponse()
            self.tag = answer.getheader("ETag")
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def json(self, target):
        status, text = self.get(target)
        assert status == 200, (target, status, text)
        return json.loads(text)

    def end(self, how=signal.SIGTERM):
        """Returns the exit status and what was printed on standard error."""
        self.process.send_signal(how)
        error = self.process.communicate(timeout=60)[1]
        return self.process.returncode, error


class ServeTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.db = str(self.path / "my.db")
        self.add("classics.pgn")

    def add(self, sample, db=None):
        done = fendex("import", db or self.db, str(SAMPLES / sample))
        self.assertEqual(done.returncode, 0, done.stderr)

    def games(self, server):
        found = server.json("/lichess")
        return found["white"] + found["draws"] + found["black"]

    def expected_games(self, *words):
        found = json.loads(fendex("tree", *words, "--format", "json").stdout)
        return found["white"] + found["draws"] + found["black"]

    def test_a_signal_ends_it_in_good_order(self):
        for how in (signal.SIGTERM, signal.SIGINT):
            with Served(self.db) as server:
                self.assertEqual(server.get("/health")[0], 200)
                self.assertEqual(server.end(how), (0, ""))

    def test_an_address_in_use_is_refused(self):
        with Served(self.db) as server:
            address = f"127.0.0.1:{server.port}"
            second = fendex("serve", self.db, "--listen", address)
            self.assertEqual(second.returncode, 2)
            self.assertIn(address, second.stderr)

    def test_wrong_words_are_refused(self):
        for words, message in (
            (["serve", str(self.path / "absent.db")], "no such database"),
            (["serve", self.db, "r.pgn"], "does not look like a database"),
            (["serve", self.db, "--listen", "127.0.0.1:70000"], "there is no port 70000"),
            (["serve", self.db, "--timeout", "0"], "--timeout"),
            (["serve", self.db, "--masters-db", str(self.path / "absent.db")], "no such database"),
        ):
            done = fendex(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(message, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_what_an_import_commits_is_seen(self):
        with Served(self.db) as server:
            before = self.games(server)
            self.assertEqual(before, self.expected_games(self.db))
            self.add("online.pgn")
            after = self.games(server)
            self.assertGreater(after, before)
            self.assertEqual(after, self.expected_games(self.db))
            # An idle server keeps nobody from shrinking the log.
            self.assertEqual(fendex("compact", self.db).returncode, 0)
            self.assertEqual(self.games(server), after)

    def test_a_replaced_database_is_served(self):
        other = str(self.path / "other.db")
        self.add("online.pgn", other)
        with Served(self.db) as server:
            self.games(server)
            pathlib.Path(other).replace(self.db)
            time.sleep(BETWEEN_LOOKS)
            self.assertEqual(self.games(server), self.expected_games(self.db))

    def test_a_tag_of_another_process_does_not_fit(self):
        with Served(self.db) as one, Served(self.db) as two:
            self.games(one)
            self.games(two)
            self.assertNotEqual(one.tag, two.tag)

    def test_a_damaged_database_is_an_error(self):
        good = self.path / "good.db"
        shutil.copy(self.db, good)
        with Served(self.db) as server:
            self.games(server)
            broken = self.path / "broken.db"
            broken.write_bytes(good.read_bytes()[:20000] + b"\xff" * 200000)
            broken.replace(self.db)
            time.sleep(BETWEEN_LOOKS)
            status, text = server.get("/lichess")
            self.assertEqual(status, 500)
            self.assertNotEqual(text, "")
            self.assertIn("error", json.loads(server.get("/api/v1/tree")[1]))
            good.replace(self.db)
            time.sleep(BETWEEN_LOOKS)
            self.assertEqual(self.games(server), self.expected_games(self.db))
            self.assertEqual(server.end()[0], 0)

    def test_a_pipe_is_refused_as_a_database(self):
        pipe = self.path / "pipe"
        os.mkfifo(pipe)
        done = fendex("serve", str(pipe))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is a pipe, not a database", done.stderr)
        with Served(self.db) as server:
            self.games(server)
            pipe.replace(self.db)
            time.sleep(BETWEEN_LOOKS)
            status, text = server.get("/lichess")
            self.assertEqual(status, 500)
            self.assertIn("is a pipe, not a database", text)
            self.assertEqual(server.end()[0], 0)

    def test_families_have_databases_of_their_own(self):
        other = str(self.path / "other.db")
        self.add("online.pgn", other)
        with Served(self.db, "--masters-db", other) as server:
            masters = server.json("/masters")
            self.assertEqual(masters["white"] + masters["draws"] + masters["black"],
                             self.expected_games(other))
            self.assertEqual(self.games(server), self.expected_games(self.db))
            self.assertEqual(server.json("/api/v1/tree")["games"],
                             json.loads(fendex("tree", self.db, "--format", "json").stdout)["games"])
        with Served(self.db, other) as server:
            self.assertEqual(self.games(server), self.expected_games(self.db, other))

    def test_health_and_metrics_are_answered(self):
        with Served(self.db) as server:
            self.assertEqual(server.get("/health"), (200, '{"status":"ok"}\n'))
            games = server.json("/api/v1/stats")["games"]
            metrics = server.get("/metrics")[1]
            self.assertIn(f'fendex_games{{database="{self.db}"}} {games}\n', metrics)
            self.assertRegex(metrics, r'fendex_cache_requests_total\{.*result="miss"\} \d+\n')
            self.assertIn('fendex_http_requests_total{route="/health",status="200"} 1\n', metrics)
            pathlib.Path(self.db).unlink()
            time.sleep(BETWEEN_LOOKS)
            self.assertGreaterEqual(server.get("/health")[0], 500)
            self.assertIn("fendex_http_connections", server.get("/metrics")[1])

    def test_a_line_is_logged_for_each_request(self):
        with Served(self.db, "--log") as server:
            server.get("/lichess?play=e2e4")
            server.get("/nowhere%0Aelse")
            status, error = server.end()
            self.assertEqual(status, 0)
            lines = error.splitlines()
            self.assertEqual(len(lines), 2, error)
            self.assertRegex(lines[0], r"127\.0\.0\.1.* /lichess.* 200 ")
            self.assertRegex(lines[1], r" 404 ")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
