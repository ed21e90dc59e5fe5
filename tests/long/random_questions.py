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
# What people paste instead of a FEN.
PASTED = ("https://lichess.org/analysis/{underlined}", "position fen {fen}", '"{fen}"', '[FEN "{fen}"]',
          "startpos")
MOVES = ("Nf3", "xf7", "Rac1", "O-O", "Nf3-g1-e2", "Ng1-f3-g5", "[NB]xQ", "e8=Q", "black quiet R", "!xd5")
STEPS = ("O-O-O", "xd4 within 4", "Q=0 q=0", "any", "black N", "6k/5ppp/*/*/*/*/*/* within 20")
SPEEDS = ("ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence")
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
            "event": lambda: self.pick(self.words(self.value_of_game("event")),
                                       f"={self.value_of_game('event')}"),
            "site": lambda: self.words(self.value_of_game("site")),
            "eco": lambda: self.codes((self.value_of_game("eco") + "00")[:3]),
            "opening": lambda: self.words(opening),
            "opening-eco": lambda: self.codes(opening_code),
            "result": lambda: self.pick("1-0", "0-1", "1/2-1/2", "*", "white", "draw"),
            "since": lambda: date, "until": lambda: date,
            "min-elo": self.elo, "max-elo": self.elo,
            "white-elo": lambda: f"{self.elo()}-", "black-elo": lambda: f"2000-{self.elo()}",
            "time-control": lambda: self.random.sample(SPEEDS, self.pick(1, 1, 2, 3)),
            "mode": lambda: self.pick("rated", "casual"),
            "variant": lambda: self.pick(*VARIANTS),
            "termination": lambda: self.pick("time", "normal", "Abandoned"),
            "min-plies": lambda: self.random.randint(1, 120),
            "max-plies": lambda: self.random.randint(20, 200),
            "source": lambda: self.pick("1", "2", "classics.pgn", "nowhere.pgn"),
            "tag": lambda: f"White={self.value_of_game('white')}",
        }[name]()

    FILTERS = ("white", "black", "player", "event", "site", "eco", "opening", "opening-eco", "result",
               "since", "until", "min-elo", "max-elo", "white-elo", "black-elo", "time-control", "mode",
               "variant", "termination", "min-plies", "max-plies", "source", "tag")

    def filters(self, without=()):
        names = [name for name in self.FILTERS if name not in without]
        count = self.pick(0, 0, 0, 0, 1, 1, 1, 2, 3)
        values = {name: self.filter_value(name) for name in self.random.sample(names, count)}
        return {name: value if isinstance(value, list) else str(value) for name, value in values.items()}

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
        elif self.often(.1):
            fen = self.pick(*PASTED).format(fen=fen, underlined=fen.replace(" ", "_"))
        return fen, variant

    def line(self):
        moves = self.random.choice(self.facts.lines)
        return " ".join(moves[:self.random.randint(0, min(24, len(moves)))])

    def databases_asked(self, several=True, clusters=True):
        if clusters and self.clusters and self.often(.3):
            return [self.pick(*self.clusters)]
        count = 2 if several and self.often(.15) else 1
        return self.random.sample(self.databases, min(count, len(self.databases)))

    # Questions: a verb, databases and options, by their names on the command line.

    def maybe(self, share, options):
        return options if self.often(share) else {}

    def page(self, *orders):
        return {**(self.maybe(.3, {"sort": self.pick(*orders)}) if orders else {}),
                **self.maybe(.6, {"limit": self.random.randint(1, 50)}),
                **self.maybe(.2, {"offset": self.random.randint(0, 30)})}

    GAME_ORDERS = ("id", "date", "elo", "plies")

    def asked_position(self):
        """The options that name a position, and its variant."""
        if self.often(.3):
            return {"moves": self.line()}
        fen, variant = self.position()
        return {"fen": fen} if variant in ("standard", "chess960") else {"fen": fen, "variant": variant}

    def find(self):
        kind = self.random.random()
        if kind < .2:
            what = {"pattern": self.pick(*PATTERNS)} if kind < .1 else {"material": self.pick(*MATERIALS)}
            what |= self.maybe(.3, {"either-side": True})
        elif kind < .3:
            what = {"move": self.pick(*MOVES)}
            if self.often(.7):
                what["then"] = self.random.sample(STEPS, self.random.randint(1, 2))
                what |= self.pick({}, {"streak": True}, {"within": self.random.randint(1, 30)})
            what |= self.maybe(.3, {"either-side": True})
        else:
            what = {**self.asked_position(), **self.maybe(.2, {"match": self.pick("board", "mirrored")}),
                    **self.maybe(.15, {"variations": True})}
        count = {"count": True, **self.maybe(.3, {"verify": True})}
        return {"ask": "find", "databases": self.databases_asked(), **what, **self.filters(("variant",)),
                **(count if self.often(.25) else self.page(*self.GAME_ORDERS))}

    def tree(self):
        return {"ask": "tree", "databases": self.databases_asked(), **self.asked_position(),
                **self.maybe(.2, {"match": self.pick("board", "mirrored")}),
                **self.maybe(.1, {"variations": True}),
                **self.maybe(.15, {"depth": self.random.randint(2, 4), "min-games": 2}),
                **self.maybe(.15, {"no-transpositions": True}),
                **self.maybe(.1, {"dialect": self.pick("legal", "xfen", "shredder")}),
                **self.filters(("variant",))}

    def repeats(self):
        question = {"ask": "repeats", "databases": self.databases_asked()}
        if self.often(.15):
            return {**question, "summary": True, **self.filters()}
        if self.often(.25):
            question[self.pick("rule50", "rule75")] = True
        else:
            question |= self.pick({}, {"min": 2}, {"min": 4}, {"fivefold": True}, {"perpetual": True})
            question |= self.maybe(.2, {"fen": self.position()[0]})
        question |= self.pick({}, {}, {"claims": True}, {"missed": True})
        return {**question, **self.filters(), **self.page(*self.GAME_ORDERS)}

    def games(self):
        return {"ask": "games", "databases": self.databases_asked(False), **self.filters(),
                **self.page(*self.GAME_ORDERS)}

    def openings(self):
        return {"ask": "openings", "databases": [self.pick(*self.databases)], **self.filters(),
                **self.maybe(.5, {"sort": self.pick("games", "eco")}), **self.page()}

    def events(self):
        return {"ask": "events", "databases": self.databases_asked(clusters=False), **self.filters(),
                **self.maybe(.7, {"sort": self.pick("games", "name", "date", "players", "rating")}),
                **self.page()}

    def players(self):
        question = {"ask": "players", "databases": self.databases_asked(clusters=False)}
        if self.often(.7):
            name = self.value_of_game("white", "black")
            question["name"] = name if self.often(.6) else self.words(name)
            question |= self.maybe(.3, {"against": self.words(self.value_of_game("white", "black"))})
            question |= self.maybe(.3, {"together": True})
        return {**question, **self.filters(("player", "opponent")),
                **self.maybe(.5, {"limit": self.random.randint(1, 30)})}

    def prepare(self):
        return {"ask": "prepare", "databases": [self.pick(*self.databases)],
                "name": self.value_of_game("white", "black"), "color": self.pick("white", "black"),
                **self.filters(("player", "opponent", "white", "black", "variant"))}

    def novelty(self):
        question = {"ask": "novelty", "databases": self.databases_asked(clusters=False),
                    "file": self.pick("round.pgn", "other.pgn")}
        if self.often(.3):
            return {**question, "annotate": True}
        return {**question, **self.maybe(.3, {"variations": True}),
                **self.filters(("player", "variant")), **self.page()}

    def repertoire(self):
        question = {"ask": "repertoire", "databases": self.databases_asked(clusters=False),
                    "file": "repertoire.txt", "color": self.pick("white", "black")}
        lists = self.pick({}, {}, {"gaps": True}, {"gaps": True, "min-games": 2}, {"contradictions": True},
                          {"coverage": True})
        if not lists and self.often(.4):
            lists = {"sort": self.pick("date", "elo", "plies")}
        if "gaps" not in lists and "contradictions" not in lists:
            lists |= self.maybe(.3, {"left-by": self.pick("player", "opponent", "nobody")})
        return {**question, **lists, **self.filters(("white", "black", "variant")), **self.page()}

    def show(self):
        first = self.random.randint(1, 120)
        return {"ask": "show", "databases": self.databases_asked(False),
                "games": self.pick(f"{first}", f"{first}-{first + 5}"),
                **self.maybe(.4, {"plies": True})}

    def board(self):
        return {"ask": "show", "databases": self.databases_asked(False),
                "games": self.random.randint(1, 120), "board": True, "ply": self.random.randint(0, 60)}

    def export(self):
        kind = self.pick("pgn", "pgn", "epd", "fen", "json", "csv")
        return {"ask": "export", "databases": self.databases_asked(False), "format": kind,
                **({"rows": self.pick("games", "plies", "positions")} if kind in ("json", "csv") else {}),
                **({"max-ply": self.random.randint(1, 12)} if kind in ("epd", "fen") else {}),
                **self.maybe(.3, {"moves": self.line()}),
                **self.maybe(.2, {"sample": self.random.randint(1, 40), "seed": 7}),
                "limit": self.random.randint(1, 30), **self.filters()}

    READING = ("find",) * 6 + ("tree",) * 5 + ("repeats",) * 4 + (
        "games", "games", "openings", "events", "players", "players", "prepare", "novelty", "repertoire",
        "show")

    def question(self, verbs=READING):
        return getattr(self, self.pick(*verbs))()

    def command(self):
        question = self.question(self.READING + ("board", "export", "export"))
        formats = formats_of(question)
        return words_of(question) + (["--format", self.pick(*formats)] if formats else [])

    def route_value(self, name, path):
        fen, variant = self.position()
        own = {
            "fen": lambda: fen, "moves": self.line, "play": lambda: "e2e4,c7c5",
            "limit": lambda: self.random.randint(1, 40), "offset": lambda: self.random.randint(0, 9),
            "sort": lambda: self.pick("id", "date", "elo", "plies"),
            "match": lambda: self.pick("exact", "board", "mirrored"),
            "dialect": lambda: self.pick("standard", "xfen", "shredder"),
            "move": lambda: self.pick(*MOVES), "then": lambda: self.pick(*STEPS),
            "within": lambda: self.random.randint(1, 30),
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
            value = self.route_value(name, path)
            if parameter["in"] == "path":
                path = path.replace("{" + name + "}", urllib.parse.quote(str(value), safe=""))
            else:
                chosen += [(name, str(each)) for each in values_of(value)]
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
        question = self.question(("find", "find", "find", "tree", "repeats", "games", "show"))
        return {name: value for name, value in library_question(question).items()
                if name in LIBRARY_MEMBERS}


def values_of(value):
    return value if isinstance(value, list) else [value]


REPERTOIRE_LISTS = ("gaps", "contradictions", "coverage")
# What a verb takes without the name of an option.
PLACED = {"find": "fen", "tree": "fen", "players": "name", "prepare": "name", "novelty": "file",
          "repertoire": "file", "show": "games"}


def words_of(question):
    """The words of a question on the command line."""
    placed = PLACED.get(question["ask"])
    words = [question["ask"], *question["databases"]]
    words += [str(question[placed])] if placed in question else []
    for name, value in question.items():
        if name not in ("ask", "databases", placed):
            for each in values_of(value):
                words += ["--" + name] if each is True else ["--" + name, str(each)]
    return words


def formats_of(question):
    """The formats that the command line has for the answer."""
    ask = question["ask"]
    if {"annotate", "board", "format"} & set(question):
        return ()
    if ask == "prepare" or "summary" in question or (ask == "players" and "name" in question):
        return ("table", "json")
    if ask in ("find", "games") and "count" not in question:
        return ("table", "json", "csv", "pgn")
    if ask == "show" and "plies" not in question:
        return ("table", "json", "pgn")
    return ("table", "json", "csv")


LIBRARY_MEMBERS = {"ask", "fen", "moves", "variant", "match", "variations", "min", "missed", "claims",
                   "perpetual", "sort", "limit", "offset", "game", "tags",
                   *(name.replace("-", "_") for name in Maker.FILTERS)}


def library_question(question):
    """The question as the members that the C interface and Python take."""
    is_number = re.compile("(min|max)-(elo|plies|games)").fullmatch
    members = {name.replace("-", "_"): int(value) if is_number(name) else value
               for name, value in question.items() if name not in ("databases", "count")}
    if "count" in question:
        members["ask"] = "count"
    if "tag" in members:
        name, value = members.pop("tag").split("=", 1)
        members["tags"] = {name: value}
    if question["ask"] == "repertoire":
        for each in REPERTOIRE_LISTS:
            if members.pop(each, False):
                members["ask"] = "repertoire_" + each
    if question["ask"] == "show":
        members["ask"] = "plies" if members.pop("plies", False) else "game"
        members["game"] = int(members.pop("games").split("-")[0])
    return members


def draw(maker, routes, servers, count):
    questions = []
    for number in range(count):
        share = number % 10
        if share < 6:
            questions.append({"kind": "command", "words": maker.command()})
        elif share < 8:
            path, accept = maker.route(routes)
            question = {"kind": "http", "server": number // 10 % servers, "path": path,
                        "accept": accept}
            if path.startswith(("/api/v1/novelty", "/api/v1/repertoire")):
                question["body"] = "round.pgn"
            questions.append(question)
        else:
            questions.append({"kind": "c", "database": maker.pick(*maker.databases),
                              "question": maker.c_question()})
    return questions
