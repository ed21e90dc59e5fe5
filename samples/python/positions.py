# positions.py DB FEN: names the games that reached a position. Needs libfendex.so, see README.md.
import ctypes, json, sys
fendex = ctypes.CDLL("libfendex.so.0")
for name in ("open", "query", "next", "error"):
    getattr(fendex, "fendex_" + name).restype = ctypes.c_void_p if name in ("open", "query") else ctypes.c_char_p
db = ctypes.c_void_p(fendex.fendex_open(sys.argv[1].encode()))
games = ctypes.c_void_p(fendex.fendex_query(db, json.dumps({"ask": "find", "fen": sys.argv[2]}).encode()))
for answer in iter(lambda: fendex.fendex_next(games), None):
    game = json.loads(answer)
    print(game["white"], "-", game["black"], "after ply", game["ply"])
sys.exit(fendex.fendex_error())
