// Databases to damage, their query results before, and the findings of a check after.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "support/answers.hpp"
#include "support/damage_file.hpp"
#include "support/process.hpp"
#include "upkeep/database_check.hpp"
#include "upkeep/repair.hpp"

namespace fendex::test {

inline upkeep::CheckReport checked(const std::string& path, unsigned threads = 2) {
    return upkeep::check_database(path, {.threads = threads, .memory_bytes = 1 << 22});
}

/// A line per finding, for INFO.
inline std::string text_of(const upkeep::Findings& findings) {
    std::string out;
    for (const upkeep::Damage& damage : findings.listed()) {
        out += damage.kind + " game " + std::to_string(damage.game.value_or(0)) + " ply " +
               std::to_string(damage.ply.value_or(-1)) + " segment " +
               std::to_string(damage.segment.value_or(0)) + " row " +
               std::to_string(damage.row.value_or(0)) + ": " + damage.message + "\n";
    }
    return out;
}

inline std::set<std::string> kinds_of(const upkeep::Findings& findings) {
    std::set<std::string> kinds;
    for (const auto& [kind, count] : findings.counts()) kinds.insert(kind);
    return kinds;
}

inline std::vector<chess::Position> asked_positions() {
    std::vector<chess::Position> out(2);
    out[1].play(chess::Move(12, 28, chess::MoveKind::kDoublePush));
    return out;
}

inline std::string answers_of(const std::string& path) {
    return Answers(path).all(asked_positions());
}

/// As in a database that an earlier program has written.
inline const std::string kForgetRowSums = "DELETE FROM meta WHERE name = 'row_sums';";

/// Copies of one database of everything, which is imported once, for tests to damage.
class Damaged {
  public:
    Damaged() : path_(directory_ / "damaged.db") { restore(); }

    const std::string& path() const { return path_; }
    void restore() const {
        std::filesystem::copy_file(intact(), path_,
                                   std::filesystem::copy_options::overwrite_existing);
    }
    void sql(const std::string& statements) const { REQUIRE(run_sql(path_, statements)); }

    static const std::string& intact() {
        static const TemporaryDirectory directory;
        static const std::string path = [] {
            const std::string pgn = directory.write("all.pgn", archive_with_everything());
            const std::string more = directory.write(
                "more.pgn", "[White \"Z\"]\n\n1. c4 (1. d4 d5) c5 2. Nc3 Qxx 0-1\n");
            std::string out = directory / "intact.db";
            ingest::ImportOptions options;
            options.segment_postings =
                1;  // segments are not merged: there are two, and one of variations
            ingest::import_files(out, {pgn}, options);
            options.annotations = options.variations = true;
            options.as_given = "--annotations --variations";
            ingest::import_files(out, {more}, options);
            return out;
        }();
        return path;
    }

  private:
    TemporaryDirectory directory_;
    std::string path_;
};

}  // namespace fendex::test
