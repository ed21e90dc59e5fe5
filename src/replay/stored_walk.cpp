#include "replay/stored_walk.hpp"

#include "store/store_error.hpp"

namespace fendex::replay {

namespace {

[[noreturn]] void throw_no_start(store::GameId game) {
    throw store::DamageError("damaged database: the start of game " + std::to_string(game) +
                             " is not a position");
}

}  // namespace

chess::Position start_position(store::GameId game, const store::StoredMoves& moves) {
    static const chess::Position standard;
    if (moves.start.empty()) return standard;
    const chess::FenResult start = chess::parse_fen(moves.start);
    if (!start.position) throw_no_start(game);
    return *start.position;
}

chess::VariantPosition variant_start_position(store::GameId game, const store::StoredMoves& moves) {
    const chess::Variant variant = moves.facts.variant;
    if (moves.start.empty()) return chess::VariantPosition(variant);
    const chess::FenResult start = chess::parse_any_fen(moves.start, variant);
    if (!start.variant_position) throw_no_start(game);
    return *start.variant_position;
}

void throw_damaged_moves(store::GameId game, std::uint32_t ply) {
    throw store::DamageError("damaged database: the moves of game " + std::to_string(game) +
                             " cannot be replayed beyond ply " + std::to_string(ply));
}

void throw_damaged_annotation(store::GameId game) {
    throw store::DamageError("damaged database: the annotation of game " + std::to_string(game));
}

AnyWalk::AnyWalk(store::GameId game, const store::StoredMoves& moves)
    : game_(game), walk_([&]() -> std::variant<codec::GameWalk, codec::VariantWalk> {
          if (chess::has_standard_rules(moves.facts.variant)) return walk(game, moves);
          return codec::VariantWalk(variant_start_position(game, moves), moves.moves,
                                    moves.facts.plies);
      }()) {}

}  // namespace fendex::replay
