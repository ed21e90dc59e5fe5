#!/usr/bin/env python3
"""Runs every block of commands, SQL, Python and C that README.md and the pages of the manual show.

    pages_test.py --fendex PROGRAM --library LIBRARY --extension EXTENSION [--servers STATE]

(What README.md's quick start prints is compared in manual_test.cpp.) Each block runs in a folder with
the files that the pages name. Addresses become free ports, and those of ClickHouse that of the server
in STATE, which tests/clickhouse/servers.py wrote; without one, these blocks are left out. Blocks that
build or package the program are run by .ci/run: here the scripts that they name must be there. A
block that is of no known kind fails: say here how it runs.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
PAGES = [ROOT / "README.md", *sorted((SAMPLES / "manual").glob("*.md")),
         *sorted((ROOT / "schema").glob("*.md"))]
BUILDS = ("samples/demo.sh", "tests/run.sh", "cmake ", "ninja ", ".ci/release/", "docker ", "sudo ")
# Debian's, which has pandas and loads extensions, if there is another one too.
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
options = None


def blocks():
    """(page, line, language, text) of every block between fences."""
    for page in PAGES:
        block = None
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            fence = re.match(r" *```(\w*)", line)
            if fence and block is None:
                block = (page, number, fence[1], [])
            elif fence:
                yield *block[:3], "\n".join(block[3]) + "\n"
                block = None
            elif block:
                block[3].append(line)


def commands(text):
    """The commands of a block, each with the lines that continue it, without comments."""
    command = ""
    for line in text.splitlines():
        command += line + "\n"
        if command.count('"') % 2 == 0:
            yield re.sub(r"\s+#.*", "", command).strip()
            command = ""


def server_of_clickhouse():
    """Its address; None if there is none."""
    if not options.servers or not os.path.exists(options.servers):
        return None
    with open(options.servers, encoding="utf-8") as state:
        hosts = json.load(state)["kinds"]["one"].get("hosts")
    return hosts[0] if hosts else None


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        (cls.folder / "build/src").mkdir(parents=True)
        shutil.copy(options.extension, cls.folder / "build/src/fendex.so")
        (cls.folder / "samples").symlink_to(SAMPLES)
        subprocess.run(["zstd", "-q", SAMPLES / "classics.pgn", "-o", cls.folder / "games.pgn.zst"],
                       check=True)
        shutil.copy(SAMPLES / "marx-gyorgy-2006.pgn", cls.folder / "round5.pgn")
        # The same games as an archive has them that spells names otherwise and knows years only.
        classics = (SAMPLES / "classics.pgn").read_text(encoding="utf-8")
        classics = classics.replace("Alekhine, Alexander", "Alekhine,A")
        (cls.folder / "magazine.pgn").write_text(
            re.sub(r'Date "(\d{4})\..*"', r'Date "\1.??.??"', classics), encoding="utf-8")
        (cls.folder / "spelling.ssp").write_text(
            "@PLAYER\n\nAnand, Viswanathan #gm IND [2785] 1969\n = Anand,V\n", encoding="utf-8")
        subprocess.run(["zstd", "-q", ROOT / "tests/serve/page/evaluations.jsonl",
                        "-o", cls.folder / "lichess_db_eval.jsonl.zst"], check=True)
        (cls.folder / "stockfish").symlink_to(options.engine)
        cls.environment = {
            **os.environ,
            "PATH": f"{os.path.dirname(options.fendex)}:{cls.folder}:{os.environ['PATH']}",
            "PYTHONPATH": str(SAMPLES / "python"), "PYTHONDONTWRITEBYTECODE": "1",
            "FENDEX_LIBRARY": options.library, "FENDEX_DB": ""}
        for database in "my.db", "club.db", "mega.db":
            subprocess.run([options.fendex, "import", cls.folder / database, SAMPLES,
                            "--annotations", "--quiet"], check=True)

    def run_words(self, words, statuses=(0,), **more):
        done = subprocess.run(words, cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, timeout=120, **more)
        self.assertIn(done.returncode, statuses, f"{words}: {done.stderr}")
        return done.stdout

    def serve(self, command):
        """Starts a server, which ends with this test; returns its address."""
        words = ["sh", "-c", "exec " + re.sub(r"(--listen \S+):\d+", r"\1:0", command)]
        if "--listen" not in command:
            words[2] += " --listen 127.0.0.1:0"
        server = subprocess.Popen(words, cwd=self.folder, env=self.environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)

        def end():
            server.send_signal(signal.SIGTERM)
            _, errors = server.communicate(timeout=60)
            self.assertEqual((server.returncode, errors), (0, ""))
        self.addCleanup(end)
        line = server.stdout.readline()
        self.assertRegex(line, r"^fendex serves http://127\.0\.0\.1:\d+/\n$")
        return line.split()[2].rstrip("/")

    def run_command(self, command):
        if command.startswith("fendex serve"):
            return self.serve(command)
        if command.startswith("curl"):
            command = command.replace("curl ", "curl -sS --fail ").replace(
                "http://127.0.0.1:9002", self.serve("fendex serve my.db"))
        # The samples have no game as bad as the one that SQL.md looks for, and no evaluations.
        may_be_empty = "AND loss > 3" in command or "JOIN evaluation" in command
        out = self.run_words(["sh", "-c", command], (0, 1) if may_be_empty else (0,))
        silent = ("fendex import", "fendex evaluate", "fendex push", "fendex export",
                  "fendex names", "fendex delete", "fendex compact", "fendex check")
        if not may_be_empty and not command.startswith(silent):
            self.assertNotEqual(out, "", command)
        return out

    def run_shell(self, text):
        for command in commands(text):
            if command.startswith(("curl", "sqlite3")) and not shutil.which(command.split()[0]):
                print(f"skipped: {command.split()[0]} is not installed")
                return
            self.run_command(command)

    def run_with_clickhouse(self, line, text):
        host = server_of_clickhouse()
        if not host:
            print("skipped: clickhouse-server is not installed")
            return
        Pages.cluster = f"pages_{os.getpid()}_{line}"  # the pages have different games
        text = re.sub(r"clickhouse://[\w:]+/chess", f"clickhouse://{host}/{self.cluster}", text)
        (self.folder / "my.db").rename(self.folder / "kept.db")
        self.addCleanup((self.folder / "kept.db").rename, self.folder / "my.db")
        for command in commands(text):
            if not command.startswith("apt-get"):
                self.run_command(command)

    def run_sql_of_clickhouse(self, text):
        host = server_of_clickhouse()
        if host:
            url = f"http://{host}/?database={self.cluster}"
            out = self.run_words(["curl", "-sS", "--fail", "--data-binary", "@-", url], input=text)
            self.assertGreater(len(out.splitlines()), 5)

    def run_python(self, text):
        if "load_extension" in text:
            probe = subprocess.run(
                [PYTHON, "-c",
                 "import sqlite3; sqlite3.connect(':memory:').enable_load_extension(True)"],
                capture_output=True, check=False)
            if probe.returncode:
                print("skipped: a Python that loads extensions is not installed")
                return
        if "to_frame" in text and subprocess.run([PYTHON, "-c", "import pandas"],
                                                 capture_output=True, check=False).returncode:
            print("skipped: pandas is not installed")
            return
        self.run_words([PYTHON, "-c", text])

    def run_c(self, text):
        source = self.folder / "shown.c"
        source.write_text("#include <fendex.h>\n#include <stdio.h>\n"
                          f"int main(void) {{\n{text}return 0; }}\n", encoding="utf-8")
        folder = os.path.dirname(options.library)
        self.run_words(["cc", "-Wall", "-Werror", f"-I{ROOT / 'src/fendex'}", source, options.library, f"-Wl,-rpath,{folder}",
                        "-o", self.folder / "shown"])
        self.assertRegex(self.run_words([self.folder / "shown"]), r'^\{"game_id":')

    def run_block(self, line, language, text):
        first = text.lstrip()
        if language == "" and first.startswith("$ fendex"):
            pass
        elif language == "sh" and first.startswith(BUILDS):
            for script in re.findall(r"(?:samples|tests|\.ci)/[\w/]+\.sh", text):
                self.assertTrue(os.access(ROOT / script, os.X_OK), script)
        elif language == "sh" and "clickhouse://" in text:
            self.run_with_clickhouse(line, text)
        elif language == "sh":
            self.run_shell(text)
        elif language == "sql" and "FROM posting" in text:
            self.run_sql_of_clickhouse(text)
        elif language == "sql" and first.startswith("SELECT"):
            for query in text.split(";\n")[:-1]:
                self.assertNotEqual(self.run_words([options.fendex, "sql", "my.db", query]), "")
        elif language == "sql":
            self.run_words(["sqlite3", "my.db", text])
        elif language == "python":
            self.run_python(text)
        elif language == "c":
            self.run_c(text)
        elif language in ("cpp", "cmake"):
            self.check_sample_library(text)
        else:
            self.fail("a block of an unknown kind")

    def check_sample_library(self, text):
        """tests/install builds samples/library; the lines are there, but for the program's name."""
        sample = "".join((SAMPLES / "library" / name).read_text(encoding="utf-8")
                         for name in ("main.cpp", "CMakeLists.txt"))
        for line in text.strip().splitlines():
            self.assertIn(re.sub(r"\(program ", "(positions ", line.strip()), sample)

    def test_every_block_runs(self):
        count = 0
        for page, line, language, text in blocks():
            with self.subTest(f"{page.name}:{line}"):
                self.run_block(line, language, text)
                self.doCleanups()
            count += 1
        self.assertGreater(count, 25)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in "fendex", "library", "extension", "engine", "servers":
        parser.add_argument("--" + name)
    options = parser.parse_args()
    unittest.main(argv=sys.argv[:1])
