// Reads the commands that servers and engines write into comments: [%clk 0:01:30], [%eval 0.17],
// [%emt 0:00:05].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/score.hpp"

namespace fendex::codec {

/// Return the value of a command in a comment. If there are several of the same kind, the first one
/// counts.
std::optional<double> clock_seconds(std::string_view comment);
std::optional<double> elapsed_seconds(std::string_view comment);
/// Returns pawns from White's view.
std::optional<double> eval_pawns(std::string_view comment);
/// Returns the number of moves to mate; negative if Black mates.
std::optional<std::int64_t> eval_mate(std::string_view comment);
/// Returns the evaluation, be it pawns or moves to mate.
std::optional<Score> eval_score(std::string_view comment);
/// Returns the depth that may follow the evaluation, as in [%eval 0.17,25].
std::optional<std::uint32_t> eval_depth(std::string_view comment);
/// Returns the comment without clk, emt and eval; other commands, like [%cal Ge2e4], stay.
std::string without_numbers(std::string_view comment);

}  // namespace fendex::codec
