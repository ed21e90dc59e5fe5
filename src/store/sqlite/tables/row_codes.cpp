#include "store/sqlite/tables/row_codes.hpp"

#include <string>
#include <utility>

#include "codec/bits.hpp"
#include "replay/tag_facts.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/sums/game_sums.hpp"
#include "store/sqlite/tables/game_row.hpp"

namespace fendex::store {

namespace {

using namespace game_columns;

constexpr std::size_t kMostShapes = 100'000;

constexpr int kOpeningOfRow = kMoves;

std::string select_codes(const Connection& connection) {
    return std::string("SELECT ") + kTagColumns +
           (connection.format() >= kOpeningsFormat ? ", opening" : ", NULL") +
           " FROM main.game WHERE id = ?1";
}

}  // namespace

RowCodes::RowCodes(const Connection& connection)
    : select_(connection, select_codes(connection)),
      select_shape_(connection, "SELECT name FROM main.tag_shape WHERE id = ?1") {}

codec::GameCodes RowCodes::codes(GameId game) {
    const ResetAtEnd end(select_, as_signed(game));
    codec::GameCodes out;
    if (!select_.step()) return out;
    out.players = {code_of_value(select_.value(kWhite)), code_of_value(select_.value(kBlack))};
    out.names[codec::kEventName] = code_of_value(select_.value(kEvent));
    out.names[codec::kSiteName] = code_of_value(select_.value(kSite));
    out.names[codec::kEcoName] = codec::code_of_eco(select_.text(kEco));
    out.names[codec::kTerminationName] = termination(select_);
    out.opening = {code_of_value(select_.value(kOpeningOfRow))};
    return out;
}

std::uint32_t RowCodes::termination(const Statement& row) {
    codec::NameCodes names{};
    codec::ByteReader packed(row.blob(kTags));
    for (const bool is_termination : packed_tags(row.integer(kShape))) {
        const PackedValue value = read_packed(packed);
        // The damage of the row will be found when it is read.
        if (packed.failed()) return codec::kCodeInRow;
        if (is_termination) add_termination(code_of(value), names);
    }
    return names[codec::kTerminationName];
}

const std::vector<bool>& RowCodes::packed_tags(std::int64_t shape) {
    if (const auto known = shapes_.find(shape); known != shapes_.end()) return known->second;
    if (shapes_.size() >= kMostShapes) shapes_.clear();
    const ResetAtEnd end(select_shape_, shape);
    std::vector<bool> tags;
    if (select_shape_.step()) tags = packed_terminations(select_shape_.text(0));
    return shapes_[shape] = std::move(tags);  // only once they are complete
}

bool RowFacts::facts(GameId game, codec::GameFacts& out) {
    if (!games_.game(game, game_)) return false;
    tags_.clear();
    for (const auto& [name, value] : game_.tags) tags_.push_back({name, value});
    out = {};
    out.variant = game_.moves.facts.variant;
    out.plies = game_.moves.facts.plies;
    replay::read_stored_facts(tags_, game_.moves.facts.result, out);
    return true;
}

}  // namespace fendex::store
