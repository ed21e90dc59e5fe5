#!/usr/bin/env python3
"""Asks every surface the same random questions, and compares the answers row by row, member by member.

    tests/long/surfaces.py --build build [--questions 100] [--seed 28] [--unused]

The command line (--format json) is compared with the server (pages that are followed by their cursors,
and streams of lines), with Python above the C interface, and with SQL, wherever one of them can be
asked the question. DIFFERENCES names every member that differs, and why. Prints each difference that is
not named there, and totals; exit status 1 if there is one. --unused also fails for a line of DIFFERENCES
that no answer needed: ask some thousand questions for that.
"""

import argparse
import collections
import importlib
import json
import os
import pathlib
import random
import re
import sys
import tempfile
import urllib.parse

from random_questions import REPERTOIRE_LISTS, Facts, Maker, library_question, words_of
from same_answers import DATA, ROOT, SAMPLES, Build, Server, copy_asked_files

# (surface, question, member): why. A member stands for all that is inside it, * for every question,
# and `refusal` for an answer instead of a refusal or the reverse.
DIFFERENCES = {
    ("http", "*", "ref"): "names a game in addresses",
    ("http", "tree", "moves.topGames.ref"): "names a game in addresses",
    ("http", "tree", "topGames.ref"): "names a game in addresses",
    ("http", "tree", "recentGames.ref"): "names a game in addresses",
    ("http", "novelty", "last_ref"): "names a game in addresses; beside the game `last`, not in it",
    ("http", "prepare", "recent_refs"): "names games in addresses",
    ("http", "prepare", "lost_refs"): "names games in addresses",
    ("http", "tree", "moves.played"): "castling as in a position's legal moves",
    ("http", "game", "database"): "several are served; the command line was given one",
    ("http", "game", "comment"): "the command line has comments with --format pgn only",
    ("http", "game", "line"): "every ply with its annotations, for boards",
    ("http", "plies", "clock"): "the command line has no annotations here",
    ("http", "plies", "emt"): "the command line has no annotations here",
    ("http", "plies", "eval"): "a text, and of annotations alone: records have record_evals in the game",
    ("http", "plies", "mate"): "in eval, or in record_evals of the game",
    ("http", "plies", "depth"): "in record_evals of the game",
    ("http", "plies", "comment"): "the command line has no annotations here",
    ("http", "plies", "nags"): "the command line has no annotations here",
    ("http", "plies", "variations"): "the command line has no annotations here",
    ("http", "novelty", "errors"): "the command line prints them on standard error",
    ("python", "novelty", "errors"): "the command line prints them on standard error",
    ("http", "count", "alike"): "the command line names them on standard error",
    ("python", "count", "alike"): "the command line names them on standard error",
    ("sql", "games", "round"): "a number if it is one",
    ("sql", "plies", "refusal"): "no such game: no rows; the command line refuses",
}
# What each surface must have been asked, so that a question that it no longer takes is noticed.
MUST_ASK = {
    "http": {"find", "count", "tree", "repeats", "games", "game", "plies", "players", "player",
             "openings", "events", "novelty", "prepare", "repertoire",
             *("repertoire_" + each for each in REPERTOIRE_LISTS)},
    "python": {"find", "count", "tree", "repeats", "games", "game", "plies", "players", "openings", "events",
               "novelty", "prepare", "repertoire",
               *("repertoire_" + each for each in REPERTOIRE_LISTS)},
    "sql": {"find", "count", "tree", "repeats", "games", "plies"},
}
# Asked first, so that every surface has one question of each kind.
FIRST = [{"databases": ["samples.db"], **question} for question in (
    {"ask": "find", "fen": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"},
    {"ask": "find", "fen": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -", "count": True},
    {"ask": "tree", "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"},
    {"ask": "repeats"}, {"ask": "games"}, {"ask": "show", "games": "1"},
    {"ask": "show", "games": "1", "plies": True}, {"ask": "players"},
    {"ask": "players", "name": "Carlsen,M"}, {"ask": "openings"}, {"ask": "events"},
    {"ask": "novelty", "file": "round.pgn"},
    {"ask": "repertoire", "file": "repertoire.txt", "color": "white"},
    {"ask": "repertoire", "file": "repertoire.txt", "color": "white", "gaps": True},
    {"ask": "repertoire", "file": "round.pgn", "color": "white", "contradictions": True},
    {"ask": "repertoire", "file": "repertoire.txt", "color": "white", "coverage": True},
    {"ask": "prepare", "name": "Carlsen,M", "color": "white"})]

REFUSED = "refused"  # wrong, or about what is not there
ABSENT = "absent"
LISTS = ("find", "repeats", "games", "players", "openings", "events", "novelty", "repertoire",
         *("repertoire_" + each for each in REPERTOIRE_LISTS))
POSTED = ("novelty", "repertoire")  # with a file, answered in lines


def text_of(path):
    """The text of an archive, which is UTF-8 or else Latin-1, as an import reads it."""
    data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


class CannotAsk(Exception):
    """The surface does not have this question, or not with these options."""


def kind_of(question):
    """What is asked: find, count, tree, game, player ..."""
    ask = question["ask"]
    if ask == "find" and "count" in question:
        return "count"
    if ask == "show":
        return "plies" if "plies" in question else "game"
    if ask == "repertoire":
        return ask + "".join("_" + each for each in REPERTOIRE_LISTS if each in question)
    return "player" if ask == "players" and "name" in question else ask


def of_lines(text):
    return [json.loads(line) for line in text.splitlines()]


def page_of(rows, question):
    first = question.get("offset", 0)
    return rows[first:first + question["limit"]] if "limit" in question else rows[first:]


class CommandLine:
    def __init__(self, build, folder):
        self.build = build
        self.folder = folder

    def rows(self, words):
        status, out, _ = self.build.run([*words, "--format", "json"], self.folder)
        return REFUSED if status == 2 else of_lines(out)

    def ask(self, question):
        rows = self.rows(words_of(question))
        # A list of players: none is of that name, or several are.
        if kind_of(question) in ("player", "prepare") and (len(rows) != 1 or "names" not in rows[0]):
            return REFUSED
        return rows


class Http:
    """A server, of which lists are asked page by page."""

    name = "http"

    def __init__(self, server, databases, folder, seed):
        self.server = server
        self.databases = databases
        self.folder = folder
        self.random = random.Random(seed)
        described = json.loads(server.get("/api/openapi.json")[2])
        self.parameters = {
            path.removeprefix("/api/v1/"): {
                each["name"] if "name" in each else each["$ref"].rsplit("/", 1)[1]
                for operation in operations.values() for each in operation["parameters"]}
            for path, operations in described["paths"].items()}

    def address(self, question):
        """The route, and the parameters."""
        kind = kind_of(question)
        options = {name: "true" if value is True else value for name, value in question.items()
                   if name not in ("ask", "databases", "file", "plies", *REPERTOIRE_LISTS)}
        if kind in LISTS:
            options = {name: value for name, value in options.items() if name not in ("limit", "offset")}
        renamed = {"game": {"games": "ref"}, "plies": {"games": "ref"},
                   "player": {"name": "a", "against": "b"} if "against" in options else {}}
        options = {renamed.get(kind, {}).get(name, name): value for name, value in options.items()}
        route = {"game": "games/{ref}", "plies": "games/{ref}", "count": "find",
                 "player": "head-to-head" if "b" in options else "players/{name}",
                 "prepare": "players/{name}/prepare"}
        return route.get(kind, kind), options

    def place(self, question, options):
        """Names one of several databases in the options, if there is a way to do so."""
        kind = kind_of(question)
        if question["databases"][0] not in self.databases or kind not in ("game", "plies", "prepare"):
            return False
        place = self.databases.index(question["databases"][0]) + 1
        options |= {"database": str(place)} if kind == "prepare" else {"ref": f"{place}:{options['ref']}"}
        return True

    def answer(self, route, options, body=None, accept=None):
        path = re.sub(r"{(\w+)}", lambda name: urllib.parse.quote(options.pop(name[1]), safe=""), route)
        address = f"/api/v1/{path}?{urllib.parse.urlencode(options, True)}"
        status, _, text = self.server.get(address, body, accept)
        if status >= 500:
            raise AssertionError((status, path, options, text))
        return None if status >= 300 else text.decode()

    def ask(self, question):
        route, options = self.address(question)
        options = {name: [str(each) for each in value] if isinstance(value, list) else str(value)
                   for name, value in options.items()}
        if question["databases"] != self.databases and not self.place(question, options):
            raise CannotAsk
        if not set(options) <= self.parameters[route] or "-" in options.get("ref", ""):
            raise CannotAsk
        if question["ask"] in POSTED:
            text = self.answer(route, options, (self.folder / question["file"]).read_bytes())
            return REFUSED if text is None else page_of(of_lines(text), question)
        if kind_of(question) in LISTS:
            return self.list(route, options, question)
        text = self.answer(route, options)
        if text is None:
            return REFUSED
        answer = json.loads(text)
        if kind_of(question) != "plies":
            return [answer]
        return REFUSED if answer["line"] is None else answer["line"]

    def list(self, route, options, question):
        options["limit"] = self.random.choice((3, 7, 20, 1000))
        rows = []
        while len(rows) < question.get("offset", 0) + question.get("limit", sys.maxsize):
            text = self.answer(route, options)
            if text is None:
                return REFUSED
            page = json.loads(text)
            rows += page["items"]
            if page["next"] is None:
                if page["total"] not in (None, len(rows)):
                    return [{"total": page["total"], "rows": len(rows)}]
                break
            options["cursor"] = page["next"]
        return page_of(rows, question)


class HttpLines(Http):
    """A server, of which lists are asked as lines."""

    def ask(self, question):
        if kind_of(question) not in LISTS or question["ask"] in POSTED:
            raise CannotAsk
        return super().ask(question)

    def list(self, route, options, question):
        text = self.answer(route, options, accept="application/x-ndjson")
        return REFUSED if text is None else page_of(of_lines(text), question)


class Python:
    name = "python"

    def __init__(self, build, folder):
        os.environ["FENDEX_LIBRARY"] = build.library
        sys.path.insert(0, str(SAMPLES / "python"))
        self.fendex = importlib.import_module("fendex")
        self.folder = folder
        self.open = {}

    def ask(self, question):
        members = library_question(question)
        if len(question["databases"]) != 1 or "-" in str(question.get("games", "")):
            raise CannotAsk
        database = question["databases"][0]
        if database not in self.open:
            self.open[database] = self.fendex.open(self.folder / database)
        method = getattr(self.open[database], members.pop("ask"), None)
        if question["ask"] in POSTED:
            members["pgn"] = text_of(self.folder / members.pop("file"))
        if method is None:
            raise CannotAsk
        try:
            answer = method(**members)
            return [answer] if isinstance(answer, dict) else list(answer)
        except TypeError as error:
            raise CannotAsk from error
        except self.fendex.QuestionError as error:
            if "is not a member of this question" in str(error):
                raise CannotAsk from error
            return REFUSED
        except self.fendex.AbsentError:
            return REFUSED


class Sql:
    """Compared are the members that the tables have."""

    name = "sql"
    POSITION = {"fen", "match", "variant"}
    PAGE = {"limit", "offset"}
    OPTIONS = {"find": POSITION | PAGE, "count": POSITION | {"count"}, "tree": POSITION, "repeats": PAGE,
               "games": PAGE, "plies": {"games", "plies"}}

    def __init__(self, command_line):
        self.command_line = command_line

    def select(self, question, text):
        return self.command_line.rows(["sql", question["databases"][0], text])

    def ask(self, question):
        kind = kind_of(question)
        options = set(question) - {"ask", "databases"}
        if kind not in self.OPTIONS or not options <= self.OPTIONS[kind] or len(question["databases"]) != 1:
            raise CannotAsk
        if ("fen" in self.OPTIONS[kind]) != ("fen" in options) or "-" in str(question.get("games", "")):
            raise CannotAsk
        return getattr(self, kind)(question)

    @staticmethod
    def arguments(question):
        """Of the tables of positions."""
        given = [question["fen"], question.get("match", "exact")]
        given += [question["variant"]] if "variant" in question else []
        return "(" + ", ".join("'" + each.replace("'", "''") + "'" for each in given) + ")"

    def find(self, question):
        rows = self.select(question, "SELECT game_id, min(ply) AS ply, json_group_array(ply) AS plies FROM "
                           f"(SELECT * FROM reached{self.arguments(question)} ORDER BY game_id, ply) "
                           "GROUP BY game_id ORDER BY game_id")
        if rows == REFUSED:
            return rows
        return page_of([{**row, "plies": json.loads(row["plies"])} for row in rows], question)

    def count(self, question):
        return self.select(question, "SELECT count(DISTINCT game_id) AS games, count(*) AS occurrences "
                           f"FROM reached{self.arguments(question)}")

    def tree(self, question):
        rows = self.select(question, "SELECT uci, san, white, draws, black, games, average_rating AS "
                           "averageRating, performance, last_year, reached, eco, opening "
                           f"FROM tree{self.arguments(question)}")
        if rows == REFUSED:
            return rows
        moves = []
        for row in rows:
            code, name = row.pop("eco"), row.pop("opening")
            moves.append({**row, "opening": {"eco": code, "name": name} if name else None})
        ended = [{name: row[name] for name in ("white", "draws", "black", "games")}
                 for row in rows if row["san"] is None]
        return [{"moves": [row for row in moves if row["san"] is not None],
                 **({"ended": ended[0]} if ended else {})}]

    def repeats(self, question):
        rows = self.select(question, "SELECT game_id, printf('%016x', key) AS key, fen, count, third_ply, "
                           "fifth_ply, played_on, result, claimant FROM repetition "
                           "WHERE third_ply IS NOT NULL ORDER BY game_id, json_extract(plies, '$[0]')")
        return rows if rows == REFUSED else page_of(rows, question)

    def games(self, question):
        return page_of(self.select(question, "SELECT id AS game_id, white, black, result, date, event, "
                                   "site, round, white_elo, black_elo, eco, plies FROM games ORDER BY id"),
                       question)

    def plies(self, question):
        return self.select(question, "SELECT ply, san, uci, printf('%016x', key) AS key, fen, epd, "
                           f"occurrence FROM ply WHERE game_id = {question['games']} ORDER BY ply")


def compared(expected, found, member="", only_found=False):
    """(member, expected, found) of each difference. Members of rows have the names of the row's."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for name in found if only_found else {**expected, **found}:
            yield from compared(expected.get(name, ABSENT), found.get(name, ABSENT),
                                f"{member}.{name}" if member else name, only_found)
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield f"number of {member or 'rows'}", len(expected), len(found)
        for one, other in zip(expected, found):
            yield from compared(one, other, member, only_found)
    elif expected != found:
        yield member or "refusal", expected, found


class Comparison:
    def __init__(self):
        self.answers = collections.Counter()
        self.rows = collections.Counter()
        self.unnamed = collections.Counter()
        self.used = set()

    def is_named(self, surface, question, member):
        parts = member.split(".")
        for length in range(len(parts), 0, -1):
            for asked in kind_of(question), "*":
                line = surface, asked, ".".join(parts[:length])
                if line in DIFFERENCES:
                    self.used.add(line)
                    return True
        return False

    def add(self, surface, question, expected, found):
        kind = kind_of(question)
        if (surface, kind) == ("http", "plies") and isinstance(expected, list):
            expected = [row for row in expected if row["ply"] != 0]  # the start is beside the moves
        self.answers[surface, kind] += 1
        self.rows[surface, kind] += len(found) if isinstance(found, list) else 0
        for member, one, other in compared(expected, found, only_found=surface == "sql"):
            if self.is_named(surface, question, member):
                continue
            self.unnamed[surface, kind, member] += 1
            if self.unnamed[surface, kind, member] <= 2:
                print(f"{surface}, {kind}, {member}: {json.dumps(question, ensure_ascii=False)}\n"
                      f"  command line {str(one)[:200]}\n  {surface} {str(other)[:200]}")

    def report(self):
        kinds = sorted({kind for _, kind in self.answers})
        for surface in sorted({surface for surface, _ in self.answers}):
            print(f"{surface}:", ", ".join(
                f"{kind} {self.answers[surface, kind]} ({self.rows[surface, kind]} rows)"
                for kind in kinds if self.answers[surface, kind]))
        for (surface, kind, member), count in sorted(self.unnamed.items()):
            print(f"differs: {surface}, {kind}, {member}: {count} times")

    def not_asked(self):
        return [(surface, kind) for surface, kinds in MUST_ASK.items() for kind in sorted(kinds)
                if self.rows[surface, kind] == 0]


def make_databases(build, folder):
    copy_asked_files(folder)
    notes = ["--annotations", "--variations", "--quiet"]
    build.make(["import", "samples.db", SAMPLES, *notes], folder)
    build.make(["import", "second.db", SAMPLES / "classics.pgn", SAMPLES / "online.pgn",
                DATA / "variants/games.pgn", *notes], folder)
    return ["samples.db", "second.db"]


def ask_all(question, command_line, surfaces, comparison):
    expected = command_line.ask(question)
    for surface in surfaces:
        try:
            comparison.add(surface.name, question, expected, surface.ask(question))
        except CannotAsk:
            pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", default=ROOT / "build")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=28)
    parser.add_argument("--unused", action="store_true")
    options = parser.parse_args()
    build = Build(options.build)
    comparison = Comparison()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        names = make_databases(build, folder)
        command_line = CommandLine(build, folder)
        surfaces = [Python(build, folder), Sql(command_line)]
        servers = []
        for databases in ["samples.db"], ["second.db"], names, names[::-1]:
            servers.append(Server(build, folder, databases))
            for kind in Http, HttpLines:
                surfaces.append(kind(servers[-1], databases, folder, options.seed))
        maker = Maker(options.seed, Facts(build, folder, names), names)
        try:
            for question in FIRST + [maker.question() for _ in range(options.questions)]:
                ask_all(question, command_line, surfaces, comparison)
        finally:
            for server in servers:
                server.end()
    comparison.report()
    unused = sorted(set(DIFFERENCES) - comparison.used) if options.unused else []
    for line in unused:
        print("does not differ:", ", ".join(line))
    for line in comparison.not_asked():
        print("was not asked, or had no rows:", ", ".join(line))
    return 1 if comparison.unnamed or unused or comparison.not_asked() else 0


if __name__ == "__main__":
    sys.exit(main())
