// The rows of repeated positions, and of long runs without capture and pawn move.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <variant>

#include "ask/rows.hpp"
#include "ask/sources.hpp"
#include "chess/fen.hpp"
#include "query/repetition_analysis.hpp"

namespace fendex::ask {

struct RepeatsQuestion {
    std::variant<query::RepetitionQuery, query::ClockQuery> what;
    store::GameFilter filter = {};
    store::GameOrder order = store::GameOrder::kId;
};

/// How the position of a row is shown.
struct PositionStyle {
    chess::FenDialect dialect = chess::FenDialect::kStandard;
    bool shown = true;       // otherwise key and fen are empty, which saves a replay
    bool with_move = false;  // a column `move` after fen: the move that led to the last shown ply
};

[[nodiscard]] std::unique_ptr<Rows> repetition_rows(const Context& context,
                                                    const RepeatsQuestion& question,
                                                    const PositionStyle& position);

}  // namespace fendex::ask
