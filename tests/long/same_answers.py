#!/usr/bin/env python3
"""Asks two builds of fendex the same questions, and compares their answers byte for byte.

    tests/long/same_answers.py --old build-old --new build --questions 2000 [--corpus FOLDER]
    tests/long/same_answers.py --new build --record tests/data/answers.tsv --questions 300
    tests/long/same_answers.py --new build --compare tests/data/answers.tsv

A build is a directory with src/fendex and src/libfendex.so. The questions are drawn at random from
--seed: find, tree, repeats, games, openings, events, players, prepare, novelty, show, export and the server's
routes, with filters, variants, variations, patterns and several databases, on the command line, over
HTTP and through the C interface, in every format. Databases are made by the old build: the samples,
an archive, one that has grown in steps and lost games, databases of earlier formats, damaged ones;
and what of these ClickHouse holds, if tests/clickhouse/servers.py can start servers. Standard output,
standard error and exit status must be equal; over HTTP status, type and body. Prints each question
that differs, and totals; exit status 1 if one does.

--record writes questions to the samples with a hash of each answer; --compare asks them again, so that
a change of an answer is seen without an old build. Who changes answers on purpose records them anew, and
reads in the difference of the file which ones changed.
"""

import argparse
import collections
import concurrent.futures
import ctypes
import hashlib
import json
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

from random_questions import Facts, Maker, draw

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
DATA = ROOT / "tests/data"
# What differs from run to run: speeds, and the version of a server's data.
MASKED = re.compile(rb' in [0-9.]+ s \([^)]*\)|"version":"[^"]*"')
# Answers of these also depend on the SQLite of the machine, so they are not recorded.
NOT_RECORDED = ("/api/v1/stats",)


class Build:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.program = str(self.folder / "src/fendex")
        self.library = str(self.folder / "src/libfendex.so")

    def run(self, words, folder, **more):
        environment = {**os.environ, "FENDEX_DB": "", "COLUMNS": "100", "NO_COLOR": "1"}
        done = subprocess.run([self.program, *words], cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300,
                              check=False, **more)
        return done.returncode, done.stdout, done.stderr

    def make(self, words, folder):
        status, _, errors = self.run(words, folder)
        if status == 2:
            sys.exit(f"{words}: {errors.decode()}")


class Server:
    """A build's server for some databases; `get` returns what it answers."""

    def __init__(self, build, folder, databases):
        self.process = subprocess.Popen(
            [build.program, "serve", *databases, "--listen", "127.0.0.1:0", "--threads", "2"],
            cwd=folder, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split()[2].rstrip("/")

    def get(self, path, body=None, accept=None):
        request = urllib.request.Request(self.address + path, data=body,
                                         headers={"Accept": accept} if accept else {})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, answer.headers["Content-Type"].encode(), answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers["Content-Type"].encode(), error.read()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


def asked_of_library(library, folder, questions):
    """What the C interface answers to each question: its error, and the objects."""
    c = ctypes.CDLL(library)
    for name in "fendex_open", "fendex_query":
        getattr(c, name).restype = ctypes.c_void_p
    for name in "fendex_next", "fendex_error":
        getattr(c, name).restype = ctypes.c_char_p
    os.chdir(folder)
    databases = {}
    answers = []
    for database, question in questions:
        if database not in databases:
            databases[database] = c.fendex_open(database.encode())
        objects = []
        found = c.fendex_query(ctypes.c_void_p(databases[database]), json.dumps(question).encode())
        while found and (each := c.fendex_next(ctypes.c_void_p(found))) is not None:
            objects.append(each)
        answers.append((0, c.fendex_error() or b"", b"\n".join(objects)))
        c.fendex_end(ctypes.c_void_p(found))
    return answers


def library_answers(build, folder, questions):
    """In a process of its own, because two builds cannot be loaded into one."""
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, context) as pool:
        return pool.submit(asked_of_library, build.library, folder, questions).result()


def copy_asked_files(folder):
    """Copies the files that questions name."""
    for name, source in (("round.pgn", "marx-gyorgy-2006.pgn"), ("other.pgn", "curiosities.pgn"),
                         ("repertoire.txt", "repertoire.txt")):
        shutil.copy(SAMPLES / source, folder / name)


def parts_of_archive(corpus, folder):
    """PGN files of different kinds: parts of the corpus if it is there, else of the tests' data."""
    copy_asked_files(folder)
    source = pathlib.Path(corpus) if corpus else DATA / "corpus"
    archive = next(iter(sorted(source.glob("human.pgn*"))))
    text = archive.read_bytes()
    if archive.suffix == ".zst":
        text = subprocess.run(["zstd", "-dqc", archive], stdout=subprocess.PIPE, check=True).stdout
    games = text[:4_000_000].replace(b"\r\n", b"\n").split(b"\n\n[Event ")
    half = len(games) // 2
    for name, part in ("one.pgn", games[:half]), ("two.pgn", games[half:-1]):
        joined = b"\n\n[Event ".join(part)
        (folder / name).write_bytes(
            (joined if joined.startswith(b"[Event ") else b"[Event " + joined) + b"\n\n")
    more = [path for pattern in ("online/*10k.pgn", "variants/*.pgn", "annotated/*.pgn")
            for path in sorted(source.glob(pattern)) if path.stat().st_size < 500_000]
    return [str(path) for path in more[:16]]


def make_databases(build, folder, corpus, seed):
    """Returns the names of the sound ones, and of those that are damaged."""
    more = parts_of_archive(corpus, folder)
    notes = ["--annotations", "--variations", "--quiet"]
    build.make(["import", "samples.db", SAMPLES, *notes], folder)
    build.make(["import", "archive.db", "one.pgn", "two.pgn", *more, *notes, "--ply-rows", "no"], folder)
    for step in ("one.pgn", "two.pgn", str(SAMPLES)):
        build.make(["import", "grown.db", step, "--quiet"], folder)
    build.make(["delete", "grown.db", "--player", "a", "--max-plies", "50", "--quiet"], folder)
    sound = ["samples.db", "archive.db", "grown.db"]
    for packed in sorted(DATA.glob("format*.db.zst")):
        subprocess.run(["zstd", "-dqf", packed, "-o", folder / packed.stem], check=True)
        sound.append(packed.stem)
    damaged = []
    change = random.Random(seed)
    for number in range(6):
        name = f"damaged{number}.db"
        content = bytearray((folder / sound[number % 2]).read_bytes())
        for _ in range(1 + number):
            content[change.randrange(4096, len(content))] ^= 1 << change.randrange(8)
        (folder / name).write_bytes(content)
        damaged.append(name)
    return sound, damaged


def start_clusters(build, folder, sound):
    """Pushes two databases to the servers that can be started; returns their addresses."""
    state = folder / "servers.json"
    script = ROOT / "tests/clickhouse/servers.py"
    subprocess.run([sys.executable, script, "start", state, "--for", str(os.getpid()),
                    "--chdb", ROOT / "build-chdb"], check=False)
    if not state.exists():
        return []
    clusters = []
    for kind, servers in json.loads(state.read_text())["kinds"].items():
        if not servers.get("hosts"):
            continue
        for database in sound[:2]:
            name = database.removesuffix(".db")
            url = f"clickhouse://{servers['hosts'][0]}/{name}"
            spread = ["--cluster", "two"] if kind == "two" else []
            build.make(["push", database, url, "--quiet", *spread], folder)
            clusters.append(url)
    return clusters


class Asker:
    """Asks builds a list of questions: {"kind": ..., and what is asked}."""

    def __init__(self, folder, servers_of):
        self.folder = folder
        self.servers_of = servers_of  # lists of databases

    def answers(self, build, questions):
        """(status, type or errors, answer) of each."""
        found = [None] * len(questions)
        commands = [i for i, each in enumerate(questions) if each["kind"] == "command"]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = pool.map(lambda i: build.run(questions[i]["words"], self.folder), commands)
            for i, (status, out, errors) in zip(commands, results):
                found[i] = status, errors, out
        for number, databases in enumerate(self.servers_of):
            wanted = [i for i, each in enumerate(questions)
                      if each["kind"] == "http" and each["server"] == number]
            if wanted:
                server = Server(build, self.folder, databases)
                for i in wanted:
                    question = questions[i]
                    body = (self.folder / question["body"]).read_bytes() if "body" in question else None
                    found[i] = server.get(question["path"], body, question["accept"])
                server.end()
        wanted = [i for i, each in enumerate(questions) if each["kind"] == "c"]
        if wanted:
            results = library_answers(build, self.folder,
                                      [(questions[i]["database"], questions[i]["question"])
                                       for i in wanted])
            for i, answer in zip(wanted, results):
                found[i] = answer
        return found

    def routes(self, build):
        """The routes that GET asks, as the server describes them."""
        server = Server(build, self.folder, self.servers_of[0])
        described = json.loads(server.get("/api/openapi.json")[2])
        server.end()
        shared = described["components"].get("parameters", {})
        routes = []
        for path, operations in sorted(described["paths"].items()):
            if path.startswith("/api/v1") and "get" in operations:
                parameters = [shared[each["$ref"].rsplit("/", 1)[1]] if "$ref" in each else each
                              for each in operations["get"]["parameters"]]
                routes.append((path, {**operations["get"], "parameters": parameters}))
        return routes


def hash_of(answer):
    status, _, out = masked(answer)
    return hashlib.sha256(f"{status}\n".encode() + out).hexdigest()[:16]


def shown(question):
    return json.dumps(question, ensure_ascii=False)


def masked(answer):
    return answer[0], *(MASKED.sub(b"", part) for part in answer[1:])


def differences(old, new, questions):
    different = 0
    for question, first, second in zip(questions, map(masked, old), map(masked, new)):
        if first == second:
            continue
        different += 1
        print(f"\n{shown(question)}")
        for part, a, b in zip(("status", "errors", "answer"), first, second):
            if a == b:
                continue
            at = next((i for i, pair in enumerate(zip(str(a), str(b))) if pair[0] != pair[1]), 0)
            print(f"  {part}, from character {at}:\n    old {str(a)[max(0, at - 60):at + 120]}\n"
                  f"    new {str(b)[max(0, at - 60):at + 120]}")
    return different


def totals(questions, answers):
    counts = collections.Counter()
    for question, (status, _, _) in zip(questions, answers):
        name = question["words"][0] if question["kind"] == "command" else question["kind"]
        counts[f"{name} {status}"] += 1
    return ", ".join(f"{name}: {count}" for name, count in sorted(counts.items()))


def compare_builds(options, folder):
    old, new = Build(options.old), Build(options.new)
    sound, damaged = make_databases(old, folder, options.corpus, options.seed)
    clusters = start_clusters(old, folder, sound) if options.clusters else []
    asker = Asker(folder, [["samples.db"], ["archive.db"], ["samples.db", "grown.db"],
                           *([url] for url in clusters[:1])])
    facts = Facts(old, folder, ["samples.db", "archive.db"])
    maker = Maker(options.seed, facts, sound + damaged, clusters)
    questions = draw(maker, asker.routes(old), len(asker.servers_of), options.questions)
    first = asker.answers(old, questions)
    different = differences(first, asker.answers(new, questions), questions)
    print(totals(questions, first))
    print(f"{len(questions)} questions, {different} answers differ")
    return different


def samples_only(build, folder):
    copy_asked_files(folder)
    # Named by relative paths, which answers show.
    (folder / "samples").symlink_to(SAMPLES)
    for name in "samples.db", "second.db":
        build.make(["import", name, "samples", "--annotations", "--variations", "--quiet"], folder)
    return Asker(folder, [["samples.db"], ["samples.db", "second.db"]])


def record(options, folder):
    build = Build(options.new)
    asker = samples_only(build, folder)
    maker = Maker(options.seed, Facts(build, folder, ["samples.db"]), ["samples.db", "second.db"])
    questions = [each for each in draw(maker, asker.routes(build), len(asker.servers_of),
                                       options.questions)
                 if not each.get("path", "").startswith(NOT_RECORDED)]
    with open(options.record, "w", encoding="utf-8") as out:
        for question, answer in zip(questions, asker.answers(build, questions)):
            out.write(f"{hash_of(answer)}\t{shown(question)}\n")
    return 0


def compare_recorded(options, folder):
    build = Build(options.new)
    asker = samples_only(build, folder)
    with open(options.compare, encoding="utf-8") as lines:
        recorded = [line.rstrip("\n").split("\t", 1) for line in lines]
    questions = [json.loads(question) for _, question in recorded]
    different = 0
    for (known, question), answer in zip(recorded, asker.answers(build, questions)):
        if hash_of(answer) != known:
            different += 1
            print(f"{question}\n  {answer[0]} {answer[1][:200]} {answer[2][:200]}")
    print(f"{len(questions)} questions, {different} answers differ")
    return different


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--old")
    parser.add_argument("--new", required=True)
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=28)
    parser.add_argument("--corpus")
    parser.add_argument("--no-clusters", dest="clusters", action="store_false")
    parser.add_argument("--record")
    parser.add_argument("--compare")
    options = parser.parse_args()
    for name in "record", "compare":
        if getattr(options, name):
            setattr(options, name, os.path.abspath(getattr(options, name)))
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        ask = record if options.record else compare_recorded if options.compare else compare_builds
        return 1 if ask(options, folder) else 0


if __name__ == "__main__":
    sys.exit(main())
