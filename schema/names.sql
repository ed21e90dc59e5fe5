-- Names that are joined: they stand for one player, event or site. The tags of games stay as they
-- came. This table is made when names are first joined.
CREATE TABLE name_alias(
    name      INTEGER PRIMARY KEY,  -- 32 * id + 9 for a player, 10 for an event, 11 for a site
    canonical INTEGER NOT NULL,     -- id of the name that stands for it, which has no row here
    joined    INTEGER NOT NULL,     -- seconds since 1970
    origin    TEXT NOT NULL,        -- who joined them: the options, as given
    sum       INTEGER NOT NULL      -- checksum of the columns before
);
