-- The swings of 4,096 games per chunk: the largest loss of each player by the game's own evaluations.
-- Made with the first game that has some.
CREATE TABLE game_swing(chunk INTEGER PRIMARY KEY, data BLOB NOT NULL);
