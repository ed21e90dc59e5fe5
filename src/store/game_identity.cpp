#include "store/game_identity.hpp"

#include <unordered_map>

#include "base/text_fold.hpp"
#include "chess/zobrist.hpp"
#include "store/local_reader.hpp"

namespace fendex::store {

namespace {

using chess::zobrist::mix;

std::uint64_t hash_of(std::string_view text) { return std::hash<std::string_view>{}(text); }

std::uint64_t joined(std::uint64_t hash, std::uint64_t with) { return mix(hash) + with; }

void append_number(std::uint64_t number, std::string& out) {
    out += std::to_string(number);
    out += '\n';
}

}  // namespace

bool can_be_compared(const codec::GameFacts& facts) {
    return facts.plies != 0 && facts.variant != chess::Variant::kOther;
}

std::uint64_t hash_of_name(std::string_view name) { return hash_of(base::fold(name)); }

std::uint64_t hash_of_players(std::uint64_t white, std::uint64_t black) {
    return joined(white, black);
}

std::uint64_t hash_of_moves(const codec::GameFacts& facts, std::string_view start,
                            std::string_view moves) {
    const std::uint64_t numbers =
        std::uint64_t{facts.plies} << 8 | static_cast<unsigned>(facts.variant);
    return joined(joined(hash_of(moves), hash_of(start)), numbers);
}

std::uint64_t hash_of_game(std::uint64_t players, std::uint64_t moves,
                           const codec::GameFacts& facts) {
    const std::uint64_t numbers =
        std::uint64_t{facts.date.number()} << 8 | static_cast<unsigned>(facts.result);
    return joined(joined(players, moves), numbers);
}

std::string text_of_players(std::string_view white, std::string_view black) {
    // A folded name has no line ends.
    return base::fold(white) + '\n' + base::fold(black) + '\n';
}

std::string text_of_moves(const codec::GameFacts& facts, std::string_view start,
                          std::string_view moves) {
    std::string out;
    append_number(static_cast<unsigned>(facts.variant), out);
    append_number(facts.plies, out);
    out += start;
    out += '\n';
    out += moves;
    return out;
}

std::string text_of_game(const std::string& players, const std::string& moves,
                         const codec::GameFacts& facts) {
    std::string out = players;
    append_number(facts.date.number(), out);
    append_number(static_cast<unsigned>(facts.result), out);
    return out + moves;
}

std::string_view tag_of(const StoredGame& game, std::string_view name) {
    for (const auto& [tag, value] : game.tags) {
        if (tag == name) return value;
    }
    return {};
}

void for_each_hash(StoreReader& any_reader,
                   const std::function<void(const GameHashes&, const StoredMoves& moves)>& visit) {
    LocalReader& reader = require(any_reader, Capability::kDuplicateScan);
    std::unordered_map<std::uint32_t, std::uint64_t> names;  // by code
    reader.for_each_name(NameKind::kPlayer, [&](std::int64_t id, std::string_view name) {
        names.emplace(codec::code_of_id(id), hash_of_name(name));
    });
    const std::uint64_t nobody = hash_of_name("");
    const auto hash_of_player = [&](GameColumn side, GameId game) {
        const auto name = names.find(value_in(reader, side, game));
        return name == names.end() ? nobody : name->second;
    };
    reader.for_each_moves(1, [&](GameId id, const StoredMoves& moves) {
        if (!can_be_compared(moves.facts)) return true;
        GameHashes hashes;
        hashes.id = id;
        hashes.facts = reader.facts(id);
        hashes.players = hash_of_players(hash_of_player(GameColumn::kWhite, id),
                                         hash_of_player(GameColumn::kBlack, id));
        hashes.moves = hash_of_moves(moves.facts, moves.start, moves.moves);
        hashes.game = hash_of_game(hashes.players, hashes.moves, hashes.facts);
        visit(hashes, moves);
        return true;
    });
}

}  // namespace fendex::store
