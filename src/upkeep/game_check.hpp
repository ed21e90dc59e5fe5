// Checks one game: compares its row, facts, signature, repetitions, quiet runs and ply rows with
// its tags and moves. One object per thread, with the thread's raw rows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "replay/game_start.hpp"
#include "replay/game_trace.hpp"
#include "store/sqlite/repair/raw_rows.hpp"
#include "upkeep/damage.hpp"

namespace fendex::upkeep {

class GameCheck {
  public:
    GameCheck(store::RawRows& raw_rows, bool ply_rows);

    /// Returns false if the game cannot be read or replayed. Otherwise trace() has its positions;
    /// it is empty if the game's rules are unknown.
    [[nodiscard]] bool check(store::GameId game, Findings& findings, store::GameSums& sums);
    const replay::GameRecord& trace() const { return trace_.record(); }

  private:
    bool replay(Findings& findings);
    void check_row(const replay::GameStart& start, Findings& findings);
    template <typename IsRight>
    void check_derived(const char* kind, const char* problem, IsRight is_right, Findings& findings);
    void check_facts(Findings& findings);
    void check_codes(Findings& findings);
    void check_opening(Findings& findings);
    void check_signature(Findings& findings);
    void check_repetitions(Findings& findings);
    void check_quiet_runs(Findings& findings);
    void check_ply_rows(Findings& findings);
    void check_annotation(Findings& findings);

    store::RawRows& raw_rows_;
    bool ply_rows_;
    bool has_openings_;   // stored openings can be compared
    bool has_tag_facts_;  // stored time classes and dates, too
    store::GameId game_ = 0;
    store::StoredGame stored_;
    std::vector<store::TagPair> tags_;
    replay::AnyTrace trace_;
    codec::GameFacts facts_;  // from the tags and the row
    std::string packed_;
    std::vector<codec::GameSignature> signatures_;  // of all games of chunk_
    std::uint64_t chunk_ = ~std::uint64_t{0};
    std::string annotation_;
    store::PlyRowList rows_;  // the expected ply rows
};

}  // namespace fendex::upkeep
