// Compares stored games by the rule of query/same_game.hpp. Joined names are one name. Belongs to
// the thread of its reader.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/name_fit.hpp"
#include "codec/game_facts.hpp"
#include "query/game_moves.hpp"
#include "store/joined_names.hpp"
#include "store/local_reader.hpp"

namespace fendex::query {

struct ComparedPlayer {
    std::uint32_t code = 0;  // of the name that stands for the player
    base::PersonName name;
};

/// What most comparisons need of a game.
struct ComparedValues {
    std::uint32_t white = 0;  // codes of the names, before names are joined
    std::uint32_t black = 0;
    codec::Date date;
    std::uint32_t plies_and_result = 0;

    [[nodiscard]] std::uint32_t plies() const { return plies_and_result >> 8; }
    [[nodiscard]] codec::Result result() const {
        return static_cast<codec::Result>(plies_and_result & 0xFF);
    }
    void set(std::uint32_t plies, codec::Result result) {
        plies_and_result = plies << 8 | static_cast<std::uint32_t>(result);
    }
};

struct ComparedGame {
    store::GameId id = 0;
    ComparedValues values;
    std::shared_ptr<const ComparedPlayer> white;
    std::shared_ptr<const ComparedPlayer> black;

    struct Content {
        std::string event;
        std::string site;
        std::string round;
        chess::Variant variant = chess::Variant::kStandard;
        std::string start;
        Moves moves;
    };
    std::unique_ptr<Content> content;  // read when values and players do not decide
};

class GameComparison {
  public:
    explicit GameComparison(store::LocalReader& reader);

    [[nodiscard]] ComparedGame game(store::GameId id, const ComparedValues& values);
    /// Returns the certainty() that these are one game; empty if they are not.
    [[nodiscard]] std::optional<unsigned> compare(ComparedGame& a, ComparedGame& b);
    /// Returns a number for a game's headers and moves, by which games are put in an order that
    /// does not depend on their ids: long games first. Equal for games that differ in nothing, and
    /// by chance for others.
    [[nodiscard]] std::uint64_t rank(store::GameId game);
    /// Returns a text that is equal only for games that differ in nothing.
    [[nodiscard]] std::string text(store::GameId game);
    /// Returns a number by which near names are neighbours: the first letters of the surname as it
    /// sounds. `code` is the code of a player's name.
    [[nodiscard]] std::uint64_t surname_order(std::uint32_t code);

  private:
    struct Spelling {
        std::string headers;
        store::StoredMoves moves;
    };

    /// The result is valid until the next call.
    const Spelling& spelling_of(store::GameId game);
    std::shared_ptr<const ComparedPlayer> player(std::uint32_t code);
    const ComparedGame::Content& content_of(ComparedGame& game);
    void replace_joined(store::GameId game, store::GameColumn column, store::NameKind kind,
                        const store::JoinedNames& joined, std::string& name);

    store::LocalReader& reader_;
    std::shared_ptr<const store::JoinedNames> joined_players_;
    std::shared_ptr<const store::JoinedNames> joined_events_;
    std::shared_ptr<const store::JoinedNames> joined_sites_;
    std::unordered_map<std::uint32_t, std::shared_ptr<const ComparedPlayer>> players_;  // by code
    Spelling spelling_;
};

}  // namespace fendex::query
