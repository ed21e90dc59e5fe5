// The question for a tree of several plies as PGN.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

#include "ask/fields.hpp"
#include "ask/given.hpp"
#include "ask/sources.hpp"
#include "emit/tree_pgn.hpp"

namespace fendex::ask {

inline constexpr unsigned kUsualTreeDepth = 10;

struct TreePgnQuestion {
    Line line;
    unsigned depth = kUsualTreeDepth;
    std::optional<std::uint64_t> min_games;
    store::GameFilter filter = {};
};

/// The fields depth and min-games.
[[nodiscard]] FieldText tree_depth_field();
[[nodiscard]] FieldText tree_games_field();

/// Throws QuestionError and store::FilterError.
[[nodiscard]] TreePgnQuestion tree_pgn_question(const Given& given);
/// The sources must outlive what is returned.
[[nodiscard]] std::unique_ptr<emit::TreePgn> tree_pgn(Sources& sources,
                                                      const TreePgnQuestion& question,
                                                      const chess::SanSpelling& spelling = {},
                                                      const std::stop_token& stop = {});

}  // namespace fendex::ask
