// Which games reached this position? Every game that is named has been replayed to that ply and
// compared.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "chess/position.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

/// A position, or a bare key (then "compared" means by key).
struct Question {
    std::uint64_t key = 0;
    std::optional<chess::Position> position;

    static Question of(const chess::Position& position) { return {position.key(), position}; }
};

struct Hit {
    store::GameId game = 0;
    std::vector<std::uint32_t> plies;  // every one, ascending
    chess::Variant variant = chess::Variant::kStandard;
    /// As it stood in the game the first time, and the move played from there (none at the game's
    /// end).
    chess::Position position;
    std::optional<chess::Move> next;
};

struct Count {
    std::uint64_t games = 0;
    std::uint64_t occurrences = 0;
};

class PositionSearch {
  public:
    explicit PositionSearch(store::StoreReader& reader) : reader_(reader) {}

    /// Games in order, until visit() returns false.
    void find(const Question& question, const std::function<bool(const Hit&)>& visit);

    /// Positions with several postings are counted by their 64-bit key; with `verify` those games
    /// are replayed too.
    Count count(const Question& question, bool verify);

  private:
    bool check(const Question& question, store::GameId game,
               const std::vector<store::Candidate>& candidates);

    store::StoreReader& reader_;
    store::StoredMoves moves_;
    Hit hit_;
};

}  // namespace fendex::query
