// evaluation(fen, variant): what engines found in a position, one row per variation of each search,
// the best search first. Without a FEN: all records of the database.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "query/evaluations.hpp"
#include "sqlite_ext/session.hpp"
#include "store/sqlite/file/api.hpp"

namespace fendex::sqlite_ext {

class EvaluationTable {
  public:
    static constexpr const char* kName = "evaluation";
    static constexpr const char* kDeclaration =
        "CREATE TABLE evaluation(search INTEGER, pv INTEGER, depth INTEGER, knodes INTEGER,"
        " cp INTEGER, mate INTEGER, uci TEXT, san TEXT, epd TEXT, key INTEGER, fen HIDDEN,"
        " variant HIDDEN)";

    static int best_index(sqlite3_index_info& info);

    explicit EvaluationTable(Session& session) : session_(session) {}

    void filter(int plan, std::span<sqlite3_value*> values);
    void next();
    bool eof() const { return at_ == records_.size(); }
    void column(sqlite3_context* context, int number) const;
    std::int64_t rowid() const { return row_; }

  private:
    struct Known {
        chess::AnyPosition position;
        codec::PositionRecord record;
    };

    void read_more();
    void enter();

    Session& session_;
    bool is_scan_ = false;                            // more records may follow those in records_
    std::uint64_t next_key_ = 0;                      // the first key that was not read
    std::uint64_t last_key_ = 0;                      // the last one that is wanted
    std::vector<Known> records_;                      // read at once
    std::size_t at_ = 0;                              // the current one of them
    std::vector<const codec::Evaluation*> searches_;  // of the current record
    std::size_t search_ = 0;
    std::size_t pv_ = 0;
    std::int64_t row_ = 0;
    std::string fen_;  // as it was given; empty if it was not
};

}  // namespace fendex::sqlite_ext
