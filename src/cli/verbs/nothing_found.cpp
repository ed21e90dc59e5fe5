#include "cli/verbs/nothing_found.hpp"

#include <fmt/core.h>

#include <cstdio>

#include "chess/variant_names.hpp"
#include "cli/output/output.hpp"
#include "query/games_by_variant.hpp"
#include "query/near_names.hpp"
#include "query/position_search.hpp"

namespace fendex::cli {

namespace {

void hint(const std::string& text) { fmt::print(stderr, "fendex: {}\n", printable(text)); }

std::string games_text(std::uint64_t games) { return counted(games, "game"); }

/// What the database holds, if it has no game of these rules.
bool explain_variant(store::StoreReader& reader, chess::Variant asked) {
    std::string held;
    for (const auto& [variant, games] : query::games_by_variant(reader)) {
        if (query::is_of_variant(variant, asked)) return false;
        held += (held.empty() ? "" : ", ") + grouped(games) + " of " +
                std::string(chess::name_of(variant));
    }
    if (held.empty()) {
        hint("the database has no games");
    } else {
        hint("the database has no games of " + std::string(chess::name_of(asked)) + "; it has " +
             held + ": --variant NAME asks for those");
    }
    return true;
}

bool explain_names(store::StoreReader& reader, const query::GameFilter& filter) {
    const std::vector<query::UnmetName> unmet = query::unmet_names(reader, filter);
    for (const query::UnmetName& name : unmet) {
        std::string text = "--" + name.option + ": no name has the words '" + name.words + "'";
        for (const query::NearName& near : name.near) {
            text += (&near == &name.near.front() ? "; near are '" : ", '") + near.name + "' (" +
                    games_text(near.games) + ")";
        }
        hint(text);
    }
    return !unmet.empty();
}

void explain_position(store::StoreReader& reader, const query::GameFilter& filter,
                      const chess::AnyPosition& position, query::Match match) {
    const auto games = [&](query::GameMatcher& matcher, query::Match how) {
        return query::PositionSearch(reader, matcher)
            .count(query::Question::of(position, how), false)
            .games;
    };
    query::GameMatcher every_game(reader);
    if (const std::uint64_t others = games(every_game, match); others != 0) {
        hint(games_text(others) + " reached the position, but none that meets the conditions");
        return;
    }
    if (match == query::Match::kBoard ||
        !query::reason_against(query::Match::kBoard, position.variant()).empty()) {
        return;
    }
    query::GameMatcher matcher(reader, filter);
    if (const std::uint64_t same_board = games(matcher, query::Match::kBoard); same_board != 0) {
        hint(games_text(same_board) +
             " reached its board with another side to move, other castling rights or en passant: "
             "--match board");
    }
}

}  // namespace

void explain_nothing(const Arguments& arguments, store::StoreReader& reader,
                     const query::GameFilter& filter, const Sought& sought) {
    if (arguments.has("quiet")) return;
    const chess::Variant variant = sought.position
                                       ? sought.position->variant()
                                       : filter.variant.value_or(chess::Variant::kStandard);
    if ((sought.position || filter.variant || reader.info().games == 0) &&
        explain_variant(reader, variant)) {
        return;
    }
    if (sought.variations && reader.info().variation_segments == 0) {
        hint("no variations are indexed here: import games with --variations");
    }
    if (explain_names(reader, filter)) return;
    if (sought.position) explain_position(reader, filter, *sought.position, sought.match);
}

}  // namespace fendex::cli
