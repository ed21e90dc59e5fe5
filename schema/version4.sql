-- Tables of format version 4 that differ from version 5. Such a database can be read; `fendex
-- upgrade` converts it to the current version.
CREATE TABLE source(
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    size INTEGER,
    modified INTEGER,
    first_byte INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    digest TEXT NOT NULL,
    resume_byte INTEGER NOT NULL,
    resume_line INTEGER NOT NULL,
    resume_digest TEXT NOT NULL,
    open_game INTEGER,
    first_game INTEGER NOT NULL,
    games INTEGER NOT NULL,
    duplicates INTEGER NOT NULL,
    plies INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    complete INTEGER NOT NULL,
    started INTEGER NOT NULL,
    finished INTEGER,
    options TEXT NOT NULL
);

CREATE TABLE import_error(
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    game_id INTEGER,
    byte INTEGER NOT NULL,
    line INTEGER NOT NULL,
    ply INTEGER,
    reason TEXT NOT NULL,
    text TEXT NOT NULL,
    pgn BLOB
);

CREATE TABLE game(
    id INTEGER PRIMARY KEY,
    white INTEGER,
    black INTEGER,
    event INTEGER,
    site,
    date,
    round,
    result INTEGER NOT NULL,
    white_elo,
    black_elo,
    eco TEXT,
    plies INTEGER NOT NULL,
    variant INTEGER NOT NULL,
    fen TEXT,
    shape INTEGER NOT NULL,
    tags BLOB,
    moves BLOB NOT NULL
);
