"""fendex from Python: asks a fendex database about positions, games and repetitions.

This one file is the whole module: copy it where your program is, or install the wheel, which has the
library too. It calls the shared library libfendex through ctypes, so it needs no compiler; pandas is
needed only for to_frame(). The library is taken from $FENDEX_LIBRARY, else from beside this file,
else from a build directory of the project that this file is in, else from where the system keeps its
libraries.

The examples ask the database that fendex.import_games("my.db", "samples/") makes, as the program's
"fendex import my.db samples/" does.

>>> import fendex
>>> db = fendex.open("my.db")
>>> db.count(moves="1.e4 e5 2.Nf3 Nc6 3.Bb5")
{'games': 16, 'occurrences': 16}

Lists are iterators of dicts, with the names that the program prints with --format json. An answer
is found when it is fetched, so the first one comes at once, however many there are.

>>> for game in db.find(moves="1.e4 e5 2.f4", result="1-0"):
...     print(game["white"], "-", game["black"], game["date"], "ply", game["ply"], "then", game["san"])
Anderssen, Adolf - Kieseritzky, Lionel 1851.06.21 ply 3 then exf4

Filters are those of the program, with _ for -.

>>> [game["black"] for game in db.games(white="capablanca", sort="date")]
['Tartakower, Savielly', 'Marshall, Frank James', 'Lasker, Emanuel']
>>> db.game(1)["tags"]["Event"]
'Casual game'
>>> [ply["san"] for ply in db.plies(1)][:4]
[None, 'e4', 'e5', 'f4']
>>> [(move["san"], move["games"]) for move in db.tree(moves="1.d4 Nf6 2.c4 e6")["moves"]][:2]
[('Nc3', 11), ('Nf3', 4)]
>>> next(db.repeats(player="levenfish", min=5))["plies"]
[59, 63, 67, 71, 75, 79, 83]

>>> [(player["name"], player["games"]) for player in db.players(limit=2)]
[('Almasi,Z', 11), ('Carlsen,M', 11)]
>>> db.player("Carlsen,M")["white"]["games"]
5
>>> next(db.openings(player="capablanca"))["opening"]
'Horwitz Defense'
>>> next(db.novelty("1.e4 e5 2.Ke2 *"))["novelty"]["san"]
'Ke2'
>>> next(db.sql("SELECT count(*) AS games FROM games WHERE result = '1-0'"))
{'games': 43}
>>> print(db.pgn(1).splitlines()[0])
[Event "Casual game"]

Errors are exceptions; fendex.Error is the base of all.

>>> db.count(fen="no position")
Traceback (most recent call last):
    ...
fendex.QuestionError: ...
>>> db.game(1_000_000)
Traceback (most recent call last):
    ...
fendex.AbsentError: ...

A database closes at the end of a with statement, or when nobody has it any more.

>>> with fendex.open("my.db") as other:
...     len(list(other.games(min_plies=300)))
1

Threads: a database may be asked by several threads at once. The answers to one question may be
fetched by any thread; cancel() ends them from another one, within a second.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import datetime
import glob
import importlib
import json
import os
import threading
from typing import (
    Any, Callable, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, TypeVar,
    Union,
)

__all__ = [
    "open", "import_games", "Database", "Answers", "Tree", "Error", "AbsentError", "BusyError", "DamagedError",
    "NotADatabaseError", "FormatError", "QuestionError", "StoppedError", "SystemFailure", "ImportFailure",
]


Date = Union[str, int, datetime.date]  # "2004-11", a year as a number
Value = Union[Date, bool, Mapping[str, str], Sequence[str], None]
Answer = Dict[str, Any]


class Error(Exception):
    """The base of all errors."""


class AbsentError(Error, LookupError):
    """There is no such database or game."""


class BusyError(Error):
    """Another process has locked the database."""


class DamagedError(Error):
    """The database is damaged."""


class NotADatabaseError(Error):
    """The file is something else."""


class FormatError(Error):
    """The database needs a newer fendex, or an upgrade."""


class QuestionError(Error, ValueError):
    """The question cannot be understood."""


class StoppedError(Error):
    """The question was cancelled."""


class SystemFailure(Error, OSError):
    """The disk, memory, permissions, or the library failed."""


class ImportFailure(Error):
    """Nothing could be imported from an input."""


# By enum fendex_error_kind.
_ERRORS: List[type[Error]] = [
    SystemFailure, AbsentError, BusyError, DamagedError, NotADatabaseError, FormatError,
    QuestionError, StoppedError, SystemFailure, ImportFailure,
]

_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)

_NAMES = ("libfendex.so.0", "libfendex.so", "libfendex.0.dylib", "libfendex.dylib")


def _candidates() -> List[str]:
    """Returns the places of the library, in the order in which they are tried."""
    named = os.environ.get("FENDEX_LIBRARY")
    if named:
        return [named]
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.path.join(here, name) for name in _NAMES]
    project = os.path.dirname(os.path.dirname(here))
    if os.path.exists(os.path.join(project, "src", "fendex", "fendex.h")):
        built = [
            path
            for name in _NAMES
            for path in glob.glob(os.path.join(project, "build*", "src", name))
        ]
        places += sorted(built, key=os.path.getmtime, reverse=True)
    found = [path for path in places if os.path.exists(path)]
    installed = ctypes.util.find_library("fendex")
    return found + ([installed] if installed else []) + list(_NAMES)


def _load() -> ctypes.CDLL:
    tried = []
    for name in _candidates():
        try:
            library = ctypes.CDLL(name)
            library.fendex_query  # The extension for SQLite, fendex.so, has another interface.
        except (OSError, AttributeError) as error:
            tried.append(f"{name}: {error}")
            continue
        pointer, text = ctypes.c_void_p, ctypes.c_char_p
        for function, result, arguments in (
            ("open", pointer, [text]),
            ("query", pointer, [pointer, text]),
            ("next", text, [pointer]),
            ("cancel", None, [pointer]),
            ("error", text, []),
            ("error_kind", ctypes.c_int, []),
            ("end", None, [pointer]),
            ("close", None, [pointer]),
            ("import", text, [text, text, _PROGRESS, pointer]),
        ):
            called = getattr(library, "fendex_" + function)
            called.restype, called.argtypes = result, arguments
        return library
    raise SystemFailure(
        "the library libfendex is not found; set FENDEX_LIBRARY to its path. Tried: "
        + "; ".join(tried)
    )


_library: Optional[ctypes.CDLL] = None
_library_lock = threading.Lock()


def _lib() -> ctypes.CDLL:
    global _library
    with _library_lock:
        if _library is None:
            _library = _load()
        return _library


def _raise_error(library: ctypes.CDLL) -> None:
    """Raises the error of the last call in this thread, if it failed."""
    message = library.fendex_error()
    if message is None:
        return
    kind = library.fendex_error_kind()
    error = _ERRORS[kind] if 0 <= kind < len(_ERRORS) else Error
    raise error(message.decode("utf-8", "replace"))


def import_games(
    path: Union[str, bytes, os.PathLike[str]],
    *inputs: Union[str, os.PathLike[str]],
    threads: Optional[int] = None, memory: Optional[int] = None,
    annotations: Optional[bool] = None, variations: Optional[bool] = None,
    skip_duplicates: Optional[bool] = None, strict: Optional[bool] = None,
    ply_rows: Optional[bool] = None,
    progress: Optional[Callable[[Answer], Optional[bool]]] = None,
) -> Answer:
    """Imports PGN archives and folders into a database, which is made if it is absent.

    Returns what was stored: games, plies, errors ... Calls progress from time to time with bytes,
    total_bytes and games; if it returns False, the import ends with StoppedError, and continues when
    it is called again.
    """
    library = _lib()
    request = {
        name: value
        for name, value in (
            ("inputs", [os.fspath(each) for each in inputs]), ("threads", threads),
            ("memory", memory), ("annotations", annotations), ("variations", variations),
            ("skip_duplicates", skip_duplicates), ("strict", strict), ("ply_rows", ply_rows),
        )
        if value is not None
    }
    raised: List[BaseException] = []

    def report(_: object, text: bytes) -> int:
        if progress is None:
            return 0
        try:
            return 1 if progress(json.loads(text)) is False else 0
        except BaseException as error:  # no exception may pass through C
            raised.append(error)
            return 1

    text = library.fendex_import(
        os.fsencode(path), json.dumps(request).encode(), _PROGRESS(report), None
    )
    if raised:
        raise raised[0]
    if text is None:
        _raise_error(library)
    imported: Answer = json.loads(text)
    return imported


def open(path: Union[str, bytes, os.PathLike[str]]) -> Database:
    """Opens a database for reading and returns it as a Database."""
    return Database(path)


_Self = TypeVar("_Self", bound="_Closing")


class _Closing:
    """What is closed at the end of a with statement, or when nobody uses it any more."""

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        raise NotImplementedError

    def __del__(self) -> None:
        self.close()


class Database(_Closing):
    """A database, opened for reading. Several threads may use it at once.

    Questions take a FEN in any dialect, or what people paste instead of one; moves are played from
    it, or from the start. Filters are those of the program's options of the same names; opponent is
    that of player, tags a dict.
    """

    def __init__(self, path: Union[str, bytes, os.PathLike[str]]) -> None:
        self._handle: Optional[int] = None
        self._lock = threading.Lock()
        self._library = _lib()
        self._handle = self._library.fendex_open(os.fsencode(path))
        _raise_error(self._library)

    def close(self) -> None:
        """Closes the database. Answers that are open stay usable."""
        with self._lock:
            handle, self._handle = self._handle, None
        if handle is not None:
            self._library.fendex_close(handle)

    # Written by tests/fendex/python_methods.py from what the library says of its questions.

    def find(
        self, fen: Optional[str] = None, *, play: Optional[str] = None,
        moves: Optional[str] = None, variant: Optional[str] = None,
        key: Optional[str] = None, pattern: Optional[str] = None,
        material: Optional[str] = None, move: Optional[str] = None,
        then: Optional[Sequence[str]] = None, within: Optional[int] = None,
        streak: Optional[bool] = None, either_side: Optional[bool] = None,
        variations: Optional[bool] = None,
        match: Optional[Literal["exact", "board", "mirrored"]] = None,
        eval: Optional[str] = None,
        sort: Optional[Literal["id", "date", "elo", "plies"]] = None,
        limit: Optional[int] = None, offset: Optional[int] = None,
        white: Optional[str] = None, black: Optional[str] = None,
        player: Optional[str] = None, opponent: Optional[str] = None,
        event: Optional[str] = None, site: Optional[str] = None,
        eco: Optional[str] = None, opening: Optional[str] = None,
        opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answers:
        """The games that reached a position, a pattern or material, or have a sequence of
        steps."""
        return self._ask(
            "find", fen=fen, play=play, moves=moves, variant=variant, key=key,
            pattern=pattern, material=material, move=move, then=then, within=within,
            streak=streak, either_side=either_side, variations=variations, match=match,
            eval=eval, sort=sort, limit=limit, offset=offset, white=white, black=black,
            player=player, opponent=opponent, event=event, site=site, eco=eco,
            opening=opening, opening_eco=opening_eco, result=result, since=since,
            until=until, min_elo=min_elo, max_elo=max_elo, white_elo=white_elo,
            black_elo=black_elo, time_control=time_control, mode=mode,
            termination=termination, min_plies=min_plies, max_plies=max_plies,
            swing=swing, white_swing=white_swing, black_swing=black_swing, source=source,
            tags=tags
        )

    def count(
        self, fen: Optional[str] = None, *, play: Optional[str] = None,
        moves: Optional[str] = None, variant: Optional[str] = None,
        key: Optional[str] = None, pattern: Optional[str] = None,
        material: Optional[str] = None, move: Optional[str] = None,
        then: Optional[Sequence[str]] = None, within: Optional[int] = None,
        streak: Optional[bool] = None, either_side: Optional[bool] = None,
        variations: Optional[bool] = None,
        match: Optional[Literal["exact", "board", "mirrored"]] = None,
        eval: Optional[str] = None, verify: Optional[bool] = None,
        white: Optional[str] = None, black: Optional[str] = None,
        player: Optional[str] = None, opponent: Optional[str] = None,
        event: Optional[str] = None, site: Optional[str] = None,
        eco: Optional[str] = None, opening: Optional[str] = None,
        opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answer:
        """How many games reached a position, a pattern or material, and how often."""
        return self._only(
            "count", fen=fen, play=play, moves=moves, variant=variant, key=key,
            pattern=pattern, material=material, move=move, then=then, within=within,
            streak=streak, either_side=either_side, variations=variations, match=match,
            eval=eval, verify=verify, white=white, black=black, player=player,
            opponent=opponent, event=event, site=site, eco=eco, opening=opening,
            opening_eco=opening_eco, result=result, since=since, until=until,
            min_elo=min_elo, max_elo=max_elo, white_elo=white_elo, black_elo=black_elo,
            time_control=time_control, mode=mode, termination=termination,
            min_plies=min_plies, max_plies=max_plies, swing=swing,
            white_swing=white_swing, black_swing=black_swing, source=source, tags=tags
        )

    def tree(
        self, fen: Optional[str] = None, *, play: Optional[str] = None,
        moves: Optional[str] = None, variant: Optional[str] = None,
        match: Optional[Literal["exact", "board", "mirrored"]] = None,
        variations: Optional[bool] = None, min_games: Optional[int] = None,
        limit: Optional[int] = None, sort: Optional[Literal["games", "eval"]] = None,
        dialect: Optional[Literal["standard", "legal", "xfen", "shredder"]] = None,
        white: Optional[str] = None, black: Optional[str] = None,
        player: Optional[str] = None, opponent: Optional[str] = None,
        event: Optional[str] = None, site: Optional[str] = None,
        eco: Optional[str] = None, opening: Optional[str] = None,
        opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Tree:
        """What was played from a position, with results."""
        return Tree(self._only(
            "tree", fen=fen, play=play, moves=moves, variant=variant, match=match,
            variations=variations, min_games=min_games, limit=limit, sort=sort,
            dialect=dialect, white=white, black=black, player=player, opponent=opponent,
            event=event, site=site, eco=eco, opening=opening, opening_eco=opening_eco,
            result=result, since=since, until=until, min_elo=min_elo, max_elo=max_elo,
            white_elo=white_elo, black_elo=black_elo, time_control=time_control,
            mode=mode, termination=termination, min_plies=min_plies, max_plies=max_plies,
            swing=swing, white_swing=white_swing, black_swing=black_swing, source=source,
            tags=tags
        ))

    def repeats(
        self, fen: Optional[str] = None, *, play: Optional[str] = None,
        moves: Optional[str] = None, variant: Optional[str] = None,
        min: Optional[int] = None, game: Optional[int] = None,
        missed: Optional[bool] = None, perpetual: Optional[bool] = None,
        fivefold: Optional[bool] = None, rule50: Optional[bool] = None,
        rule75: Optional[bool] = None, claims: Optional[bool] = None,
        dialect: Optional[Literal["standard", "legal", "xfen", "shredder"]] = None,
        sort: Optional[Literal["id", "date", "elo", "plies"]] = None,
        limit: Optional[int] = None, offset: Optional[int] = None,
        white: Optional[str] = None, black: Optional[str] = None,
        player: Optional[str] = None, opponent: Optional[str] = None,
        event: Optional[str] = None, site: Optional[str] = None,
        eco: Optional[str] = None, opening: Optional[str] = None,
        opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answers:
        """The positions that games repeated, or long runs without capture and pawn move,
        and missed claims."""
        return self._ask(
            "repeats", fen=fen, play=play, moves=moves, variant=variant, min=min,
            game=game, missed=missed, perpetual=perpetual, fivefold=fivefold,
            rule50=rule50, rule75=rule75, claims=claims, dialect=dialect, sort=sort,
            limit=limit, offset=offset, white=white, black=black, player=player,
            opponent=opponent, event=event, site=site, eco=eco, opening=opening,
            opening_eco=opening_eco, result=result, since=since, until=until,
            min_elo=min_elo, max_elo=max_elo, white_elo=white_elo, black_elo=black_elo,
            time_control=time_control, mode=mode, termination=termination,
            min_plies=min_plies, max_plies=max_plies, swing=swing,
            white_swing=white_swing, black_swing=black_swing, source=source, tags=tags
        )

    def games(
        self, *, sort: Optional[Literal["id", "date", "elo", "plies"]] = None,
        limit: Optional[int] = None, offset: Optional[int] = None,
        white: Optional[str] = None, black: Optional[str] = None,
        player: Optional[str] = None, opponent: Optional[str] = None,
        event: Optional[str] = None, site: Optional[str] = None,
        eco: Optional[str] = None, opening: Optional[str] = None,
        opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None, variant: Optional[str] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answers:
        """Games by player, event, date, rating, result and more."""
        return self._ask(
            "games", sort=sort, limit=limit, offset=offset, white=white, black=black,
            player=player, opponent=opponent, event=event, site=site, eco=eco,
            opening=opening, opening_eco=opening_eco, result=result, since=since,
            until=until, min_elo=min_elo, max_elo=max_elo, white_elo=white_elo,
            black_elo=black_elo, time_control=time_control, mode=mode, variant=variant,
            termination=termination, min_plies=min_plies, max_plies=max_plies,
            swing=swing, white_swing=white_swing, black_swing=black_swing, source=source,
            tags=tags
        )

    def count_games(
        self, *, white: Optional[str] = None, black: Optional[str] = None,
        player: Optional[str] = None, opponent: Optional[str] = None,
        event: Optional[str] = None, site: Optional[str] = None,
        eco: Optional[str] = None, opening: Optional[str] = None,
        opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None, variant: Optional[str] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answer:
        """How many games fit."""
        return self._only(
            "count_games", white=white, black=black, player=player, opponent=opponent,
            event=event, site=site, eco=eco, opening=opening, opening_eco=opening_eco,
            result=result, since=since, until=until, min_elo=min_elo, max_elo=max_elo,
            white_elo=white_elo, black_elo=black_elo, time_control=time_control,
            mode=mode, variant=variant, termination=termination, min_plies=min_plies,
            max_plies=max_plies, swing=swing, white_swing=white_swing,
            black_swing=black_swing, source=source, tags=tags
        )

    def evals(
        self, *, fen: Optional[str] = None, play: Optional[str] = None,
        moves: Optional[str] = None, variant: Optional[str] = None,
        dialect: Optional[Literal["standard", "legal", "xfen", "shredder"]] = None,
    ) -> Answer:
        """What engines said of a position: score, depth and variations."""
        return self._only(
            "evals", fen=fen, play=play, moves=moves, variant=variant, dialect=dialect
        )

    def plies(
        self, game: Optional[int] = None, *, columns: Optional[str] = None,
        dialect: Optional[Literal["standard", "legal", "xfen", "shredder"]] = None,
        limit: Optional[int] = None, offset: Optional[int] = None,
        white: Optional[str] = None, black: Optional[str] = None,
        player: Optional[str] = None, opponent: Optional[str] = None,
        event: Optional[str] = None, site: Optional[str] = None,
        eco: Optional[str] = None, opening: Optional[str] = None,
        opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None, variant: Optional[str] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answers:
        """Every ply of one game, or of all games that fit, the start included."""
        return self._ask(
            "plies", game=game, columns=columns, dialect=dialect, limit=limit,
            offset=offset, white=white, black=black, player=player, opponent=opponent,
            event=event, site=site, eco=eco, opening=opening, opening_eco=opening_eco,
            result=result, since=since, until=until, min_elo=min_elo, max_elo=max_elo,
            white_elo=white_elo, black_elo=black_elo, time_control=time_control,
            mode=mode, variant=variant, termination=termination, min_plies=min_plies,
            max_plies=max_plies, swing=swing, white_swing=white_swing,
            black_swing=black_swing, source=source, tags=tags
        )

    def positions(
        self, *, min_games: Optional[int] = None, max_ply: Optional[int] = None,
        dialect: Optional[Literal["standard", "legal", "xfen", "shredder"]] = None,
        limit: Optional[int] = None, offset: Optional[int] = None,
        white: Optional[str] = None, black: Optional[str] = None,
        player: Optional[str] = None, opponent: Optional[str] = None,
        event: Optional[str] = None, site: Optional[str] = None,
        eco: Optional[str] = None, opening: Optional[str] = None,
        opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None, variant: Optional[str] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answers:
        """Each position that games reached, with how many reached it and how they
        ended."""
        return self._ask(
            "positions", min_games=min_games, max_ply=max_ply, dialect=dialect,
            limit=limit, offset=offset, white=white, black=black, player=player,
            opponent=opponent, event=event, site=site, eco=eco, opening=opening,
            opening_eco=opening_eco, result=result, since=since, until=until,
            min_elo=min_elo, max_elo=max_elo, white_elo=white_elo, black_elo=black_elo,
            time_control=time_control, mode=mode, variant=variant,
            termination=termination, min_plies=min_plies, max_plies=max_plies,
            swing=swing, white_swing=white_swing, black_swing=black_swing, source=source,
            tags=tags
        )

    def players(
        self, *, prefix: Optional[str] = None, limit: Optional[int] = None,
        offset: Optional[int] = None, white: Optional[str] = None,
        black: Optional[str] = None, player: Optional[str] = None,
        opponent: Optional[str] = None, event: Optional[str] = None,
        site: Optional[str] = None, eco: Optional[str] = None,
        opening: Optional[str] = None, opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None, variant: Optional[str] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answers:
        """The players and their numbers of games, those with most games first."""
        return self._ask(
            "players", prefix=prefix, limit=limit, offset=offset, white=white,
            black=black, player=player, opponent=opponent, event=event, site=site,
            eco=eco, opening=opening, opening_eco=opening_eco, result=result, since=since,
            until=until, min_elo=min_elo, max_elo=max_elo, white_elo=white_elo,
            black_elo=black_elo, time_control=time_control, mode=mode, variant=variant,
            termination=termination, min_plies=min_plies, max_plies=max_plies,
            swing=swing, white_swing=white_swing, black_swing=black_swing, source=source,
            tags=tags
        )

    def alike(
        self, *, limit: Optional[int] = None, offset: Optional[int] = None,
        white: Optional[str] = None, black: Optional[str] = None,
        player: Optional[str] = None, opponent: Optional[str] = None,
        event: Optional[str] = None, site: Optional[str] = None,
        eco: Optional[str] = None, opening: Optional[str] = None,
        opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None, variant: Optional[str] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answers:
        """Names that a filter on players leaves out, but may be the same players'."""
        return self._ask(
            "alike", limit=limit, offset=offset, white=white, black=black, player=player,
            opponent=opponent, event=event, site=site, eco=eco, opening=opening,
            opening_eco=opening_eco, result=result, since=since, until=until,
            min_elo=min_elo, max_elo=max_elo, white_elo=white_elo, black_elo=black_elo,
            time_control=time_control, mode=mode, variant=variant,
            termination=termination, min_plies=min_plies, max_plies=max_plies,
            swing=swing, white_swing=white_swing, black_swing=black_swing, source=source,
            tags=tags
        )

    def names(
        self, *, limit: Optional[int] = None, offset: Optional[int] = None,
    ) -> Answers:
        """Pairs of names that probably are one player."""
        return self._ask(
            "names", limit=limit, offset=offset
        )

    def joined_names(
        self, *, limit: Optional[int] = None, offset: Optional[int] = None,
    ) -> Answers:
        """The names that are joined, of players, events and sites."""
        return self._ask(
            "joined_names", limit=limit, offset=offset
        )

    def player(
        self, name: str, *, against: Optional[str] = None,
        together: Optional[bool] = None, white: Optional[str] = None,
        black: Optional[str] = None, player: Optional[str] = None,
        opponent: Optional[str] = None, event: Optional[str] = None,
        site: Optional[str] = None, eco: Optional[str] = None,
        opening: Optional[str] = None, opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None, variant: Optional[str] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answer:
        """A player's score by colour, year and opponents, ratings and openings."""
        return self._only(
            "player", name=name, against=against, together=together, white=white,
            black=black, player=player, opponent=opponent, event=event, site=site,
            eco=eco, opening=opening, opening_eco=opening_eco, result=result, since=since,
            until=until, min_elo=min_elo, max_elo=max_elo, white_elo=white_elo,
            black_elo=black_elo, time_control=time_control, mode=mode, variant=variant,
            termination=termination, min_plies=min_plies, max_plies=max_plies,
            swing=swing, white_swing=white_swing, black_swing=black_swing, source=source,
            tags=tags
        )

    def prepare(
        self, name: str, color: Literal["white", "black"], *,
        together: Optional[bool] = None, white: Optional[str] = None,
        black: Optional[str] = None, player: Optional[str] = None,
        opponent: Optional[str] = None, event: Optional[str] = None,
        site: Optional[str] = None, eco: Optional[str] = None,
        opening: Optional[str] = None, opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None, variant: Optional[str] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answer:
        """What a player plays with a colour, and where the results are worst."""
        return self._only(
            "prepare", name=name, color=color, together=together, white=white,
            black=black, player=player, opponent=opponent, event=event, site=site,
            eco=eco, opening=opening, opening_eco=opening_eco, result=result, since=since,
            until=until, min_elo=min_elo, max_elo=max_elo, white_elo=white_elo,
            black_elo=black_elo, time_control=time_control, mode=mode, variant=variant,
            termination=termination, min_plies=min_plies, max_plies=max_plies,
            swing=swing, white_swing=white_swing, black_swing=black_swing, source=source,
            tags=tags
        )

    def openings(
        self, *, sort: Optional[Literal["games", "eco"]] = None,
        limit: Optional[int] = None, offset: Optional[int] = None,
        white: Optional[str] = None, black: Optional[str] = None,
        player: Optional[str] = None, opponent: Optional[str] = None,
        event: Optional[str] = None, site: Optional[str] = None,
        eco: Optional[str] = None, opening: Optional[str] = None,
        opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None, variant: Optional[str] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answers:
        """The openings of games, by their moves, with results."""
        return self._ask(
            "openings", sort=sort, limit=limit, offset=offset, white=white, black=black,
            player=player, opponent=opponent, event=event, site=site, eco=eco,
            opening=opening, opening_eco=opening_eco, result=result, since=since,
            until=until, min_elo=min_elo, max_elo=max_elo, white_elo=white_elo,
            black_elo=black_elo, time_control=time_control, mode=mode, variant=variant,
            termination=termination, min_plies=min_plies, max_plies=max_plies,
            swing=swing, white_swing=white_swing, black_swing=black_swing, source=source,
            tags=tags
        )

    def events(
        self, *,
        sort: Optional[Literal["games", "name", "date", "players", "rating"]] = None,
        limit: Optional[int] = None, offset: Optional[int] = None,
        white: Optional[str] = None, black: Optional[str] = None,
        player: Optional[str] = None, opponent: Optional[str] = None,
        event: Optional[str] = None, site: Optional[str] = None,
        eco: Optional[str] = None, opening: Optional[str] = None,
        opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None, variant: Optional[str] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answers:
        """The events of games, with their players and years."""
        return self._ask(
            "events", sort=sort, limit=limit, offset=offset, white=white, black=black,
            player=player, opponent=opponent, event=event, site=site, eco=eco,
            opening=opening, opening_eco=opening_eco, result=result, since=since,
            until=until, min_elo=min_elo, max_elo=max_elo, white_elo=white_elo,
            black_elo=black_elo, time_control=time_control, mode=mode, variant=variant,
            termination=termination, min_plies=min_plies, max_plies=max_plies,
            swing=swing, white_swing=white_swing, black_swing=black_swing, source=source,
            tags=tags
        )

    def novelty(
        self, pgn: str, *, variations: Optional[bool] = None,
        dialect: Optional[Literal["standard", "legal", "xfen", "shredder"]] = None,
        limit: Optional[int] = None, offset: Optional[int] = None,
        white: Optional[str] = None, black: Optional[str] = None,
        player: Optional[str] = None, opponent: Optional[str] = None,
        event: Optional[str] = None, site: Optional[str] = None,
        eco: Optional[str] = None, opening: Optional[str] = None,
        opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None, variant: Optional[str] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answers:
        """For each game of a PGN text, the last position that earlier games reached, and
        the move that was new there."""
        return self._ask(
            "novelty", pgn=pgn, variations=variations, dialect=dialect, limit=limit,
            offset=offset, white=white, black=black, player=player, opponent=opponent,
            event=event, site=site, eco=eco, opening=opening, opening_eco=opening_eco,
            result=result, since=since, until=until, min_elo=min_elo, max_elo=max_elo,
            white_elo=white_elo, black_elo=black_elo, time_control=time_control,
            mode=mode, variant=variant, termination=termination, min_plies=min_plies,
            max_plies=max_plies, swing=swing, white_swing=white_swing,
            black_swing=black_swing, source=source, tags=tags
        )

    def repertoire(
        self, pgn: str, color: Literal["white", "black"], *,
        left_by: Optional[Literal["player", "opponent", "nobody"]] = None,
        sort: Optional[Literal["id", "date", "elo", "plies"]] = None,
        dialect: Optional[Literal["standard", "legal", "xfen", "shredder"]] = None,
        limit: Optional[int] = None, offset: Optional[int] = None,
        white: Optional[str] = None, black: Optional[str] = None,
        player: Optional[str] = None, opponent: Optional[str] = None,
        event: Optional[str] = None, site: Optional[str] = None,
        eco: Optional[str] = None, opening: Optional[str] = None,
        opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None, variant: Optional[str] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answers:
        """Where games left the lines of a repertoire, and who left them."""
        return self._ask(
            "repertoire", pgn=pgn, color=color, left_by=left_by, sort=sort,
            dialect=dialect, limit=limit, offset=offset, white=white, black=black,
            player=player, opponent=opponent, event=event, site=site, eco=eco,
            opening=opening, opening_eco=opening_eco, result=result, since=since,
            until=until, min_elo=min_elo, max_elo=max_elo, white_elo=white_elo,
            black_elo=black_elo, time_control=time_control, mode=mode, variant=variant,
            termination=termination, min_plies=min_plies, max_plies=max_plies,
            swing=swing, white_swing=white_swing, black_swing=black_swing, source=source,
            tags=tags
        )

    def repertoire_gaps(
        self, pgn: str, color: Literal["white", "black"], *,
        min_games: Optional[int] = None,
        dialect: Optional[Literal["standard", "legal", "xfen", "shredder"]] = None,
        limit: Optional[int] = None, offset: Optional[int] = None,
        white: Optional[str] = None, black: Optional[str] = None,
        player: Optional[str] = None, opponent: Optional[str] = None,
        event: Optional[str] = None, site: Optional[str] = None,
        eco: Optional[str] = None, opening: Optional[str] = None,
        opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None, variant: Optional[str] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answers:
        """Replies of opponents that the lines of a repertoire do not have, the most
        likely first."""
        return self._ask(
            "repertoire_gaps", pgn=pgn, color=color, min_games=min_games, dialect=dialect,
            limit=limit, offset=offset, white=white, black=black, player=player,
            opponent=opponent, event=event, site=site, eco=eco, opening=opening,
            opening_eco=opening_eco, result=result, since=since, until=until,
            min_elo=min_elo, max_elo=max_elo, white_elo=white_elo, black_elo=black_elo,
            time_control=time_control, mode=mode, variant=variant,
            termination=termination, min_plies=min_plies, max_plies=max_plies,
            swing=swing, white_swing=white_swing, black_swing=black_swing, source=source,
            tags=tags
        )

    def repertoire_coverage(
        self, pgn: str, color: Literal["white", "black"], *,
        dialect: Optional[Literal["standard", "legal", "xfen", "shredder"]] = None,
        limit: Optional[int] = None, offset: Optional[int] = None,
        white: Optional[str] = None, black: Optional[str] = None,
        player: Optional[str] = None, opponent: Optional[str] = None,
        event: Optional[str] = None, site: Optional[str] = None,
        eco: Optional[str] = None, opening: Optional[str] = None,
        opening_eco: Optional[str] = None,
        result: Optional[Literal["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"]] = None,
        since: Optional[Date] = None, until: Optional[Date] = None,
        min_elo: Optional[int] = None, max_elo: Optional[int] = None,
        white_elo: Optional[str] = None, black_elo: Optional[str] = None,
        time_control: Optional[Union[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"], Sequence[Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"]]]] = None,
        mode: Optional[Literal["rated", "casual"]] = None, variant: Optional[str] = None,
        termination: Optional[str] = None, min_plies: Optional[int] = None,
        max_plies: Optional[int] = None, swing: Optional[int] = None,
        white_swing: Optional[int] = None, black_swing: Optional[int] = None,
        source: Optional[str] = None, tags: Optional[Mapping[str, str]] = None,
    ) -> Answers:
        """The positions of a repertoire, with how likely they are and how many of the
        opponents' moves there the lines have."""
        return self._ask(
            "repertoire_coverage", pgn=pgn, color=color, dialect=dialect, limit=limit,
            offset=offset, white=white, black=black, player=player, opponent=opponent,
            event=event, site=site, eco=eco, opening=opening, opening_eco=opening_eco,
            result=result, since=since, until=until, min_elo=min_elo, max_elo=max_elo,
            white_elo=white_elo, black_elo=black_elo, time_control=time_control,
            mode=mode, variant=variant, termination=termination, min_plies=min_plies,
            max_plies=max_plies, swing=swing, white_swing=white_swing,
            black_swing=black_swing, source=source, tags=tags
        )

    def repertoire_contradictions(
        self, pgn: str, color: Literal["white", "black"], *,
        dialect: Optional[Literal["standard", "legal", "xfen", "shredder"]] = None,
        limit: Optional[int] = None, offset: Optional[int] = None,
    ) -> Answers:
        """Positions at which the lines of a repertoire give the player several moves."""
        return self._ask(
            "repertoire_contradictions", pgn=pgn, color=color, dialect=dialect,
            limit=limit, offset=offset
        )

    def game(
        self, game: int, *,
        dialect: Optional[Literal["standard", "legal", "xfen", "shredder"]] = None,
    ) -> Answer:
        """One game with its moves and tags."""
        return self._only(
            "game", game=game, dialect=dialect
        )

    def pgn(
        self, game: int,
    ) -> str:
        """One game as PGN."""
        return str(self._only(
            "pgn", game=game
        )["pgn"])

    def sql(
        self, query: str, *, limit: Optional[int] = None, offset: Optional[int] = None,
    ) -> Answers:
        """The rows of SQL statements."""
        return self._ask(
            "sql", query=query, limit=limit, offset=offset
        )

    # The end of what is written.

    def _ask(self, what: str, **members: Value) -> Answers:
        question: Dict[str, Value] = {"ask": what}
        for name, value in members.items():
            if value is None:
                continue
            if name in ("since", "until"):
                value = str(value)  # a year as a number, a datetime.date
            question[name] = value
        text = json.dumps(question).encode()
        with self._lock:
            if self._handle is None:
                raise ValueError("the database is closed")
            handle = self._library.fendex_query(self._handle, text)
            _raise_error(self._library)
        return Answers(self._library, handle)

    def _only(self, what: str, **members: Value) -> Answer:
        with self._ask(what, **members) as answers:
            return next(answers)


class Answers(_Closing, Iterator[Answer]):
    """The answers to a question, as an iterator of dicts.

    >>> answers = open("my.db").games(limit=2)
    >>> [game["game_id"] for game in answers]
    [1, 2]
    """

    def __init__(self, library: ctypes.CDLL, handle: int) -> None:
        self._library = library
        self._handle: Optional[int] = handle
        self._fetching = threading.Lock()  # held while an answer is looked for
        self._freeing = threading.Lock()  # held while the handle is used or freed

    def __iter__(self) -> Answers:
        return self

    def __next__(self) -> Answer:
        with self._fetching:
            if self._handle is None:
                raise StopIteration
            text = self._library.fendex_next(self._handle)
            if text is not None:
                answer: Answer = json.loads(text)
                return answer
            try:
                _raise_error(self._library)
            finally:
                self._free()
        raise StopIteration

    def _free(self) -> None:
        with self._freeing:
            handle, self._handle = self._handle, None
            if handle is not None:
                self._library.fendex_end(handle)

    def close(self) -> None:
        """Frees the answers that have not been fetched. Waits for one that is looked for."""
        with self._fetching:
            self._free()

    def cancel(self) -> None:
        """Ends the question, also from another thread: fetching raises StoppedError."""
        with self._freeing:
            if self._handle is not None:
                self._library.fendex_cancel(self._handle)

    def to_frame(self) -> Any:
        """Returns the remaining answers as a pandas.DataFrame, with a column for each name."""
        return importlib.import_module("pandas").DataFrame(list(self))


class Tree(Dict[str, Any]):
    """The moves played from a position, as a dict."""

    def to_frame(self) -> Any:
        """Returns the moves as a pandas.DataFrame."""
        return importlib.import_module("pandas").DataFrame(self["moves"])
