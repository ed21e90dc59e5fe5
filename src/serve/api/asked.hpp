// The parameters that several routes of the API share: their descriptions, and what they say in a
// request. Types, ranges and choices have been checked by the table of routes. Any thread.
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

/// Joins descriptions; of two with one name, the first stays.
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

/// Returns the variant that is asked for, whose rules must be known. Throws Refusal.
std::optional<chess::Variant> variant_of(const Call& call);

/// Moves from a position, which fen, play, moves and variant ask for.
struct AskedLine {
    chess::Variant variant = chess::Variant::kStandard;  // tells standard chess from Chess960
    chess::AnyPosition start;
    std::vector<chess::Move> moves;
    chess::AnyPosition end;
};

/// Returns whether a position is asked for.
bool asks_position(const Call& call);
/// Returns the line of a request; the variant's start if none is asked for. The position must allow
/// `match`. Throws Refusal.
AskedLine line_of(const Call& call, query::Match match = query::Match::kExact);

}  // namespace fendex::serve::api
