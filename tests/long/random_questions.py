"""Draws questions at random, for every surface of fendex, from values that games have."""

import csv
import io
import json
import random
import re
import urllib.parse

VARIANTS = ("standard", "chess960", "crazyhouse", "3check", "kingofthehill", "atomic", "antichess",
            "horde", "racingkings", "other")
PATTERNS = ("*/*/*/3N/*/*/*/*", "*/*/*/3p/3P/*/*/*", "*/pp[^p]/*/*/*/*/*/*", "????k/*/*/*/*/*/*/????K",
            "*/*/*/*/2PP/*/*/*", "6k/5ppp/*/*/*/*/*/*", "*/?A/*/*/*/*/*/*", "nonsense")
MATERIALS = ("KRPvKR", "KQvKQ", "Q=0 q=0 R=1 r=1", "P>=6 p<=2", "B=2 b=0 n=2", "KXvK")


class Facts:
    """Values that games of the databases have, to ask for."""

    def __init__(self, build, folder, databases):
        self.games = []
        self.positions = []  # (FEN, variant)
        self.early = []  # those of the first plies, which many games reach
        self.lines = []  # moves from the standard start
        self.openings = set()
        for database in databases:
            self.games += self.rows(build, folder, "games", database)
            for row in self.rows(build, folder, "openings", database):
                if row.get("opening"):
                    self.openings.add((row["opening"], row["eco"]))
            out = build.run(["export", database, "--rows", "plies", "--columns", "fen,variant,ply,game_id",
                             "--format", "csv", "--sample", "1500"], folder)[1].decode()
            for row in csv.DictReader(io.StringIO(out)):
                self.positions.append((row["fen"], row["variant"]))
                if int(row["ply"]) < 14:
                    self.early.append(self.positions[-1])
            self.lines += self.first_moves(build, folder, database)
        self.openings = sorted(self.openings)

    @staticmethod
    def rows(build, folder, verb, database):
        out = build.run([verb, database, "--format", "json"], folder)[1]
        return [json.loads(line) for line in out.splitlines()]

    @staticmethod
    def first_moves(build, folder, database):
        lines = []
        out = build.run(["show", database, "1-40", "--format", "json"], folder)[1]
        for line in out.splitlines():
            game = json.loads(line)
            if game["fen"].endswith("RNBQKBNR w KQkq - 0 1") and game["variant"] == "standard":
                lines.append(game["moves"])
        return lines


class Maker:
    """Draws questions."""

    def __init__(self, seed, facts, databases, clusters=()):
        self.random = random.Random(seed)
        self.facts = facts
        self.databases = databases
        self.clusters = list(clusters)

    def pick(self, *values):
        return self.random.choice(values)

    def often(self, share):
        return self.random.random() < share

    def value_of_game(self, *names):
        for _ in range(20):
            value = self.random.choice(self.facts.games).get(self.pick(*names))
            if value not in (None, "", "?"):
                return str(value)
        return "x"

    def words(self, text):
        """Some words of a text, or the beginnings of some."""
        parts = [word for word in re.split(r"[\s,.]+", text) if word] or [text]
        chosen = self.random.sample(parts, self.random.randint(1, min(2, len(parts))))
        return " ".join(word if self.often(.6) else word[:3].lower() for word in chosen)

    def elo(self):
        return self.random.choice((1500, 2000, 2200, 2400, 2500, 2600, 2700, 2800))

    def codes(self, code):
        return self.pick(code, code[:2], f"{code[0]}00-{code}", code.lower())

    def filter_value(self, name):
        name = name.replace("_", "-")
        opening, opening_code = self.random.choice(self.facts.openings)
        date = self.value_of_game("date").replace(".??", "")
        return {
            "white": lambda: self.words(self.value_of_game("white")),
            "black": lambda: self.words(self.value_of_game("black")),
            "player": lambda: self.words(self.value_of_game("white", "black")),
            "opponent": lambda: self.words(self.value_of_game("white", "black")),
            "event": lambda: self.words(self.value_of_game("event")),
            "site": lambda: self.words(self.value_of_game("site")),
            "eco": lambda: self.codes((self.value_of_game("eco") + "00")[:3]),
            "opening": lambda: self.words(opening),
            "opening-eco": lambda: self.codes(opening_code),
            "result": lambda: self.pick("1-0", "0-1", "1/2-1/2", "*", "white", "draw"),
            "since": lambda: date, "until": lambda: date,
            "min-elo": self.elo, "max-elo": self.elo,
            "white-elo": lambda: f"{self.elo()}-", "black-elo": lambda: f"2000-{self.elo()}",
            "time-control": lambda: self.pick("ultrabullet", "bullet", "blitz", "rapid", "classical",
                                              "correspondence"),
            "mode": lambda: self.pick("rated", "casual"),
            "variant": lambda: self.pick(*VARIANTS),
            "termination": lambda: self.pick("time", "normal", "Abandoned"),
            "min-plies": lambda: self.random.randint(1, 120),
            "max-plies": lambda: self.random.randint(20, 200),
            "source": lambda: self.pick("1", "2", "classics.pgn", "nowhere.pgn"),
        }[name]()

    FILTERS = ("white", "black", "player", "event", "site", "eco", "opening", "opening-eco", "result",
               "since", "until", "min-elo", "max-elo", "white-elo", "black-elo", "time-control", "mode",
               "variant", "termination", "min-plies", "max-plies", "source")

    def filters(self, without=()):
        names = [name for name in self.FILTERS if name not in without]
        count = self.pick(0, 0, 0, 0, 1, 1, 1, 2, 3)
        return {name: str(self.filter_value(name)) for name in self.random.sample(names, count)}

    def position(self):
        fen, variant = self.pick(*(self.facts.early if self.often(.5) else self.facts.positions))
        if self.often(.2):
            fen = self.pick("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
            variant = "standard"
        if self.often(.1):
            fen = fen.replace(" ", "_")
        elif self.often(.1):
            fen = " ".join(fen.split()[:4])
        return fen, variant

    def line(self):
        moves = self.random.choice(self.facts.lines)
        return " ".join(moves[:self.random.randint(0, min(24, len(moves)))])

    def databases_asked(self, several=True):
        if self.clusters and self.often(.3):
            return [self.pick(*self.clusters)]
        count = 2 if several and self.often(.15) else 1
        return self.random.sample(self.databases, min(count, len(self.databases)))

    def lists(self, words, formats=("table", "json", "csv", "pgn"), sorts=True):
        words += ["--format", self.pick(*formats)]
        if sorts and self.often(.3):
            words += ["--sort", self.pick("id", "date", "elo", "plies")]
        if self.often(.6):
            words += ["--limit", str(self.random.randint(1, 50))]
        if self.often(.2):
            words += ["--offset", str(self.random.randint(0, 30))]
        return words

    def asked_position(self):
        """Options that name a position, and its variant."""
        if self.often(.3):
            return ["--moves", self.line()]
        fen, variant = self.position()
        named = [] if variant in ("standard", "chess960") else ["--variant", variant]
        return [fen, *named]

    def find(self):
        words = ["find", *self.databases_asked()]
        kind = self.random.random()
        without = ("variant",)
        if kind < .1:
            words += ["--pattern", self.pick(*PATTERNS)]
        elif kind < .2:
            words += ["--material", self.pick(*MATERIALS)]
        else:
            words += self.asked_position()
            if self.often(.2):
                words += ["--match", self.pick("board", "mirrored")]
            if self.often(.15):
                words += ["--variations"]
        if kind < .2 and self.often(.3):
            words += ["--either-side"]
        words += self.options(self.filters(without))
        if self.often(.25):
            words += ["--count"] + (["--verify"] if self.often(.3) else [])
            return words + ["--format", self.pick("table", "json", "csv")]
        return self.lists(words)

    @staticmethod
    def options(filters):
        return [word for name, value in filters.items() for word in ("--" + name, value)]

    def tree(self):
        words = ["tree", *self.databases_asked(), *self.asked_position()]
        if self.often(.2):
            words += ["--match", self.pick("board", "mirrored")]
        if self.often(.15):
            words += ["--depth", str(self.random.randint(2, 4)), "--min-games", "2"]
        if self.often(.15):
            words += ["--no-transpositions"]
        if self.often(.1):
            words += ["--dialect", self.pick("legal", "xfen", "shredder")]
        return words + self.options(self.filters(("variant",))) + [
            "--format", self.pick("table", "json", "csv")]

    def repeats(self):
        words = ["repeats", *self.databases_asked()]
        if self.often(.15):
            return words + ["--summary", "--format", self.pick("table", "json")] + self.options(
                self.filters())
        if self.often(.25):
            words += [self.pick("--rule50", "--rule75")]
        else:
            words += self.pick([], ["--min", "2"], ["--min", "4"], ["--fivefold"], ["--perpetual"])
            if self.often(.2):
                words += ["--fen", self.position()[0]]
        words += self.pick([], [], ["--claims"], ["--missed"])
        return self.lists(words + self.options(self.filters()), ("table", "json", "csv"))

    def games(self):
        return self.lists(["games", *self.databases_asked(False)] + self.options(self.filters()))

    def openings(self):
        words = ["openings", self.pick(*self.databases), *self.options(self.filters())]
        if self.often(.5):
            words += ["--sort", self.pick("games", "eco")]
        return self.lists(words, ("table", "json", "csv"), sorts=False)

    def players(self):
        words = ["players", self.pick(*self.databases)]
        formats = ("table", "json", "csv")
        if self.often(.7):
            whole = self.often(.6)
            name = self.value_of_game("white", "black")
            words += [name if whole else self.words(name)]
            formats = ("table", "json")
            if self.often(.3):
                words += ["--against", self.words(self.value_of_game("white", "black"))]
            if self.often(.3):
                words += ["--together"]
        words += self.options(self.filters(("player", "opponent")))
        return words + ["--format", self.pick(*formats)] + (
            ["--limit", str(self.random.randint(1, 30))] if self.often(.5) else [])

    def prepare(self):
        words = ["prepare", self.pick(*self.databases), self.value_of_game("white", "black"),
                 "--color", self.pick("white", "black"), "--format", self.pick("table", "json")]
        return words + self.options(self.filters(("player", "opponent", "white", "black", "variant")))

    def novelty(self):
        words = ["novelty", self.pick(*self.databases), self.pick("round.pgn", "other.pgn")]
        if self.often(.3):
            return words + ["--annotate"]
        return self.lists(words, ("table", "json", "csv"), sorts=False) + self.options(
            self.filters(("player", "variant")))

    def show(self):
        first = self.random.randint(1, 120)
        words = ["show", *self.databases_asked(False), self.pick(f"{first}", f"{first}-{first + 5}")]
        if self.often(.4):
            return words + ["--plies", "--format", self.pick("table", "json", "csv")]
        if self.often(.2):
            return words[:2] + [str(first), "--board", "--ply", str(self.random.randint(0, 60))]
        return words + ["--format", self.pick("table", "json", "pgn")]

    def export(self):
        words = ["export", *self.databases_asked(False)]
        kind = self.pick("pgn", "pgn", "epd", "fen", "json", "csv")
        words += ["--format", kind]
        if kind in ("json", "csv"):
            words += ["--rows", self.pick("games", "plies", "positions")]
        if kind in ("epd", "fen"):
            words += ["--max-ply", str(self.random.randint(1, 12))]
        if self.often(.3):
            words += ["--moves", self.line()]
        if self.often(.2):
            words += ["--sample", str(self.random.randint(1, 40)), "--seed", "7"]
        return words + ["--limit", str(self.random.randint(1, 30))] + self.options(self.filters())

    VERBS = ("find",) * 6 + ("tree",) * 5 + ("repeats",) * 4 + (
        "games", "games", "openings", "players", "players", "prepare", "novelty", "show", "export",
        "export")

    def command(self):
        return getattr(self, self.pick(*self.VERBS))()

    def route_value(self, name, path):
        fen, variant = self.position()
        own = {
            "fen": lambda: fen, "moves": self.line, "play": lambda: "e2e4,c7c5",
            "limit": lambda: self.random.randint(1, 40), "offset": lambda: self.random.randint(0, 9),
            "sort": lambda: self.pick("id", "date", "elo", "plies"),
            "match": lambda: self.pick("exact", "board", "mirrored"),
            "dialect": lambda: self.pick("standard", "xfen", "shredder"),
            "pattern": lambda: self.pick(*PATTERNS), "material": lambda: self.pick(*MATERIALS),
            "min": lambda: self.random.randint(2, 4), "color": lambda: self.pick("white", "black"),
            "prefix": lambda: self.words(self.value_of_game("white")),
            "name": lambda: self.value_of_game("white", "black"),
            "key": lambda: "463b96181691fc9c", "against": lambda: self.value_of_game("white", "black"),
            "variant": lambda: variant, "id": lambda: self.random.randint(1, 113),
            "game": lambda: self.random.randint(1, 113),
        }
        if name in own:
            return own[name]()
        if name in self.FILTERS or name == "opponent":
            return self.filter_value(name)
        return "true"

    def route(self, routes):
        """A request for a described route, with some of its parameters."""
        if self.often(.25):
            return self.explorer(), None
        path, operation = self.random.choice(routes)
        chosen = []
        for parameter in operation.get("parameters", []):
            name = parameter["name"]
            wanted = parameter.get("required") or self.often(1.5 / len(operation["parameters"]))
            if not wanted or name in ("cursor", "database", "db"):
                continue
            value = str(self.route_value(name, path))
            if parameter["in"] == "path":
                path = path.replace("{" + name + "}", urllib.parse.quote(value, safe=""))
            else:
                chosen.append((name, value))
        accept = self.pick(None, None, "application/x-ndjson")
        return path + ("?" + urllib.parse.urlencode(chosen) if chosen else ""), accept

    def explorer(self):
        fen, variant = self.position()
        chosen = [("moves", self.random.randint(1, 15))] if self.often(.5) else []
        chosen.append(self.pick(("fen", fen), ("play", "e2e4,e7e5"), ("play", "d2d4")))
        path = self.pick("/lichess", "/masters", "/player")
        if path != "/masters":
            if variant not in ("standard", "other") and chosen[-1][0] == "fen":
                chosen.append(("variant", variant))
            if self.often(.3):
                chosen.append(("speeds", self.pick("blitz,rapid", "classical", "bullet")))
        if path == "/lichess" and self.often(.3):
            chosen.append(("ratings", self.pick("2000,2200", "2500", "1600")))
        if path == "/player":
            chosen += [("player", self.value_of_game("white")), ("color", self.pick("white", "black"))]
        if self.often(.3):
            chosen.append(("since", self.pick("2000", "1950") if path == "/masters" else "2012-01"))
        return path + "?" + urllib.parse.urlencode(chosen)

    def c_question(self):
        ask = self.pick("find", "find", "count", "tree", "repeats", "games", "game", "plies")
        question = {"ask": ask}
        if ask in ("game", "plies"):
            return {**question, "game": self.random.randint(1, 120)}
        if ask in ("find", "count", "tree"):
            if self.often(.5):
                question["moves"] = self.line()
            else:
                question["fen"], variant = self.position()
                if variant not in ("standard", "chess960"):
                    question["variant"] = variant
            if self.often(.2):
                question["match"] = self.pick("board", "mirrored")
        if ask == "find" and self.often(.2):
            question["variations"] = True
        if ask == "repeats":
            question.update(self.pick({}, {"min": 2}, {"missed": True}, {"claims": True},
                                      {"perpetual": True}))
        if ask == "games" and self.often(.4):
            question["sort"] = self.pick("id", "date", "elo", "plies")
        for name, value in self.filters(("variant", "white-elo", "black-elo")).items():
            question[name.replace("-", "_")] = int(value) if value.isdigit() and (
                name.endswith(("elo", "plies"))) else value
        if ask in ("find", "repeats", "games") and self.often(.7):
            question["limit"] = self.random.randint(1, 40)
        return question


def draw(maker, routes, servers, count):
    questions = []
    for number in range(count):
        share = number % 10
        if share < 6:
            questions.append({"kind": "command", "words": [str(word) for word in maker.command()]})
        elif share < 8:
            path, accept = maker.route(routes)
            question = {"kind": "http", "server": number // 10 % servers, "path": path,
                        "accept": accept}
            if path.startswith("/api/v1/novelty"):
                question["body"] = "round.pgn"
            questions.append(question)
        else:
            questions.append({"kind": "c", "database": maker.pick(*maker.databases),
                              "question": maker.c_question()})
    return questions
