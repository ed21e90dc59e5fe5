-- What versions 5 and 6 of the format define otherwise: there are no openings of games.
CREATE TABLE game(
    id        INTEGER PRIMARY KEY,
    white     INTEGER,
    black     INTEGER,
    event     INTEGER,
    site,
    date,
    round,
    result    INTEGER NOT NULL,
    white_elo,
    black_elo,
    eco       TEXT,
    plies     INTEGER NOT NULL,
    variant   INTEGER NOT NULL,
    fen       TEXT,
    shape     INTEGER NOT NULL,
    tags      BLOB,
    moves     BLOB NOT NULL,
    tags_sum  INTEGER NOT NULL,
    moves_sum INTEGER NOT NULL
);

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
       END AS variant,
       g.fen
FROM game g
LEFT JOIN player w ON w.id = g.white
LEFT JOIN player b ON b.id = g.black
LEFT JOIN event e ON e.id = g.event
LEFT JOIN site s ON s.id = g.site;
