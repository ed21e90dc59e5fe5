/* fendex from C, and from every language that calls C: questions and answers are JSON.
 *
 *     fendex_database *db = fendex_open("my.db");
 *     fendex_answers *answers = fendex_query(db, "{\"ask\":\"find\",\"moves\":\"1.e4 e5 2.Nf3\"}");
 *     for (const char *game; answers && (game = fendex_next(answers));) puts(game);
 *     if (fendex_error()) fputs(fendex_error(), stderr);
 *     fendex_end(answers);
 *     fendex_close(db);
 *
 * A question is an object. Its member "ask" says what is asked:
 *     "find"     the games that reached a position, a pattern or material, or have a sequence of
 *                steps, an object for each
 *     "count"    how many there are: {"games":12,"occurrences":13}
 *     "tree"     what was played from a position, one object
 *     "repeats"  the positions that games repeated, or long runs of quiet moves, an object for each
 *     "games"    a list of games, an object for each
 *     "count_games"  how many games fit: {"games":12}
 *     "game"     one game with its moves and tags
 *     "pgn"      one game as PGN: {"game_id":1,"pgn":"..."}
 *     "plies"    every ply of one game, or of all that fit, an object for each; "columns" chooses
 *                what it has, as `fendex export --rows plies --columns` does
 *     "positions"    each position that games reached, with its counts, an object for each
 *     "players"  the players and their numbers of games, an object for each
 *     "player"   one player's scores, ratings and openings, one object
 *     "prepare"  what to prepare against a player, one object
 *     "openings" the openings and their results, an object for each
 *     "events"   the events and their games, players and years, an object for each
 *     "novelty"  where each game of a PGN text left what was known, an object for each
 *     "sql"      the rows of SQL statements, an object for each
 * fendex_questions() says which members each of them takes. They are named like the options of the
 * program, with _ for -; "opponent" is a second player, "tags" an object of names and values,
 * "then" an array of steps. Every list takes "limit" and "offset". An unknown member is an error.
 * Members of answers are named as in the program's output with --format json.
 *
 * Strings are UTF-8. A returned string is valid until the next call with the same object; that of
 * fendex_error() until the next call in the same thread.
 *
 * Threads: several threads may use a database at once. The answers to one question belong to one
 * thread at a time, but any thread may call fendex_cancel(). */
#ifndef FENDEX_FENDEX_H
#define FENDEX_FENDEX_H

#include "version.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FENDEX_API __attribute__((visibility("default")))

typedef struct fendex_database fendex_database;
typedef struct fendex_answers fendex_answers;

/* Returns an object that has a member for each question: "summary", "list" (whether it has many
 * answers, or one), "members", an array of what it takes: "name", "type" ("string", "integer",
 * "boolean", "object", "array" of strings), "help", "choices" if there are only some,
 * "required". */
FENDEX_API const char* fendex_questions(void);

/* Opens a database for reading. NULL after an error. */
FENDEX_API fendex_database* fendex_open(const char* path);

/* Asks a question. NULL after an error. The answers are found while they are fetched. */
FENDEX_API fendex_answers* fendex_query(fendex_database* database, const char* question);

/* Returns the next answer; NULL after the last one, and after an error. If `answers` is NULL, the
 * error of fendex_query() stays. */
FENDEX_API const char* fendex_next(fendex_answers* answers);

/* Ends a question: the fendex_next() that is running, or else the next one, fails with
 * FENDEX_STOPPED within a second. */
FENDEX_API void fendex_cancel(fendex_answers* answers);

/* Returns why the last call in this thread failed; NULL if it did not fail. */
FENDEX_API const char* fendex_error(void);

enum fendex_error_kind {
    FENDEX_OK = 0,
    FENDEX_ABSENT,         /* there is no such database or game */
    FENDEX_BUSY,           /* another process has locked the database */
    FENDEX_DAMAGED,        /* the database is damaged */
    FENDEX_NOT_A_DATABASE, /* the file is something else */
    FENDEX_OTHER_FORMAT,   /* the database needs a newer fendex, or an upgrade */
    FENDEX_QUESTION,       /* the question cannot be understood */
    FENDEX_STOPPED,        /* it was cancelled */
    FENDEX_SYSTEM,         /* the disk, memory or permissions */
    FENDEX_IMPORT          /* nothing could be imported from an input */
};
FENDEX_API enum fendex_error_kind fendex_error_kind(void);

/* Frees the answers to a question. NULL is allowed. */
FENDEX_API void fendex_end(fendex_answers* answers);

/* Is told of an import from time to time: {"bytes":1,"total_bytes":2,"games":3}; "total_bytes" is 0
 * if an input is a stream. Returns 0 to go on; any other value stops the import, which continues
 * when it is called again. */
typedef int (*fendex_progress)(void* context, const char* progress);

/* Imports archives and directories into a database, which is created if it is absent. `request` is
 * an object: "inputs", an array of paths, and the options "threads", "memory" (bytes),
 * "annotations", "variations", "skip_duplicates", "strict", "ply_rows" (true, false). `progress`
 * may be NULL; it is called in this thread. Returns {"games":1,"plies":2,"errors":0,"warnings":0,
 * "duplicates":0,"failures":[]}, valid until the next call in this thread; NULL after an error. */
FENDEX_API const char* fendex_import(const char* path, const char* request,
                                     fendex_progress progress, void* context);

/* Closes a database. NULL is allowed. Answers that are still open stay usable. */
FENDEX_API void fendex_close(fendex_database* database);

#ifdef __cplusplus
}
#endif

#endif
