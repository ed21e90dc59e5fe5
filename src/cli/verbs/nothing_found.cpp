#include "cli/verbs/nothing_found.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/joined.hpp"
#include "base/screen.hpp"
#include "chess/variant_names.hpp"
#include "cli/options/say.hpp"
#include "cli/output/output.hpp"
#include "query/games_by_variant.hpp"
#include "query/near_names.hpp"
#include "query/position_search.hpp"

namespace fendex::cli {

namespace {

std::string games_text(std::uint64_t games) { return counted(games, "game"); }

using Readers = std::span<store::StoreReader* const>;

/// If the databases have no game of a variant, prints which variants they have and returns true.
bool explain_variant(Readers readers, chess::Variant asked) {
    // Nearly all databases have games of one variant, so the last game mostly is of the one asked.
    for (store::StoreReader* const reader : readers) {
        const store::GameId last = reader->last_game();
        if (last != 0 && reader->has_game(last) &&
            store::is_of_variant(reader->facts(last).variant, asked)) {
            return false;
        }
    }
    std::map<chess::Variant, std::uint64_t> games_of;
    for (store::StoreReader* const reader : readers) {
        for (const auto& [variant, games] : query::games_by_variant(*reader)) {
            if (store::is_of_variant(variant, asked)) return false;
            games_of[variant] += games;
        }
    }
    const std::string held = base::joined(", ", games_of, [](const auto& each) {
        return grouped(each.second).append(" of ").append(chess::name_of(each.first));
    });
    const bool one = readers.size() == 1;
    const std::string subject = one ? "the database has no games" : "the databases have no games";
    if (held.empty()) {
        say(subject);
    } else {
        say(subject + " of " + std::string(chess::name_of(asked)) +
            (one ? "; it has " : "; they have ") + held + ": --variant NAME searches those");
    }
    return true;
}

bool explain_names(Readers readers, const query::GameFilter& filter) {
    if (std::any_of(readers.begin(), readers.end(),
                    [](store::StoreReader* reader) { return reader->is_remote(); })) {
        return false;
    }
    const std::vector<query::UnmetName> unmet = query::unmet_names(readers, filter);
    for (const query::UnmetName& name : unmet) {
        std::string text = "--" + name.field + ": no name has the words '" + name.words + "'";
        for (const query::NameCount& near : name.near) {
            text += (&near == &name.near.front() ? "; similar names: '" : ", '") + near.name +
                    "' (" + games_text(near.games) + ")";
        }
        say(text);
    }
    return !unmet.empty();
}

/// Returns how many games of the filter reached a position.
std::uint64_t count_games(Readers readers, const query::GameFilter& filter,
                          const chess::AnyPosition& position, query::Match how) {
    const query::Question question = query::Question::of(position, how);
    std::uint64_t games = 0;
    for (store::StoreReader* const reader : readers) {
        query::GameMatcher matcher(*reader, filter);
        games += query::PositionSearch(*reader, matcher).count(question, false).games;
    }
    return games;
}

bool explain_position(Readers readers, const query::GameFilter& filter, const Sought& question) {
    if (const std::uint64_t others = count_games(readers, {}, *question.position, question.match);
        others != 0) {
        say(question.where + games_text(others) + " reached the position, but none that " +
            std::string(question.wanted));
        return true;
    }
    if (question.match == query::Match::kBoard ||
        !query::reason_against(query::Match::kBoard, question.position->variant()).empty()) {
        return false;
    }
    const std::uint64_t same_board =
        count_games(readers, filter, *question.position, query::Match::kBoard);
    if (same_board == 0) return false;
    say(question.where + games_text(same_board) +
        " reached its board with another side to move, other castling rights or en passant: "
        "--match board finds them");
    return true;
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

void Unanswered::explain(const Arguments& arguments, Readers readers,
                         const query::GameFilter& filter) const {
    if (arguments.has("quiet") || first_.empty()) return;
    const bool empty = std::all_of(readers.begin(), readers.end(), [](store::StoreReader* reader) {
        return reader->info().games == 0;
    });
    std::vector<chess::Variant> absent;  // variants without games
    std::vector<const Sought*> others;
    for (const Sought& each : first_) {
        const chess::Variant variant = each.position
                                           ? each.position->variant()
                                           : filter.variant.value_or(chess::Variant::kStandard);
        const bool asks = each.position || filter.variant || empty;
        if (std::find(absent.begin(), absent.end(), variant) != absent.end()) continue;
        if (asks && explain_variant(readers, variant)) {
            absent.push_back(variant);
        } else {
            others.push_back(&each);
        }
    }
    if (others.empty()) return;
    const bool none_indexed =
        std::all_of(readers.begin(), readers.end(), [](store::StoreReader* reader) {
            return !reader->is_remote() && reader->info().variation_pieces == 0;
        });
    bool explained = others.size() != first_.size();
    if (others.front()->variations && none_indexed) {
        say("no variations are indexed here: import games with --variations");
        explained = true;
    }
    if (explain_names(readers, filter)) return;
    for (const Sought* each : others) {
        if (each->position) explained |= explain_position(readers, filter, *each);
    }
    // A person would only see an empty screen; a program reads the exit status.
    if (!explained && base::screen().width != 0) say("nothing found");
    if (more_ != 0) say("... and " + counted(more_, "more question") + " without games");
}

void explain_nothing(const Arguments& arguments, store::StoreReader& reader,
                     const query::GameFilter& filter, Sought question) {
    Unanswered only;
    only.add(std::move(question));
    store::StoreReader* const readers[] = {&reader};
    only.explain(arguments, readers, filter);
}

}  // namespace fendex::cli
