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
 *     "find"     the games that reached a position, an object for each
 *     "count"    how many there are: {"games":12,"occurrences":13}
 *     "tree"     what was played there, one object
 *     "repeats"  the positions that games repeated, an object for each
 *     "games"    a list of games, an object for each
 *     "game"     one game with its tags and its PGN
 *     "plies"    every ply of one game, an object for each
 * find, count and tree take "fen", "moves", "variant", "match" ("exact", "board", "mirrored"), find
 * also "variations" (true). repeats takes "fen", "min" (occurrences), "missed", "claims" and
 * "perpetual" (true). game and plies take "game", the number. games takes "sort" ("id", "date",
 * "elo", "plies"). All but game and plies take the filters of the program, with _ for -: "player",
 * "opponent" (of the player), "white", "black", "event", "site", "eco", "opening", "opening_eco",
 * "result", "since", "until", "min_elo", "max_elo", "white_elo", "black_elo", "time_control",
 * "mode", "termination", "min_plies", "max_plies", "source", "tags" (an object); games and repeats
 * "variant", too. Every list takes "limit" and "offset". An unknown member is an error. Members of
 * answers are named as in the program's output with --format json.
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
    FENDEX_SYSTEM          /* the disk, memory or permissions */
};
FENDEX_API enum fendex_error_kind fendex_error_kind(void);

/* Frees the answers to a question. NULL is allowed. */
FENDEX_API void fendex_end(fendex_answers* answers);

/* Closes a database. NULL is allowed. Answers that are still open stay usable. */
FENDEX_API void fendex_close(fendex_database* database);

#ifdef __cplusplus
}
#endif

#endif
