// Reads rows of table game: by id, many in one query, and in scans. The rows that were fetched last
// are kept, so that a caller that asks for one game after the other does not cause a round trip for
// each. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "clickhouse/expected_games.hpp"
#include "clickhouse/snapshot.hpp"
#include "store/store_reader.hpp"

namespace fendex::clickhouse {

class AnswerRow;

class GameRows {
  public:
    /// The parts of a game that are read besides its facts: a sum of these.
    enum Parts : unsigned { kFacts = 0, kMoves = 1, kTags = 2, kAnnotation = 4 };
    struct Row {
        codec::GameFacts facts;
        store::StoredGame game;
        std::string annotation;
    };

    GameRows(ReadSession& session, ExpectedGames& expected)
        : session_(&session), expected_(&expected) {}

    /// Drops the kept rows. Call it when the snapshot has changed.
    void forget() { kept_ = {}; }

    /// Visits the given games in their order and skips those that do not exist.
    void list(unsigned parts, std::span<const GameId> games,
              const std::function<void(GameId, const Row&)>& visit);
    /// Visits the games from `first` on, in order, until visit() returns false. With kAnnotation
    /// alone, visits only games that have one.
    void scan(unsigned parts, GameId first, const std::function<bool(GameId, const Row&)>& visit);

  private:
    /// Games that were fetched by one query.
    struct Batch {
        unsigned parts = kFacts;
        std::vector<GameId> games;  // in the query, ascending
        std::unordered_map<GameId, Row> rows;

        [[nodiscard]] bool covers(GameId game) const;
    };

    [[nodiscard]] std::shared_ptr<const Batch> batch(unsigned parts, std::span<const GameId> games);
    /// Calls take(id, row) for the rows that fit a condition; take() may move from the row. It
    /// returns false for a game that was not wanted or has been taken already.
    template <typename Take>
    void select(unsigned parts, const std::string& condition, Take take);
    static void read(AnswerRow& in, unsigned parts, Row& out);

    ReadSession* session_;
    ExpectedGames* expected_;
    std::array<std::shared_ptr<const Batch>, 8> kept_;  // by parts
};

}  // namespace fendex::clickhouse
