// What engines said of positions: the records of several databases taken together, and their JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "chess/any_position.hpp"
#include "codec/position_record.hpp"
#include "store/position_records.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

/// The verdict on a position: the first PV of the best search.
struct Verdict {
    codec::Score score;
    std::uint32_t depth = 0;          // 0 if unknown
    std::optional<chess::Move> best;  // the first move of that PV; empty if it has none
};

/// Looks positions up in databases that outlive it. For one thread at a time.
class Evaluations {
  public:
    explicit Evaluations(std::span<store::StoreReader* const> readers);

    /// Returns whether no database has records, so that there is nothing to look up.
    bool empty() const { return records_.empty(); }

    /// Prepares for the calls of verdict() and verdict_after() that look_up() makes, if each would
    /// be a round trip to a server: calls it once, with verdicts that are all unknown, and reads
    /// those positions together. Throws StoreError.
    void expect(const std::function<void()>& look_up);
    /// Calls look_up(), after expect() with it. Throws StoreError.
    void together(const std::function<void()>& look_up) {
        expect(look_up);
        look_up();
    }
    /// Prepares in the same way for the verdicts on all positions of a game. Throws StoreError.
    void expect_game(store::GameId id, const store::StoredMoves& moves);
    /// Returns what all databases together know of exactly this position. Throws StoreError.
    [[nodiscard]] codec::PositionRecord record(const chess::AnyPosition& position);
    /// Throws StoreError.
    [[nodiscard]] std::optional<Verdict> verdict(const chess::AnyPosition& position);
    /// Returns the verdict on the position after a move, which is in SAN and legal. Throws
    /// StoreError.
    [[nodiscard]] std::optional<Verdict> verdict_after(chess::AnyPosition position,
                                                       std::string_view san);

  private:
    std::vector<store::PositionRecords*> records_;
    std::vector<std::uint64_t>* expected_ = nullptr;  // as long as expect() collects keys
};

/// Returns the searches of a record, the best one first.
[[nodiscard]] std::vector<const codec::Evaluation*> searches_of(
    const codec::PositionRecord& record);

/// Returns a score from White's view, as in "+0.31" and "#-4".
[[nodiscard]] std::string score_text(const codec::Score& score);
/// Returns the moves of a PV in UCI, castling as king takes rook, separated by blanks.
[[nodiscard]] std::string uci_line(const chess::AnyPosition& position,
                                   const std::vector<chess::Move>& moves);
/// Returns them in SAN with numbers, as in "1...c5 2.Nf3".
[[nodiscard]] std::string san_line(const chess::AnyPosition& position,
                                   const std::vector<chess::Move>& moves);

/// Adds the member cp or mate, from White's view.
void add_score(const codec::Score& score, json::Object& object);
/// Appends {"cp":31,"depth":40} or {"mate":-4,"depth":62}; json::Object::add() finds it.
void append_value(const Verdict& verdict, std::string& out);
/// Adds the members depth, knodes and pvs of the best search, and others: the searches with another
/// number of PVs, best first. Without a search, depth and knodes are null and the lists empty.
void add_evaluations(const chess::AnyPosition& position, const codec::PositionRecord& record,
                     json::Object& object);

}  // namespace fendex::query
