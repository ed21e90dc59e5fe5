"""fendex from Python: asks a fendex database about positions, games and repetitions.

This one file is the whole module: copy it where your program is, or install the wheel, which has the
library too. It calls the shared library libfendex through ctypes, so it needs no compiler; pandas is
needed only for to_frame(). The library is taken from $FENDEX_LIBRARY, else from beside this file,
else from a build directory of the project that this file is in, else from where the system keeps its
libraries.

The examples ask the database that "fendex import my.db samples/" makes.

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
from typing import Any, Dict, Iterator, List, Mapping, Optional, TypeVar, Union

__all__ = [
    "open", "Database", "Answers", "Tree", "Error", "AbsentError", "BusyError", "DamagedError",
    "NotADatabaseError", "FormatError", "QuestionError", "StoppedError", "SystemFailure",
]


# What a filter takes: a text, a number, a date; for tags a dict.
Value = Union[str, int, bool, datetime.date, Mapping[str, str], None]
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


# By enum fendex_error_kind.
_ERRORS: List[type[Error]] = [
    SystemFailure, AbsentError, BusyError, DamagedError, NotADatabaseError, FormatError,
    QuestionError, StoppedError, SystemFailure,
]

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

    find, count and tree take a FEN in any dialect and moves, which are played from it or from the
    start, and match ("exact", "board", "mirrored") and variant. All questions but game and plies
    take filters: player, opponent (of the player), white, black, event, site, eco, opening,
    opening_eco, result, since, until, min_elo, max_elo, white_elo, black_elo, time_control, mode,
    termination, min_plies, max_plies, source, tags (a dict); games and repeats also variant. Lists
    take limit and offset.
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

    def find(
        self, fen: Optional[str] = None, *, moves: Optional[str] = None, **more: Value
    ) -> Answers:
        """The games that reached a position; with variations=True also in indexed variations."""
        return self._ask("find", fen=fen, moves=moves, **more)

    def count(
        self, fen: Optional[str] = None, *, moves: Optional[str] = None, **more: Value
    ) -> Answer:
        """How many games reached a position, and how often: a dict."""
        return self._only("count", fen=fen, moves=moves, **more)

    def tree(
        self, fen: Optional[str] = None, *, moves: Optional[str] = None, **more: Value
    ) -> Tree:
        """What was played from a position: a dict, of which to_frame() has the moves."""
        return Tree(self._only("tree", fen=fen, moves=moves, **more))

    def repeats(
        self,
        fen: Optional[str] = None,
        *,
        min: Optional[int] = None,
        missed: Optional[bool] = None,
        claims: Optional[bool] = None,
        perpetual: Optional[bool] = None,
        **more: Value,
    ) -> Answers:
        """Positions that games repeated: at least min times, or with missed=True missed claims.

        claims=True: also what could be claimed by announcing a move. perpetual=True: only if one
        side checked with every move.
        """
        return self._ask(
            "repeats", fen=fen, min=min, missed=missed, claims=claims, perpetual=perpetual, **more
        )

    def games(self, *, sort: Optional[str] = None, **more: Value) -> Answers:
        """A list of games, sorted by "id", "date", "elo" or "plies"."""
        return self._ask("games", sort=sort, **more)

    def game(self, game: int) -> Answer:
        """One game with its tags and its PGN: a dict."""
        return self._only("game", game=game)

    def plies(self, game: int, **more: Value) -> Answers:
        """Every ply of a game, the start included."""
        return self._ask("plies", game=game, **more)

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
