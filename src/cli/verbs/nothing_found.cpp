#include "cli/verbs/nothing_found.hpp"

#include <algorithm>
#include <utility>

#include "chess/variant_names.hpp"
#include "cli/options/say.hpp"
#include "cli/output/output.hpp"
#include "query/games_by_variant.hpp"
#include "query/near_names.hpp"
#include "query/position_search.hpp"

namespace fendex::cli {

namespace {

std::string games_text(std::uint64_t games) { return counted(games, "game"); }

/// Prints which variants the database has, if it has no game of this one.
bool explain_variant(store::StoreReader& reader, chess::Variant asked) {
    std::string held;
    for (const auto& [variant, games] : query::games_by_variant(reader)) {
        if (query::is_of_variant(variant, asked)) return false;
        held += (held.empty() ? "" : ", ") + grouped(games) + " of " +
                std::string(chess::name_of(variant));
    }
    if (held.empty()) {
        say("the database has no games");
    } else {
        say("the database has no games of " + std::string(chess::name_of(asked)) + "; it has " +
            held + ": --variant NAME searches those");
    }
    return true;
}

bool explain_names(store::StoreReader& reader, const query::GameFilter& filter) {
    const std::vector<query::UnmetName> unmet = query::unmet_names(reader, filter);
    for (const query::UnmetName& name : unmet) {
        std::string text = "--" + name.field + ": no name has the words '" + name.words + "'";
        for (const query::NameCount& near : name.near) {
            text += (&near == &name.near.front() ? "; near are '" : ", '") + near.name + "' (" +
                    games_text(near.games) + ")";
        }
        say(text);
    }
    return !unmet.empty();
}

void explain_position(store::StoreReader& reader, const query::GameFilter& filter,
                      const Sought& question) {
    const auto games = [&](query::GameMatcher& matcher, query::Match how) {
        return query::PositionSearch(reader, matcher)
            .count(query::Question::of(*question.position, how), false)
            .games;
    };
    query::GameMatcher every_game(reader);
    if (const std::uint64_t others = games(every_game, question.match); others != 0) {
        say(question.where + games_text(others) + " reached the position, but none that " +
            std::string(question.wanted));
        return;
    }
    if (question.match == query::Match::kBoard ||
        !query::reason_against(query::Match::kBoard, question.position->variant()).empty()) {
        return;
    }
    query::GameMatcher matcher(reader, filter);
    if (const std::uint64_t same_board = games(matcher, query::Match::kBoard); same_board != 0) {
        say(question.where + games_text(same_board) +
            " reached its board with another side to move, other castling rights or en passant: "
            "--match board");
    }
}

}  // namespace

void Unanswered::add(Sought question) {
    constexpr std::size_t kExplained = 5;
    if (first_.size() < kExplained) {
        first_.push_back(std::move(question));
    } else {
        ++more_;
    }
}

void Unanswered::explain(const Arguments& arguments, store::StoreReader& reader,
                         const query::GameFilter& filter) const {
    if (arguments.has("quiet") || first_.empty()) return;
    std::vector<chess::Variant> absent;  // variants without games
    std::vector<const Sought*> others;
    for (const Sought& each : first_) {
        const chess::Variant variant = each.position
                                           ? each.position->variant()
                                           : filter.variant.value_or(chess::Variant::kStandard);
        const bool asks = each.position || filter.variant || reader.info().games == 0;
        if (std::find(absent.begin(), absent.end(), variant) != absent.end()) continue;
        if (asks && explain_variant(reader, variant)) {
            absent.push_back(variant);
        } else {
            others.push_back(&each);
        }
    }
    if (others.empty()) return;
    if (others.front()->variations && reader.info().variation_pieces == 0) {
        say("no variations are indexed here: import games with --variations");
    }
    if (explain_names(reader, filter)) return;
    for (const Sought* each : others) {
        if (each->position) explain_position(reader, filter, *each);
    }
    if (more_ != 0) say("... and " + counted(more_, "more question") + " without games");
}

void explain_nothing(const Arguments& arguments, store::StoreReader& reader,
                     const query::GameFilter& filter, Sought question) {
    Unanswered only;
    only.add(std::move(question));
    only.explain(arguments, reader, filter);
}

}  // namespace fendex::cli
