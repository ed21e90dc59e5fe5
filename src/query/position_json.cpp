#include "query/position_json.hpp"

#include "base/hex.hpp"
#include "chess/position_status.hpp"
#include "chess/variant_names.hpp"

namespace fendex::query {

void add_position(const chess::AnyPosition& position, chess::Variant variant,
                  chess::FenDialect dialect, json::Object& object) {
    object.add("fen", chess::to_fen(position, dialect));
    object.add("epd", chess::to_epd(position));
    object.add("key", base::hex_key(position.key()));
    object.add("variant", chess::name_of(variant));
    object.add_object("dialects", [&](json::Object& dialects) {
        for (const auto& [other, name] : chess::kFenDialects) {
            if (other == chess::FenDialect::kStandard) continue;
            dialects.add(name, chess::to_fen(position, other));
        }
    });
    const chess::PositionStatus status =
        position.visit([](const auto& p) { return chess::status_of(p); });
    object.add("status", status.name);
    object.add("side", chess::name_of(position.side_to_move()));
    object.add("check", status.check);
    object.add("legal_moves", status.legal_moves);
    object.add("result", status.result);
    object.add("fifty_moves", status.fifty_moves);
    object.add("seventy_five_moves", status.seventy_five_moves);
    object.add("insufficient_material", status.insufficient_material);
}

}  // namespace fendex::query
