-- Records of positions: what engines found there, and other operations of EPD. These tables are made
-- when the first records are imported. FORMAT.md explains the bytes. In all of them the top bit of
-- keys is flipped, so that SQLite's order of signed numbers is the order of the keys.

-- All records that are merged, in blocks. A block has the keys from first_key to the key before the
-- next block's.
CREATE TABLE record_block(
    first_key INTEGER PRIMARY KEY,
    data      BLOB NOT NULL
);

-- Records as imports have added them, in runs: sorted, not merged yet. Readers look in each run.
CREATE TABLE record_run(
    id        INTEGER PRIMARY KEY,
    source    INTEGER NOT NULL,  -- source.id
    end_byte  INTEGER NOT NULL,  -- of the source's text: all records come from before
    first_key INTEGER NOT NULL,  -- records with lower keys are merged
    records   INTEGER NOT NULL,  -- from first_key on
    sum       INTEGER NOT NULL   -- checksum of the columns before
);
CREATE TABLE record_run_block(
    id        INTEGER PRIMARY KEY,
    run       INTEGER NOT NULL,
    first_key INTEGER NOT NULL,
    data      BLOB NOT NULL
);
CREATE UNIQUE INDEX record_run_block_key ON record_run_block(run, first_key);

-- Sources of records: how many were read from each.
CREATE TABLE record_source(
    source  INTEGER PRIMARY KEY,  -- source.id
    records INTEGER NOT NULL,
    sum     INTEGER NOT NULL      -- checksum of the columns before
);
