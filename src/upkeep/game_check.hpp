// Checks one game: compares its row, facts, signature, repetitions, quiet runs and ply rows with
// its tags and moves. One object per thread, with the thread's raw rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
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
    void complain(const char* kind, std::string message, std::optional<std::int64_t> ply = {}) {
        findings_->add({.kind = kind, .game = game_, .ply = ply, .message = std::move(message)});
    }
    bool replay();
    void check_row(const replay::GameStart& start);
    template <typename IsRight>
    void check_derived(const char* kind, const char* problem, IsRight is_right);
    void check_facts();
    void check_codes();
    void check_opening();
    void check_signature();
    void check_repetitions();
    void check_quiet_runs();
    void check_ply_rows();
    void check_annotation();
    void check_swings();

    store::RawRows& raw_rows_;
    bool ply_rows_;
    bool has_openings_;   // stored openings can be compared
    bool has_tag_facts_;  // stored time classes and dates, too
    bool has_swings_;     // and swings of games with annotations
    store::GameId game_ = 0;
    Findings* findings_ = nullptr;  // of the game
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
