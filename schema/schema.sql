-- The tables of a fendex database. FORMAT.md explains every column and the bytes of every BLOB.

-- Counters and options: id (random, identifies the database), ply_rows, games, last_game, plies,
-- positions, errors, fingerprint, openings, postings_written, annotated_games, annotation_bytes,
-- variations_from. Checksums: names_sum, row_sums.
CREATE TABLE meta(
    name  TEXT PRIMARY KEY,
    value
) WITHOUT ROWID;
-- The counters are right from the first commit on.
INSERT INTO meta(name, value)
VALUES ('id', lower(hex(randomblob(16)))), ('games', 0), ('last_game', 0), ('plies', 0),
       ('positions', 0), ('errors', 0), ('fingerprint', 0), ('postings_written', 0),
       ('annotated_games', 0), ('annotation_bytes', 0);

CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE event(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE site(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
-- ECO code and name, by the moves: "C50 Italian Game: Giuoco Piano".
CREATE TABLE opening(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
-- Other tag values that many games share.
CREATE TABLE tag_value(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
-- The tag names of a game in their order, one per line; a '+' before a name means that the value is
-- in game.tags.
CREATE TABLE tag_shape(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

-- The ledger of imports: one row per file or stream, or per part of one. Its games have consecutive
-- numbers from first_game on.
CREATE TABLE source(
    id            INTEGER PRIMARY KEY,
    path          TEXT NOT NULL,
    size          INTEGER,           -- bytes on disk; NULL for a stream
    modified      INTEGER,           -- nanoseconds since 1970; NULL for a stream
    first_byte    INTEGER NOT NULL,  -- of the PGN text: 0, or where an earlier row's part ends
    bytes         INTEGER NOT NULL,  -- of PGN text read so far, from the text's begin
    digest        TEXT NOT NULL,     -- XXH3-128 of those bytes
    resume_byte   INTEGER NOT NULL,  -- where the text is read on: behind the last game that has an end
    resume_line   INTEGER NOT NULL,  -- the line of that byte
    resume_digest TEXT NOT NULL,     -- XXH3-128 of the bytes before it
    open_game     INTEGER,           -- game.id: behind that byte, as far as it goes; read again then
    first_game    INTEGER NOT NULL,
    games         INTEGER NOT NULL,
    duplicates    INTEGER NOT NULL,  -- left out with --skip-duplicates
    plies         INTEGER NOT NULL,
    errors        INTEGER NOT NULL,
    complete      INTEGER NOT NULL,  -- 1 when read to its end, or to where a later row goes on
    started       INTEGER NOT NULL,  -- seconds since 1970
    finished      INTEGER,           -- the last commit
    options       TEXT NOT NULL,     -- of the import, as given
    prefixes      BLOB               -- digests of the text's beginnings; NULL: none
);

-- Columns hold the tag's value: as a number if the number gives the same text back, else as text.
CREATE TABLE game(
    id        INTEGER PRIMARY KEY,
    white     INTEGER,           -- player.id
    black     INTEGER,
    event     INTEGER,           -- event.id
    site,                        -- site.id; a web address, which no two games share, as text
    date,                        -- yyyymmdd, unknown parts 0
    round,
    result    INTEGER NOT NULL,  -- 0 *, 1 1-0, 2 0-1, 3 1/2-1/2
    white_elo,
    black_elo,
    eco       TEXT,
    plies     INTEGER NOT NULL,
    variant   INTEGER NOT NULL,  -- as in the view games
    fen       TEXT,              -- the start, where it is not the variant's usual one
    shape     INTEGER NOT NULL,  -- tag_shape.id
    tags      BLOB,              -- values of the tag pairs that have no column
    moves     BLOB NOT NULL,     -- packed
    tags_sum  INTEGER NOT NULL,  -- checksums: of the columns before the moves,
    moves_sum INTEGER NOT NULL,  -- and of the moves
    opening   INTEGER            -- opening.id: of the last position that has a name
);

-- Games with names and texts instead of ids and codes.
CREATE VIEW games AS
SELECT g.id,
       w.name AS white,
       b.name AS black,
       e.name AS event,
       CASE typeof(g.site) WHEN 'integer' THEN s.name ELSE g.site END AS site,
       CASE WHEN typeof(g.date) <> 'integer' THEN g.date
            ELSE CASE WHEN g.date / 10000 = 0 THEN '????' ELSE printf('%04d', g.date / 10000) END
                 || '.' ||
                 CASE WHEN g.date / 100 % 100 = 0 THEN '??'
                      ELSE printf('%02d', g.date / 100 % 100) END
                 || '.' ||
                 CASE WHEN g.date % 100 = 0 THEN '??' ELSE printf('%02d', g.date % 100) END
       END AS date,
       g.round,
       CASE g.result WHEN 1 THEN '1-0' WHEN 2 THEN '0-1' WHEN 3 THEN '1/2-1/2' ELSE '*' END AS result,
       CASE typeof(g.white_elo) WHEN 'integer' THEN g.white_elo END AS white_elo,
       CASE typeof(g.black_elo) WHEN 'integer' THEN g.black_elo END AS black_elo,
       g.eco,
       g.plies,
       CASE g.variant WHEN 0 THEN 'standard' WHEN 1 THEN 'chess960' WHEN 2 THEN 'crazyhouse'
                      WHEN 3 THEN '3check' WHEN 4 THEN 'kingofthehill' WHEN 5 THEN 'atomic'
                      WHEN 6 THEN 'antichess' WHEN 8 THEN 'suicide' WHEN 9 THEN 'losers'
                      WHEN 10 THEN 'horde' WHEN 11 THEN 'racingkings'
       END AS variant,  -- NULL: 7, rules that are not known here
       g.fen,
       substr(o.name, 1, 3) AS opening_eco,
       substr(o.name, 5) AS opening
FROM game g
LEFT JOIN player w ON w.id = g.white
LEFT JOIN player b ON b.id = g.black
LEFT JOIN event e ON e.id = g.event
LEFT JOIN site s ON s.id = g.site
LEFT JOIN opening o ON o.id = g.opening;

-- Positions that occurred more than once in a game (FIDE 9.2), including the start.
CREATE TABLE repetition(
    game_id   INTEGER NOT NULL,
    key       INTEGER NOT NULL,
    count     INTEGER NOT NULL,
    plies     TEXT NOT NULL,  -- [12,16,20]
    third_ply INTEGER,        -- of plies; NULL: it did not occur so often
    fifth_ply INTEGER,
    PRIMARY KEY (game_id, key)
) WITHOUT ROWID;

-- Runs of plies without capture or pawn move in which the halfmove clock reached 100 (FIDE 9.3,
-- 9.6.2). A clock of 100 or 150 that is reached with checkmate does not count.
CREATE TABLE quiet_run(
    game_id INTEGER NOT NULL,
    ply50   INTEGER NOT NULL,  -- the first ply with the clock at 100 or more
    ply75   INTEGER,           -- at 150 or more; NULL: not so far
    longest INTEGER NOT NULL,  -- the clock at the end of the run
    PRIMARY KEY (game_id, ply50)
) WITHOUT ROWID;

-- Result, ratings, date, length and kind of 4,096 games per chunk: chunk n begins with game 4096 n + 1.
CREATE TABLE fact(chunk INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- The players of the same games, as codes: 0 none, else player.id + 1. Filters compare these.
CREATE TABLE game_players(chunk INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- Event, site, ECO and termination of the same games, as codes.
CREATE TABLE game_names(chunk INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- The opening of the same games, as a code.
CREATE TABLE game_opening(chunk INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- Least material and pawn squares of the same games: pattern scans skip games that cannot match.
CREATE TABLE signature(chunk INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- Errors of imports: what could not be read, and where.
CREATE TABLE import_error(
    id      INTEGER PRIMARY KEY,
    source  INTEGER NOT NULL,  -- source.id
    game_id INTEGER,           -- NULL: outside any game
    byte    INTEGER NOT NULL,  -- offset in the (uncompressed) text
    line    INTEGER NOT NULL,
    ply     INTEGER,           -- plies that could be read before it
    reason  TEXT NOT NULL,
    text    TEXT NOT NULL,     -- what could not be read
    pgn     BLOB,              -- in the first error of a game: its text, zstd
    severity INTEGER NOT NULL DEFAULT 0  -- 0 error, 1 warning: nothing is lost
);

-- Comments, NAGs and variations of games that were imported with --annotations.
CREATE TABLE annotation(game_id INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- A zstd dictionary for annotations.
CREATE TABLE dictionary(id INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- Numbers of deleted games, which are not used again: a bit for each game of chunk n.
CREATE TABLE deleted(chunk INTEGER PRIMARY KEY, games BLOB NOT NULL);

-- The position index: every posting of games first_game to last_game.
CREATE TABLE segment(
    id         INTEGER PRIMARY KEY,
    kind       INTEGER NOT NULL,  -- 0 main line, 1 variations
    first_game INTEGER NOT NULL,
    last_game  INTEGER NOT NULL,
    postings   INTEGER NOT NULL,
    positions  INTEGER NOT NULL,  -- distinct ones
    key_bits   INTEGER NOT NULL
);

-- The top bit of keys is flipped, so that SQLite's order of signed numbers is the order of the
-- keys. Part 0 is a block of many positions. A position of many games has its summary in part 1 and
-- its postings in parts 2 and on.
CREATE TABLE block(
    id        INTEGER PRIMARY KEY,
    segment   INTEGER NOT NULL,
    first_key INTEGER NOT NULL,
    part      INTEGER NOT NULL,
    data      BLOB NOT NULL
);
CREATE UNIQUE INDEX block_key ON block(segment, first_key, part);
