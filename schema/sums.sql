-- Sums of big positions, apart by what the filters of an opening explorer compare, for positions of
-- so many games that they pay. Made with the first such position; a program may ignore them.
CREATE TABLE fine_sum(
    segment INTEGER NOT NULL,  -- segment.id
    key     INTEGER NOT NULL,  -- as block.first_key
    data    BLOB NOT NULL,
    PRIMARY KEY (segment, key)
) WITHOUT ROWID;
