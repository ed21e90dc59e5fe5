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
    GameRows(ReadSession& session, ExpectedGames& expected)
        : session_(&session), expected_(&expected) {}

    /// Drops the kept rows. Call it when the snapshot has changed.
    void forget() { kept_ = {}; }

    // These visit the given games in their order and skip those that do not exist.
    void headers(std::span<const GameId> games,
                 const std::function<void(const store::GameHeader&)>& visit);
    void moves(std::span<const GameId> games,
               const std::function<void(GameId, const store::StoredMoves&)>& visit);
    void games(std::span<const GameId> games,
               const std::function<void(GameId, const store::StoredGame&)>& visit);
    void annotations(std::span<const GameId> games,
                     const std::function<void(GameId, std::string_view)>& visit);

    [[nodiscard]] bool exists(GameId game);
    /// Returns the facts of a game; empty ones if the game does not exist.
    [[nodiscard]] codec::GameFacts facts(GameId game);
    /// Reads the annotation of a game. Returns false if it has none.
    bool annotation(GameId game, std::string& stream);

    // These visit the games from `first` on, in order, until visit() returns false.
    void for_each_moves(GameId first,
                        const std::function<bool(GameId, const store::StoredMoves&)>& visit);
    void for_each_game(GameId first,
                       const std::function<bool(GameId, const store::StoredGame&)>& visit);
    void for_each_annotation(GameId first,
                             const std::function<bool(GameId, std::string_view)>& visit);

  private:
    /// The parts of a game that are read besides its facts: a sum of these.
    enum Parts : unsigned { kFacts = 0, kMoves = 1, kTags = 2, kAnnotation = 4 };

    struct Row {
        codec::GameFacts facts;
        store::StoredGame game;
        std::string annotation;
    };

    /// Games that were fetched by one query.
    struct Batch {
        unsigned parts = kFacts;
        std::vector<GameId> games;  // in the query, ascending
        std::unordered_map<GameId, Row> rows;

        [[nodiscard]] bool covers(GameId game) const;
        [[nodiscard]] const Row* find(GameId game) const;
    };

    [[nodiscard]] std::shared_ptr<const Batch> batch(unsigned parts, std::span<const GameId> games);
    [[nodiscard]] std::shared_ptr<const Batch> kept(unsigned parts, std::span<const GameId> games);
    [[nodiscard]] std::shared_ptr<const Batch> batch_of(unsigned parts, GameId game) {
        return batch(parts, {&game, 1});
    }
    template <typename Visit>
    void for_each_listed(unsigned parts, std::span<const GameId> games, Visit visit);
    template <typename Visit>
    void scan(unsigned parts, GameId first, Visit visit);
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
