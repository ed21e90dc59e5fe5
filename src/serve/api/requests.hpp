// The parameters that several routes of the API share: their descriptions, and functions that read
// them from a request. The table of routes has checked types, ranges and choices. Any thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "chess/any_position.hpp"
#include "query/game_filter.hpp"
#include "query/position_match.hpp"
#include "serve/routes.hpp"

namespace fendex::serve::api {

using Parameters = std::vector<ParameterSpec>;

/// Joins descriptions. If two have the same name, keeps the first.
Parameters joined(std::initializer_list<Parameters> groups);

/// Describes fen, play, moves, variant.
Parameters position_parameters();
Parameters filter_parameters();
ParameterSpec match_parameter();
ParameterSpec dialect_parameter();
ParameterSpec flag_parameter(std::string name, std::string help);
ParameterSpec number_parameter(std::string name, std::string help, std::uint64_t low = 0);
ParameterSpec choice_parameter(std::string name, std::vector<std::string> choices,
                               std::string help);

std::string text_of(const Call& call, std::string_view name);
std::optional<std::uint64_t> number_of(const Call& call, std::string_view name);
bool flag_of(const Call& call, std::string_view name);
chess::FenDialect dialect_of(const Call& call);
query::Match match_of(const Call& call);
/// Throws query::FilterError.
query::GameFilter filter_of(const Call& call);

/// Returns the variant of the request. Throws Refusal if its rules are not known.
std::optional<chess::Variant> variant_of(const Call& call);

/// A position and moves from it, as given by fen, play, moves and variant.
struct LineRequest {
    chess::Variant variant = chess::Variant::kStandard;  // may be Chess960, too
    chess::AnyPosition start;
    std::vector<chess::Move> moves;
    chess::AnyPosition end;
};

/// Returns whether the request has a position.
bool asks_position(const Call& call);
/// Returns the line of a request, by default the start of the variant. Throws Refusal, also if the
/// position does not allow `match`.
LineRequest line_of(const Call& call, query::Match match = query::Match::kExact);

}  // namespace fendex::serve::api
