-- View of the SQL extension: repetitions with values that follow from their games. It hides
-- main.repetition, which is described in schema.sql (.dump of the sqlite3 shell would write this
-- view, too: dump without the extension). Nothing of it is stored; only fen and epd replay the
-- game, and only if they are read.
CREATE TEMP VIEW IF NOT EXISTS repetition AS
SELECT r.game_id,
       r.key,
       r.count,
       r.plies,
       r.third_ply,
       r.fifth_ply,
       -- the position at its first occurrence
       (SELECT p.fen FROM main.ply p
        WHERE p.game_id = r.game_id AND p.ply = CAST(substr(r.plies, 2) AS INTEGER)) AS fen,
       (SELECT p.epd FROM main.ply p
        WHERE p.game_id = r.game_id AND p.ply = CAST(substr(r.plies, 2) AS INTEGER)) AS epd,
       g.plies - r.third_ply AS played_on,
       CASE g.result WHEN 1 THEN '1-0' WHEN 2 THEN '0-1' WHEN 3 THEN '1/2-1/2' ELSE '*' END AS result,
       -- the side to move at the third occurrence (FIDE 9.2.2)
       CASE WHEN r.third_ply IS NULL THEN NULL
            WHEN (r.third_ply % 2 = 0) = (g.fen IS NULL OR instr(g.fen, ' w ') > 0) THEN 'white'
            ELSE 'black'
       END AS claimant
FROM main.repetition r
LEFT JOIN main.game g ON g.id = r.game_id;
