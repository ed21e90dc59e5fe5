#!/usr/bin/env python3
"""Compares the explorer's routes of a running server with what the program says of the same games.

    explorer_test.py FENDEX

Numbers are those of `fendex tree` and, for the conditions that the command line does not have,
those that are counted here from all games. Requests are written as the client berserk writes them.
"""

import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request

FENDEX = os.path.abspath(sys.argv[1])
ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
ARCHIVES = [ROOT / "samples", DATA / "variants", DATA / "corpus" / "human.pgn.zst",
            DATA / "corpus" / "online", DATA / "corpus" / "variants"]
FULL = os.environ.get("FENDEX_TEST_SIZE") == "full"
POSITIONS = 500 if FULL else 40
OF_OTHER_VARIANTS = 60 if FULL else 20
WALKS = 20 if FULL else 4
RESULTS = {"1-0": "white", "1/2-1/2": "draws", "0-1": "black"}


def run(*words):
    done = subprocess.run([FENDEX, *map(str, words)], capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.decode())
    return done.stdout.decode()


def rows(*words):
    return [json.loads(line) for line in run(*words).splitlines()]


def counts(of):
    return [of["white"], of["draws"], of["black"]]


class Server:
    """A running server of some databases."""

    def __init__(self, *databases):
        self.process = subprocess.Popen(
            [FENDEX, "serve", *databases, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE
        )
        line = self.process.stdout.readline().decode()
        self.address = re.search(r"http://[^ ]*?:\d+", line).group()

    def stop(self):
        self.process.terminate()
        status = self.process.wait(20)
        self.process.stdout.close()
        return status

    def get(self, path, accept="application/json", **parameters):
        """Sends what python-requests sends for berserk."""
        query = {k: v for k, v in parameters.items() if v is not None}
        address = self.address + path
        if query:
            address += "?" + urllib.parse.urlencode(query)
        request = urllib.request.Request(
            address,
            headers={
                "User-Agent": "python-requests/2.31.0",
                "Accept": accept,
                "Accept-Encoding": "identity",
                "Connection": "keep-alive",
                "Authorization": "Bearer lip_nobodys",
            },
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode(), answer.headers

    def ask(self, path, **parameters):
        return json.loads(self.get(path, **parameters)[0])


class ExplorerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = pathlib.Path(scratch.name)
        cls.database = cls.scratch / "my.db"
        run("import", cls.database, *ARCHIVES, "--quiet")
        server = Server(cls.database)
        cls.addClassCleanup(server.stop)
        cls.get = server.get
        cls.ask = server.ask
        cls.read_games()

    @classmethod
    def read_games(cls):
        """Reads all games, and all positions with the games that reached them."""
        cls.games = {}
        for line in run("games", cls.database, "--format", "json").splitlines():
            game = json.loads(line)
            cls.games[game["game_id"]] = game
        tags = "SELECT id, white, black, date, result, white_elo, black_elo FROM games"
        cls.rows = {row["id"]: row for row in rows("sql", cls.database, tags, "--format", "json")}
        # (game, its move) by position; a game that returned may have several moves.
        cls.played = collections.defaultdict(set)
        cls.fens = {}
        columns = "game_id,fen,epd,next_uci,variant"
        for row in rows(
            "export", cls.database, "--rows", "plies", "--columns", columns, "--format", "json"
        ):
            place = (row["epd"], row["variant"] if row["variant"] != "chess960" else "standard")
            cls.fens[place] = row["fen"]
            cls.played[place].add((row["game_id"], row["next_uci"]))
        # A few of each other variant; of the others, half that several games reached.
        places = sorted(cls.played)
        random.Random(16).shuffle(places)
        frequent = [place for place in places if len(cls.played[place]) > 1]
        others = [place for place in places if place[1] != "standard"]
        chosen = dict.fromkeys(others[:OF_OTHER_VARIANTS] + frequent[:POSITIONS // 2] + places)
        cls.places = list(chosen)[:POSITIONS]

    def trees(self, variant, *options):
        """The trees of all positions of a variant, with one call of the program."""
        places = [place for place in self.places if place[1] == variant]
        file = self.scratch / "asked.fen"
        file.write_text("".join(self.fens[place] + "\n" for place in places))
        trees = rows("tree", self.database, file, "--format", "json", "--no-transpositions",
                     "--variant", variant, *options) if places else []
        self.assertEqual(len(trees), len(places))
        return zip(places, trees)

    def check(self, answer, tree, place):
        """Compares an answer with a tree, of which only games with a result count."""
        self.assertEqual(counts(answer), counts(tree), place)
        expected = {m["uci"]: m for m in tree["moves"] if sum(counts(m)) > 0}
        self.assertEqual({m["uci"] for m in answer["moves"]}, set(expected), place)
        for move in answer["moves"]:
            of = expected[move["uci"]]
            self.assertEqual(counts(move), counts(of), place)
            for name in ("san", "opening"):
                self.assertEqual(move[name], of[name], place)
            if "averageRating" in move:
                self.assertEqual(move["averageRating"], of["averageRating"], place)
            self.assertEqual(move["game"] is not None, sum(counts(move)) == 1, place)
        totals = [sum(counts(m)) for m in answer["moves"]]
        self.assertEqual(totals, sorted(totals, reverse=True))

    def check_trees(self, path, parameters, *options):
        """Asks for all positions; returns how many games with a result were counted, by variant."""
        counted = collections.Counter()
        for variant in sorted({place[1] for place in self.places}):
            for place, tree in self.trees(variant, *options):
                answer = self.ask(path, fen=self.fens[place], variant=variant, moves=1000,
                                  **parameters)
                self.check(answer, tree, place)
                counted[variant] += sum(counts(answer))
        return counted

    def test_numbers_agree_without_a_filter(self):
        self.assertEqual(len(self.places), POSITIONS)
        counted = self.check_trees("/masters", {})
        self.assertGreater(counted["standard"], POSITIONS / 2)
        self.assertGreater(len(+counted), 3)

    def test_numbers_agree_with_dates(self):
        all_games = sum(self.check_trees("/masters", {"since": 1}, "--since", "0001").values())
        for parameters, *options in (
            ({"since": 1900, "until": 2009}, "--since", "1900", "--until", "2009"),
            ({"since": "2006-05"}, "--since", "2006-05"),
        ):
            counted = sum(self.check_trees("/lichess", parameters, *options).values())
            self.assertGreater(counted, 0)
            self.assertLess(counted, all_games)

    def test_numbers_agree_for_a_speed(self):
        counted = self.check_trees("/lichess", {"speeds": "blitz"}, "--time-control", "blitz")
        self.assertGreater(sum(counted.values()), 0)

    def brute_force(self, place, fits):
        """Counts results by move, of games that fit."""
        moves = collections.defaultdict(lambda: dict.fromkeys(RESULTS.values(), 0))
        for game, uci in self.played[place]:
            row = self.rows[game]
            if uci and row["result"] in RESULTS and fits(row):
                moves[uci][RESULTS[row["result"]]] += 1
        return {uci: counts(of) for uci, of in moves.items()}

    def test_numbers_agree_for_ratings(self):
        groups = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500, 100000]
        for asked in ([2500], [2200, 2500], [0, 1600, 2200], groups[:-1]):
            def fits(row):
                if not row["white_elo"] or not row["black_elo"]:
                    return False
                mean = (row["white_elo"] + row["black_elo"]) // 2
                return any(low <= mean < groups[groups.index(low) + 1] for low in asked)

            games = 0
            for place in self.places:
                if place[1] != "standard":
                    continue
                answer = self.ask("/lichess", fen=self.fens[place], moves=1000,
                                  ratings=",".join(map(str, asked)))
                found = {m["uci"]: counts(m) for m in answer["moves"]}
                standard = {"e1h1": "e1g1", "e1a1": "e1c1", "e8h8": "e8g8", "e8a8": "e8c8"}
                expected = self.brute_force(place, fits)
                for uci, of in found.items():
                    other = standard.get(uci, uci)
                    self.assertIn(of, (expected.get(uci), expected.get(other)), (place, uci))
                self.assertEqual(len(found), len(expected), place)
                games += sum(counts(answer))
            self.assertGreater(games, 0, asked)

    def test_numbers_agree_after_moves(self):
        """Walks along games move by move, as a player does."""
        random.seed(3)
        for _ in range(WALKS):
            play = []
            while True:
                answer = self.ask("/masters", play=",".join(play) or None, moves=100)
                tree = json.loads(run("tree", self.database, "--moves", " ".join(play), "--format",
                                      "json", "--no-transpositions"))
                self.check(answer, tree, play)
                if not answer["moves"] or len(play) > 12:
                    break
                play.append(random.choice(answer["moves"])["uci"])

    def test_requests_of_berserk_are_answered(self):
        """Parameters as berserk's methods send them."""
        fen = "rnbqkbnr/ppp2ppp/8/3pp3/4P3/2NP4/PPP2PPP/R1BQKBNR b KQkq - 0 1"
        answer = self.ask("/lichess", variant="standard", fen=fen, speeds="blitz,rapid,classical",
                          ratings="2200,2500")
        self.assertEqual(list(answer), ["white", "draws", "black", "moves", "recentGames",
                                        "topGames", "opening"])
        answer = self.ask("/lichess", variant="standard", history=True, moves=1, topGames=0,
                          recentGames=0)
        self.assertEqual(list(answer)[-1], "history")
        answer = self.ask("/masters", play="d2d4,d7d5,c2c4,c7c6,c4d5", since=1952, until=2025,
                          moves=3, topGames=4)
        self.assertEqual(list(answer), ["white", "draws", "black", "moves", "topGames", "opening"])
        game = next(game for game in self.rows.values() if game["white"] and game["white_elo"])
        text, headers = self.get("/player", accept="application/x-ndjson", player=game["white"],
                                 color="white", variant="standard", history=False)
        self.assertEqual(headers.get_content_type(), "application/x-ndjson")
        lines = [json.loads(line) for line in text.splitlines() if line]
        self.assertGreater(sum(counts(lines[-1])), 0)
        self.assertEqual(list(lines[-1]), ["white", "draws", "black", "moves", "recentGames",
                                           "opening", "queuePosition"])
        top = self.ask("/masters")["topGames"][0]
        self.assertRegex(top["id"], "^[0-9A-Za-z_]{8}$")
        self.assertEqual(self.rows[top["game_id"]]["white"], top["white"]["name"])
        text, headers = self.get("/master/pgn/" + urllib.parse.quote(top["id"]),
                                 accept="application/x-chess-pgn")
        self.assertEqual(headers.get_content_type(), "application/x-chess-pgn")
        self.assertIn(f'[White "{top["white"]["name"]}"]', text)

    def test_errors_are_plain_text(self):
        for path in ("/masters?fen=nonsense", "/lichess?play=e2e5", "/player?player=x",
                     "/masters/pgn/nobodys1", "/nowhere"):
            with self.assertRaises(urllib.error.HTTPError) as raised:
                self.get(path.split("?")[0],
                         **dict(urllib.parse.parse_qsl(path.partition("?")[2])))
            error = raised.exception
            expected = 404 if "pgn" in path or "nowhere" in path else 400
            self.assertEqual(error.code, expected, path)
            self.assertEqual(error.headers.get_content_type(), "text/plain")
            error.close()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
