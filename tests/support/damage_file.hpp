// Damages databases: a column of a row, or a byte of the file. For tests of properties ("each
// damage is found or changes no query result") and for the fuzzer, which supplies the numbers.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "ingest/importer.hpp"

namespace fendex::test {

/// A column that may be damaged.
struct DamageTarget {
    const char* table;
    const char* key;  // columns that identify a row
    const char* column;
    /// The value is stored only once: a changed value makes another valid game, which nothing can
    /// detect.
    bool original = false;
};

inline constexpr DamageTarget kDamageTargets[] = {
    {"block", "id", "data"},
    {"block", "id", "first_key"},
    {"block", "id", "part"},
    {"block", "id", "segment"},
    {"segment", "id", "first_game"},
    {"segment", "id", "last_game"},
    {"segment", "id", "postings"},
    {"segment", "id", "positions"},
    {"segment", "id", "key_bits"},
    {"segment", "id", "kind"},
    {"game", "id", "moves"},
    {"game", "id", "plies"},
    {"game", "id", "variant"},
    {"game", "id", "fen"},
    {"game", "id", "shape", true},
    {"game", "id", "tags", true},
    {"game", "id", "white", true},
    {"game", "id", "site", true},
    {"game", "id", "date", true},
    {"game", "id", "result", true},
    {"game", "id", "white_elo", true},
    {"game", "id", "eco", true},
    {"game", "id", "opening"},
    {"game", "id", "id"},
    {"opening", "id", "name", true},
    {"game_opening", "chunk", "data"},
    {"game_swing", "chunk", "data"},
    {"game_swing", "chunk", "chunk"},
    {"player", "id", "name", true},
    {"player", "id", "id"},
    {"tag_shape", "id", "name", true},
    {"tag_value", "id", "name", true},
    {"fact", "chunk", "data"},
    {"fact", "chunk", "chunk"},
    {"signature", "chunk", "data"},
    {"signature", "chunk", "chunk"},
    {"repetition", "game_id, key", "plies"},
    {"repetition", "game_id, key", "count"},
    {"repetition", "game_id, key", "key"},
    {"repetition", "game_id, key", "game_id"},
    {"repetition", "game_id, key", "third_ply"},
    {"quiet_run", "game_id, ply50", "ply50"},
    {"quiet_run", "game_id, ply50", "ply75"},
    {"quiet_run", "game_id, ply50", "longest"},
    {"ply", "game_id, ply", "fen"},
    {"ply", "game_id, ply", "key"},
    {"ply", "game_id, ply", "occurrence"},
    {"meta", "name", "value"},
    {"source", "id", "first_game"},
    {"source", "id", "games"},
    {"source", "id", "errors"},
    {"import_error", "id", "source"},
    {"import_error", "id", "game_id"},
    {"deleted", "chunk", "games"},
    {"deleted", "chunk", "chunk"},
};

/// How a value is damaged; `number` selects the place and the details.
enum class DamageKind { kFlipBit, kSetByte, kTruncate, kExtend, kInteger, kText, kDelete, kCount };

struct DamageStep {
    std::size_t target = 0;
    DamageKind kind = DamageKind::kFlipBit;
    std::uint32_t row = 0;
    std::uint64_t number = 0;
};

namespace detail {

inline void damage_value(sqlite3_context* context, int, sqlite3_value** values) {
    const auto& step = *static_cast<const DamageStep*>(sqlite3_user_data(context));
    const int type = sqlite3_value_type(values[0]);
    if (step.kind == DamageKind::kInteger) {
        constexpr std::int64_t kOdd[] = {-1, 0, 1, 255, 65'536, INT64_MAX, INT64_MIN, 1LL << 40};
        sqlite3_result_int64(
            context, step.number < 8 ? kOdd[step.number] : static_cast<std::int64_t>(step.number));
        return;
    }
    if (step.kind == DamageKind::kText) {
        sqlite3_result_text(context, step.number % 2 == 0 ? "x" : "", -1, SQLITE_STATIC);
        return;
    }
    if (type == SQLITE_INTEGER) {
        sqlite3_result_int64(
            context,
            static_cast<std::int64_t>(static_cast<std::uint64_t>(sqlite3_value_int64(values[0])) ^
                                      std::uint64_t{1} << step.number % 64));
        return;
    }
    const auto* bytes = static_cast<const char*>(sqlite3_value_blob(values[0]));
    std::string data(bytes == nullptr ? "" : bytes,
                     static_cast<std::size_t>(sqlite3_value_bytes(values[0])));
    const std::size_t at = data.empty() ? 0 : step.number / 8 % data.size();
    switch (step.kind) {
        case DamageKind::kFlipBit:
            if (!data.empty()) data[at] = static_cast<char>(data[at] ^ 1 << step.number % 8);
            break;
        case DamageKind::kSetByte:
            if (!data.empty()) data[at] = static_cast<char>(step.number >> 32);
            break;
        case DamageKind::kTruncate: data.resize(at); break;
        default: data.insert(at, step.number % 64, static_cast<char>(step.number >> 32)); break;
    }
    if (type == SQLITE_TEXT) {
        sqlite3_result_text(context, data.data(), static_cast<int>(data.size()), SQLITE_TRANSIENT);
    } else {
        sqlite3_result_blob(context, data.data(), static_cast<int>(data.size()), SQLITE_TRANSIENT);
    }
}

}  // namespace detail

/// Runs SQL on a file as any program might. False if it failed.
inline bool run_sql(const std::string& path, const std::string& sql) {
    sqlite3* db = nullptr;
    sqlite3_open(path.c_str(), &db);
    const int rc = sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
    sqlite3_close(db);
    return rc == SQLITE_OK;
}

/// Returns how many values were changed; 0 if the row does not exist.
inline int damage(const std::string& path, const DamageTarget& target, const DamageStep& step) {
    sqlite3* db = nullptr;
    sqlite3_open(path.c_str(), &db);
    sqlite3_create_function(db, "damage_value", 1, SQLITE_UTF8, const_cast<DamageStep*>(&step),
                            detail::damage_value, nullptr, nullptr);
    const std::string table = target.table;
    const std::string where = " WHERE (" + std::string(target.key) + ") = (SELECT " + target.key +
                              " FROM " + table + " LIMIT 1 OFFSET " + std::to_string(step.row) +
                              " % max(1, (SELECT count(*) FROM " + table + ")))";
    const std::string column = target.column;
    const std::string sql =
        "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; " +
        (step.kind == DamageKind::kDelete
             ? "DELETE FROM " + table + where
             : "UPDATE " + table + " SET " + column + " = damage_value(" + column + ")" + where +
                   " AND damage_value(" + column + ") IS NOT " + column);
    sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
    const int changes = sqlite3_changes(db);
    sqlite3_close(db);
    return changes;
}

inline int damage(const std::string& path, const DamageStep& step) {
    return damage(path, kDamageTargets[step.target % std::size(kDamageTargets)], step);
}

/// Returns a small archive with repetitions, a run of fifty moves, another start and errors, and
/// with enough short games for a big position.
inline std::string archive_with_everything(int short_games = 270) {
    std::string text;
    for (int i = 0; i < short_games; ++i) {
        text += "[White \"M" + std::to_string(i % 7) + "\"]\n[Date \"19" +
                std::to_string(10 + i % 90) + ".01.02\"]\n[WhiteElo \"2" +
                std::to_string(100 + i % 800) + "\"]\n[Termination \"time forfeit\"]\n\n1. " +
                (i % 3 == 0 ? "e4 e5 2. Nf3" : "d4 d5") + (i % 2 == 0 ? " 1-0\n\n" : " 0-1\n\n");
    }
    text += "[White \"A\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 1/2-1/2\n\n";
    text +=
        "[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 97 60\"]\n[SetUp \"1\"]\n\n1. O-O Kd7 2. Rad1+ "
        "Ke8 3. Rde1+ Kd8 1-0\n\n";
    text +=
        "[Variant \"Chess960\"]\n[FEN \"bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBRN w KQkq - 0 "
        "1\"]\n\n1. d4 d5 2. Nd3 Nd6 *\n\n";
    text += "[Variant \"Xiangqi\"]\n\n1. e4 *\n\n";
    text +=
        "[White \"B\"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.9]} 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# Kxf7 "
        "1-0\n\n";
    return text;
}

}  // namespace fendex::test
