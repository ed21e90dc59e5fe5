-- The views of a fendex database in ClickHouse, for SQL. fendex push creates them. FORMAT.md explains
-- them (chapter "In ClickHouse").

-- The pushes that count: complete ones that no other complete push replaces.
CREATE VIEW complete_push AS
SELECT push FROM push GROUP BY push
HAVING max(state) = 1 AND push GLOBAL NOT IN (
    SELECT arrayJoin(replaced) FROM (
        SELECT anyIf(replaces, state = 1) AS replaced FROM push GROUP BY push HAVING max(state) = 1));

-- The games, with the columns of the view `games` of a database file. The date is that which filters
-- compare: the tag UTCDate if there is no Date.
CREATE VIEW games AS
SELECT id,
       nullIf(white_name, '') AS white,
       nullIf(black_name, '') AS black,
       nullIf(event_name, '') AS event,
       nullIf(site_name, '') AS site,
       if(day = 0, NULL, concat(
           substring(toString(10000 + intDiv(day, 10000)), 2, 4), '.',
           if(intDiv(day, 100) % 100 = 0, '??', substring(toString(100 + intDiv(day, 100) % 100), 2, 2)), '.',
           if(day % 100 = 0, '??', substring(toString(100 + day % 100), 2, 2)))) AS date,
       nullIf(round_name, '') AS round,
       transform(code, [1, 2, 3], ['1-0', '0-1', '1/2-1/2'], '*') AS result,
       nullIf(elo_of_white, 0) AS white_elo,
       nullIf(elo_of_black, 0) AS black_elo,
       nullIf(eco_tag, '') AS eco,
       plies,
       nullIf(transform(rules, [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11],
                        ['standard', 'chess960', 'crazyhouse', '3check', 'kingofthehill', 'atomic',
                         'antichess', 'suicide', 'losers', 'horde', 'racingkings'], ''), '') AS variant,
       nullIf(start, '') AS fen,
       nullIf(substring(reached, 1, 3), '') AS opening_eco,
       nullIf(substring(reached, 5), '') AS opening
FROM (
    SELECT id, white AS white_name, black AS black_name, event AS event_name, site AS site_name,
           date AS day, round AS round_name, result AS code, white_elo AS elo_of_white,
           black_elo AS elo_of_black, eco AS eco_tag, plies, variant AS rules, start,
           opening AS reached
    FROM game
    WHERE push GLOBAL IN (SELECT push FROM complete_push)
      AND id GLOBAL NOT IN (
          SELECT game FROM taken_back WHERE push GLOBAL IN (SELECT push FROM complete_push)));
