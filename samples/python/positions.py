# positions.py DB FEN: names the games that reached a position. Needs libfendex.so.0 on the library path.
import ctypes, json, sys
fendex = ctypes.CDLL("libfendex.so.0")
fendex.fendex_open.restype = fendex.fendex_query.restype = ctypes.c_void_p
fendex.fendex_next.restype = fendex.fendex_error.restype = ctypes.c_char_p
db = ctypes.c_void_p(fendex.fendex_open(sys.argv[1].encode()))
answers = ctypes.c_void_p(fendex.fendex_query(db, json.dumps({"ask": "find", "fen": sys.argv[2]}).encode()))
for game in map(json.loads, iter(lambda: fendex.fendex_next(answers), None)):
    print(game["white"], "-", game["black"], "after ply", game["ply"])
sys.exit((fendex.fendex_error() or b"").decode() or 0)
