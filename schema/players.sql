-- The games of each player, and the words of players' names: made for 524,288 games and for 65,536
-- names at a time. A program may ignore both tables.
CREATE TABLE player_game(
    first_game   INTEGER NOT NULL,  -- of the games of the rows with this number
    first_player INTEGER NOT NULL,  -- the first player of the row: a code, as in game_players
    part         INTEGER NOT NULL,  -- counts the rows that begin with this player
    data         BLOB NOT NULL,
    PRIMARY KEY (first_game, first_player, part)
) WITHOUT ROWID;
CREATE TABLE player_word(
    first_id   INTEGER NOT NULL,  -- player.id: of the names of the rows with this number
    first_word BLOB NOT NULL,     -- the first word of the row
    data       BLOB NOT NULL,
    PRIMARY KEY (first_id, first_word)
) WITHOUT ROWID;
