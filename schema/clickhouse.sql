-- The tables of a fendex database in ClickHouse. FORMAT.md explains every column (chapter
-- "In ClickHouse").
--
-- fendex push creates them. `new` marks text for servers from 19.11 on. In a cluster, each table is
-- made as NAME_shard on every host, and NAME is a Distributed table over these, which sends each row
-- to a shard as `shard by` says.
--
-- A push has the number origin * 524288 + n (n from 1). A query must read only complete pushes that
-- no other complete push replaces: those of which the table push has a row of state 1 and none of
-- state 2, and whose number is in no other such row's column replaces.
-- The id of a game is origin * 1099511627776 (2^40) + its number in its database.

-- The databases that were pushed. A database has the origin of its row of state 1.
CREATE TABLE origin(
    origin    UInt16,   -- 0 to 8191
    database  String,   -- its id, 32 hexadecimal digits
    path      String,   -- as it was typed
    state     UInt8,    -- 0 claimed, 1 in use
    time      DateTime
) ENGINE = MergeTree ORDER BY (origin, state) /*shard by cityHash64(database)*/;

-- The ledger: one row when a push begins, and one when it is complete or given up. The counters say
-- what the push added, so they are negative if games were taken back; their sum over all complete
-- pushes describes the whole database. Rows of state 0 and 2 have no counters.
CREATE TABLE push(
    push             UInt32,
    origin           UInt16,
    state            UInt8,   -- 0 begun, 1 complete, 2 given up: its rows never count
    format           UInt32,  -- of these tables: 4
    time             DateTime,
    first_game       UInt64,  -- numbers in the database; first_game > last_game: no games
    last_game        UInt64,
    has_sources      UInt8,   -- 1: tables source, import_error and joined_name have all rows
    sources_mark     UInt64,  -- of these rows: tells whether they have changed
    games            Int64,
    plies            Int64,
    positions        Int64,   -- plies and starts; as many as the sum of posting.sign
    taken_back       UInt64,  -- games that it took back
    fingerprint      UInt64,  -- modulo 2^64, with numbers of games in the database
    errors           Int64,   -- without warnings
    warnings         Int64,
    annotated_games  Int64,
    annotation_bytes Int64,   -- compressed, as in the database
    variations       UInt8,   -- 1: variations of some of its games are in table variation
    sharding         UInt64,  -- of the shards over which its rows were spread; 0: one server
    last_names       Array(UInt64), -- last id of each kind of name, up to which names were sent
    stored_rows      Array(UInt64), -- rows of the push in each table that follows; format 1 and 2: not fine_sum
                                    -- and record, 3: not record
    replaces         Array(UInt32), -- pushes that do not count any more: it has what they had
    records_mark     UInt64         -- 0: of games; else it has all records of positions of its database, and no
                                    -- games: tells whether they have changed
) ENGINE = MergeTree ORDER BY (push, state) /*shard by origin*/;

CREATE TABLE game(
    push        UInt32,
    id          UInt64 /*new CODEC(Delta, ZSTD)*/,
    -- The values of the first tags of these names, '' if there is none.
    white       String /*new CODEC(ZSTD(3))*/,
    black       String /*new CODEC(ZSTD(3))*/,
    event       String /*new CODEC(ZSTD(3))*/,
    site        String /*new CODEC(ZSTD(3))*/,
    round       String /*new CODEC(ZSTD(3))*/,
    eco         String /*new CODEC(ZSTD(3))*/,
    termination String /*new CODEC(ZSTD(3))*/,  -- of all tags Termination, one value per line
    opening     String /*new CODEC(ZSTD(3))*/,  -- of the last position that has a name: 'C50 Italian Game'
    -- Facts: what filters compare. 0: unknown.
    date        UInt32 /*new CODEC(ZSTD)*/,     -- yyyymmdd, unknown parts 0
    result      UInt8  /*new CODEC(ZSTD)*/,     -- 0 *, 1 1-0, 2 0-1, 3 1/2-1/2
    white_elo   UInt16 /*new CODEC(ZSTD)*/,
    black_elo   UInt16 /*new CODEC(ZSTD)*/,
    plies       UInt32 /*new CODEC(ZSTD)*/,
    variant     UInt8  /*new CODEC(ZSTD)*/,     -- 0 standard, 1 chess960, 2 crazyhouse, ...
    time_class  UInt8  /*new CODEC(ZSTD)*/,     -- 1 bullet, 2 blitz, 3 rapid, 4 classical, ...
    mode        UInt8  /*new CODEC(ZSTD)*/,     -- 1 rated, 2 casual
    start       String /*new CODEC(ZSTD(3))*/,  -- FEN, '' for the variant's usual start
    moves       String,                         -- packed
    tags        String /*new CODEC(ZSTD(3))*/,  -- all tag pairs, packed; values of columns are not repeated
    annotation  String /*new CODEC(ZSTD(3))*/,  -- comments, NAGs and variations; '' if there are none
    variations  UInt8  /*new CODEC(ZSTD)*/,     -- 1: the positions of its variations are in table variation
    -- The signature: pattern scans skip games that cannot match.
    least       UInt64 /*new CODEC(ZSTD)*/,     -- a nibble per kind of piece: the least number on the board
    white_pawns UInt64 /*new CODEC(ZSTD)*/,     -- squares on which pawns ever stood
    black_pawns UInt64 /*new CODEC(ZSTD)*/,
    surplus     UInt8  /*new CODEC(ZSTD)*/,     -- 1 White, 2 Black had more of a piece than at the start
    replayed    UInt8  /*new CODEC(ZSTD)*/      -- 0: the game has no positions
) ENGINE = MergeTree PARTITION BY push ORDER BY id /*shard by id*/
SETTINGS index_granularity = 256;

-- The games of each player: a row for each game and colour, on the shard that has the game. Names are
-- those of game.white and game.black.
CREATE TABLE player(
    push UInt32,
    name String /*new CODEC(ZSTD(3))*/,
    game UInt64 /*new CODEC(Delta, ZSTD)*/
) ENGINE = MergeTree PARTITION BY push ORDER BY (name, game) /*shard by game*/
SETTINGS index_granularity = 1024;

-- A row for each position of each game. Sums count each game once by the flags: games that reached
-- a position are sum(sign * first_of_key), games that played a move there sum(sign * first_of_move).
CREATE TABLE posting(
    push          UInt32,
    key           UInt64 /*new CODEC(Delta, T64, ZSTD)*/,  -- of the position
    next          UInt16 /*new CODEC(ZSTD)*/,         -- the move played; 65535: the game ended here
    game          UInt64 /*new CODEC(T64, ZSTD)*/,
    ply           UInt32 /*new CODEC(T64, ZSTD)*/,
    result        UInt8  /*new CODEC(T64, ZSTD)*/,    -- the game's facts, as in table game
    white_elo     UInt16 /*new CODEC(ZSTD(3))*/,
    black_elo     UInt16 /*new CODEC(ZSTD(3))*/,
    date          /*new LowCardinality(*/UInt32/*new )*/ /*new CODEC(ZSTD(3))*/,
    time_class    UInt8  /*new CODEC(ZSTD)*/,
    variant       UInt8  /*new CODEC(ZSTD)*/,
    first_of_key  UInt8  /*new CODEC(ZSTD)*/,         -- 1: the first row of this game and key
    first_of_move UInt8  /*new CODEC(ZSTD)*/,         -- 1: the first row of this game, key and next
    sign          Int8   /*new CODEC(ZSTD)*/          -- -1: takes back a row of an earlier push
) ENGINE = MergeTree PARTITION BY push ORDER BY (key, next, game, ply) /*shard by key*/
SETTINGS index_granularity = 2048;

-- Games whose variations reach a position, if the database indexes variations: a row per key and game.
CREATE TABLE variation(
    push UInt32,
    key  UInt64 /*new CODEC(Delta, ZSTD)*/,
    game UInt64 /*new CODEC(Delta, ZSTD)*/,
    sign Int8   /*new CODEC(ZSTD)*/
) ENGINE = MergeTree PARTITION BY push ORDER BY (key, game) /*shard by key*/
SETTINGS index_granularity = 2048;

-- Sums of the rows of posting with sign 1, for each position that has 512 of them in a push: for
-- each move, over the games that played it here (first_of_move), and, with the prefix total_, over
-- the games whose first move here it was (first_of_key).
CREATE TABLE position_sum(
    push                  UInt32,
    key                   UInt64,
    next                  UInt16,
    games                 UInt64,
    occurrences           UInt64,  -- rows: also those that are not first_of_move
    unknown_results       UInt64,
    white_wins            UInt64,
    black_wins            UInt64,
    draws                 UInt64,
    white_elo_sum         UInt64,
    white_elo_games       UInt64,  -- games of which the rating is known
    black_elo_sum         UInt64,
    black_elo_games       UInt64,
    first_date            UInt32,  -- 0: no game has a date
    last_date             UInt32,
    total_games           UInt64,
    total_unknown_results UInt64,
    total_white_wins      UInt64,
    total_black_wins      UInt64,
    total_draws           UInt64,
    total_white_elo_sum   UInt64,
    total_white_elo_games UInt64,
    total_black_elo_sum   UInt64,
    total_black_elo_games UInt64,
    total_first_date      UInt32,
    total_last_date       UInt32,
    top_games             Array(UInt64),  -- four games of the best rated, best first
    top_ranks             Array(UInt64),  -- sums of their ratings
    recent_games          Array(UInt64),  -- the latest four, latest first
    recent_ranks          Array(UInt64)   -- their dates
) ENGINE = MergeTree PARTITION BY push ORDER BY (key, next) /*shard by key*/
SETTINGS index_granularity = 256;

-- Positions that occurred more than once in a game (FIDE 9.2), including the start.
CREATE TABLE repetition(
    push  UInt32,
    game  UInt64 /*new CODEC(Delta, ZSTD)*/,
    key   UInt64,
    count UInt32,
    plies Array(UInt32)
) ENGINE = MergeTree PARTITION BY push ORDER BY (game, key) /*shard by game*/
SETTINGS index_granularity = 256;

-- Runs of plies without capture or pawn move in which the halfmove clock reached 100 (FIDE 9.3,
-- 9.6.2).
CREATE TABLE quiet_run(
    push    UInt32,
    game    UInt64,
    ply50   UInt32,
    ply75   UInt32,  -- 0: the clock did not reach 150
    has75   UInt8,   -- 1: it did, at ply75
    longest UInt32
) ENGINE = MergeTree PARTITION BY push ORDER BY (game, ply50) /*shard by game*/
SETTINGS index_granularity = 256;

-- Names, each in one push or more: of players (kind 0), events (1), sites (2), other tag values that
-- games share (3), openings (4).
CREATE TABLE name(
    push UInt32,
    kind UInt8,
    name String /*new CODEC(ZSTD(3))*/
) ENGINE = MergeTree PARTITION BY push ORDER BY (kind, name) /*shard by cityHash64(name)*/;

-- The sources of a database: all of them, in the last push of its origin that has the mark
-- push.has_sources. Columns as in SQLite.
CREATE TABLE source(
    push          UInt32,
    origin        UInt16,
    id            Int64,
    path          String,
    size          Nullable(UInt64),
    modified      Nullable(Int64),
    first_byte    UInt64,
    bytes         UInt64,
    digest        String,
    resume_byte   UInt64,
    resume_line   UInt64,
    resume_digest String,
    open_game     Nullable(UInt64),  -- a number in the database, like first_game
    first_game    UInt64,
    games         UInt64,
    duplicates    UInt64,
    plies         UInt64,
    errors        UInt64,
    complete      UInt8,
    started       Int64,
    finished      Nullable(Int64),
    options       String,
    prefixes      String
) ENGINE = MergeTree PARTITION BY push ORDER BY (origin, id) /*shard by push*/;

-- The errors of imports: all of them, in the same push as the sources.
CREATE TABLE import_error(
    push     UInt32,
    origin   UInt16,
    id       Int64,
    source   Int64,             -- source.id
    game     Nullable(UInt64),  -- a number in the database; NULL: outside any game
    byte     UInt64,
    line     UInt64,
    ply      Nullable(UInt32),
    reason   String,
    text     String,
    pgn      String,            -- in the first error of a game: its text, zstd
    severity UInt8              -- 0 error, 1 warning
) ENGINE = MergeTree PARTITION BY push ORDER BY (origin, id) /*shard by push*/;

-- Games that were deleted from their database after they were pushed.
CREATE TABLE taken_back(
    push UInt32,
    game UInt64
) ENGINE = MergeTree PARTITION BY push ORDER BY game /*shard by push*/;

-- The names that are joined to others: all of them, in the same push as the sources.
CREATE TABLE joined_name(
    push      UInt32,
    kind      UInt8,   -- as in table name
    name      String,
    canonical String   -- the name that stands for it
) ENGINE = MergeTree PARTITION BY push ORDER BY (kind, name) /*shard by push*/;

-- Sums like those of position_sum, of the games that are equal in what the filters of an opening
-- explorer compare, for each position that has 2048 rows of sign 1 in a push and 16 of them for each
-- of these sums. So sums over games that fit a filter are sums of a few rows, not of all postings.
-- The columns from games on are those of position_sum.
CREATE TABLE fine_sum(
    push         UInt32,
    key          UInt64,
    next         UInt16,
    month        UInt32,  -- yyyymm, unknown parts 0
    rating_group UInt16,  -- by the mean of both ratings, rounded down: the lowest of the group, which
                          -- is 0, 1000, 1200, 1400, 1600, 1800, 2000, 2200 or 2500; 65535: unknown
    time_class   UInt8,
    variant      UInt8,
    /*columns of position_sum from games*/
) ENGINE = MergeTree PARTITION BY push
ORDER BY (key, next, month, rating_group, time_class, variant) /*shard by key*/
SETTINGS index_granularity = 256;

-- Records of positions: what engines found there, and other operations of EPD. The newest push of an
-- origin that has records has all of them, and replaces the one before.
CREATE TABLE record(
    push    UInt32,
    key     UInt64 /*new CODEC(Delta, ZSTD)*/,  -- of the position
    -- The first line of the best search, from White's view: centipawns, or moves to mate.
    score   Int32  /*new CODEC(ZSTD)*/,
    is_mate UInt8  /*new CODEC(ZSTD)*/,
    depth   UInt32 /*new CODEC(ZSTD)*/,         -- 0: unknown
    lines   UInt8  /*new CODEC(ZSTD)*/,         -- of the best search; 0: the record has no search
    packed  String /*new CODEC(ZSTD(3))*/       -- position and record, as in record_block of SQLite
) ENGINE = MergeTree PARTITION BY push ORDER BY key /*shard by key*/
SETTINGS index_granularity = 256;
