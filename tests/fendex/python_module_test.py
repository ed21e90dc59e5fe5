#!/usr/bin/env python3
"""Tests samples/python/fendex.py: its examples, errors, threads, frames, and how it finds the library.

    python_module_test.py FENDEX LIBRARY
"""

import ctypes.util
import doctest
import importlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import types
import unittest

FENDEX, LIBRARY = map(os.path.abspath, sys.argv[1:3])
SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
sys.path.insert(0, str(SAMPLES / "python"))
sys.dont_write_bytecode = True
os.environ["FENDEX_LIBRARY"] = LIBRARY

import fendex  # noqa: E402 (the module is not installed)


class ModuleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.addClassCleanup(os.chdir, os.getcwd())
        os.chdir(scratch.name)
        subprocess.run([FENDEX, "import", "my.db", SAMPLES, "--quiet"], check=True)

    def test_examples_run(self):
        result = doctest.testmod(fendex, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
        self.assertEqual(result.failed, 0)
        self.assertGreater(result.attempted, 10)

    def test_answers_are_those_of_the_program(self):
        db = fendex.open(pathlib.Path("my.db"))
        for question, words in (
            (db.find(moves="1.e4 e5"), ["find", "my.db", "--moves", "1.e4 e5"]),
            (db.games(player="carlsen"), ["games", "my.db", "--player", "carlsen"]),
            (db.games(since=2000, until="2006-12"),
             ["games", "my.db", "--since", "2000", "--until", "2006-12"]),
            (db.plies(5), ["show", "my.db", "5", "--plies"]),
            (db.plies(columns="game_id,ply,next_uci,result", player="morphy", offset=10),
             ["export", "my.db", "--rows", "plies", "--columns", "game_id,ply,next_uci,result",
              "--player", "morphy"]),
            (db.positions(min_games=3, max_ply=12),
             ["export", "my.db", "--rows", "positions", "--min-games", "3", "--max-ply", "12"]),
        ):
            out = subprocess.run([FENDEX, *words, "--format", "json"], check=True,
                                 capture_output=True).stdout.splitlines()
            with self.subTest(words):
                self.assertGreater(len(out), 2)
                rows = [fendex.json.loads(line) for line in out]
                self.assertEqual(list(question), rows[10:] if "next_uci" in rows[0] else rows)

    def test_questions_are_those_of_the_library(self):
        written = subprocess.run(
            [sys.executable, pathlib.Path(__file__).with_name("python_methods.py"), LIBRARY],
            capture_output=True, text=True)
        self.assertEqual(written.returncode, 0, written.stderr)

    def test_an_import_reports_and_can_be_stopped(self):
        reports = []
        counts = fendex.import_games("new.db", SAMPLES, threads=1, annotations=True,
                                     progress=lambda each: reports.append(each))
        self.assertEqual(counts["games"], 113)
        self.assertEqual(reports[-1]["games"], 113)
        self.assertEqual(len(list(fendex.open("new.db").games())), 113)
        with self.assertRaises(fendex.StoppedError):
            fendex.import_games("stopped.db", SAMPLES, threads=1, progress=lambda _: False)
        with self.assertRaises(ZeroDivisionError):
            fendex.import_games("raised.db", SAMPLES, threads=1, progress=lambda _: 1 // 0)
        with self.assertRaisesRegex(fendex.ImportFailure, "none.pgn"):
            fendex.import_games("failed.db", "none.pgn")
        with self.assertRaises(fendex.QuestionError):
            fendex.import_games("failed.db", threads=-1)

    def test_errors_have_a_kind(self):
        db = fendex.open("my.db")
        with self.assertRaises(TypeError):
            db.find(colour="white")
        with self.assertRaises(ValueError):
            db.games(sort="name")
        with self.assertRaises(fendex.AbsentError):
            fendex.open("none.db")
        with self.assertRaises(fendex.NotADatabaseError):
            fendex.open(__file__)
        db.close()
        db.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            db.games()

    def test_answers_outlive_their_database_and_end_once(self):
        with fendex.open("my.db") as db:
            answers = db.games()
        self.assertEqual(next(answers)["game_id"], 1)
        self.assertEqual(len(list(answers)), 112)
        self.assertEqual(list(answers), [])
        with fendex.open("my.db").games() as answers:
            next(answers)
        self.assertEqual(list(answers), [])
        answers.cancel()

    def test_a_question_can_be_cancelled(self):
        answers = fendex.open("my.db").find()
        next(answers)
        canceller = threading.Thread(target=answers.cancel)
        canceller.start()
        canceller.join()
        with self.assertRaises(fendex.StoppedError):
            list(answers)
        self.assertEqual(list(answers), [])

    def test_threads_can_share_a_database(self):
        db = fendex.open("my.db")
        expected = list(db.find(moves="1.e4"))
        shared = db.games()
        found, taken = [], []

        def ask():
            for _ in range(5):
                found.append(list(db.find(moves="1.e4")))
            taken.extend(game["game_id"] for game in shared)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 20)
        self.assertEqual(sorted(taken), list(range(1, 114)))

    def test_answers_become_frames(self):
        db = fendex.open("my.db")
        try:
            import pandas
        except ImportError:
            # Shows what pandas would get.
            fake = types.SimpleNamespace(DataFrame=lambda rows: rows)
            sys.modules["pandas"] = fake
            self.addCleanup(sys.modules.pop, "pandas")
            self.assertEqual(len(db.games().to_frame()), 113)
            self.assertEqual(db.tree().to_frame()[0]["san"], "e4")
            return
        frame = db.games().to_frame()
        self.assertEqual(frame.shape[0], 113)
        self.assertEqual(list(frame.columns)[:3], ["game_id", "white", "black"])
        self.assertTrue(pandas.api.types.is_integer_dtype(frame["plies"]))
        self.assertEqual(db.tree().to_frame()["san"][0], "e4")

    def test_library_is_found(self):
        def places(module, environment=None):
            saved = os.environ.pop("FENDEX_LIBRARY")
            try:
                os.environ.update(environment or {})
                return module._candidates()
            finally:
                os.environ["FENDEX_LIBRARY"] = saved

        self.assertEqual(places(fendex, {"FENDEX_LIBRARY": "x.so"}), ["x.so"])
        project = pathlib.Path("project").resolve()
        for folder in ("samples/python", "src/fendex", "build/src", "build-old/src"):
            (project / folder).mkdir(parents=True)
        (project / "src/fendex/fendex.h").touch()
        shutil.copy(fendex.__file__, project / "samples/python/fendex.py")
        for age, name in enumerate(("build", "build-old")):
            library = project / name / "src/libfendex.so.0"
            library.touch()
            os.utime(library, (1000 - age, 1000 - age))
        spec = importlib.util.spec_from_file_location("copied", project / "samples/python/fendex.py")
        copied = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(copied)
        built = [str(project / name / "src/libfendex.so.0") for name in ("build", "build-old")]
        self.assertEqual(places(copied)[:2], built)
        beside = project / "samples/python/libfendex.so"
        beside.touch()
        self.assertEqual(places(copied)[:3], [str(beside), *built])
        # None of these is a library: the message names what was tried.
        os.environ["FENDEX_LIBRARY"] = str(beside)
        try:
            with self.assertRaisesRegex(copied.SystemFailure, "FENDEX_LIBRARY.*libfendex.so: "):
                copied.open("my.db")
        finally:
            os.environ["FENDEX_LIBRARY"] = LIBRARY


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
