-- One row per ply, including the start (ply 0); exists if the database stores ply rows.
CREATE TABLE ply(
    game_id    INTEGER NOT NULL,
    ply        INTEGER NOT NULL,
    san        TEXT,              -- the move that led here; NULL at the start
    uci        TEXT,
    key        INTEGER NOT NULL,  -- the Zobrist key, its 64 bits taken as signed
    fen        TEXT NOT NULL,
    epd        TEXT NOT NULL,
    occurrence INTEGER NOT NULL,  -- how often the game has reached this position, this ply included
    PRIMARY KEY (game_id, ply)
) WITHOUT ROWID;
