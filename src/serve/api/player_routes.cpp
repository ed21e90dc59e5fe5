// GET /api/v1/players, players/{name}, players/{name}/prepare, head-to-head.
#include <algorithm>
#include <span>
#include <utility>

#include "emit/sum_rows.hpp"
#include "query/player_json.hpp"
#include "query/player_list.hpp"
#include "query/player_report.hpp"
#include "query/preparation_json.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

namespace {

constexpr std::size_t kMostListed = 10;

/// Returns how many of `all` items the page needs, counted from the first item of the list to the
/// one after the page.
std::size_t items_for(const PageRequest& asked, std::size_t all) {
    if (asked.limit == kAllRows) return all;
    const std::size_t before = std::min<std::uint64_t>(asked.from.after, all);
    return before + std::min(asked.limit + 1, all - before);
}

/// Rows of items that are computed before: all, or at least those up to the end of the page.
template <typename Item>
class ItemRows final : public Rows {
  public:
    using Cells = std::vector<emit::Cell> (*)(const Item&);

    /// `all` is the number of items, including those that were not computed.
    ItemRows(std::vector<Item> items, std::size_t all, const PageRequest& asked,
             std::span<const std::string_view> columns, Cells cells)
        : items_(std::move(items)),
          all_(all),
          columns_(columns.begin(), columns.end()),
          cells_(cells),
          next_(std::min<std::uint64_t>(asked.from.after, items_.size())) {}

    bool next(std::string& out) override {
        if (next_ == items_.size()) return false;
        const std::vector<emit::Cell> cells = cells_(items_[next_++]);
        json::append_object(
            out, [&](json::Object& object) { emit::add_members(columns_, cells, object); });
        return true;
    }
    Place place() const override { return {0, next_}; }
    std::optional<std::uint64_t> total() override { return all_; }

  private:
    std::vector<Item> items_;
    std::size_t all_;
    std::vector<std::string> columns_;
    Cells cells_;
    std::size_t next_;
};

std::vector<query::PlayerCount> players_of(Sources& sources, const std::stop_token& stop) {
    std::vector<std::vector<query::PlayerCount>> lists;
    for (Source& source : sources) {
        lists.push_back(query::PlayerCounts(*source.reader, source.matcher, stop).all());
    }
    return query::joined_players(lists);
}

std::unique_ptr<Rows> list_players(Sources& sources, const std::string& prefix,
                                   const PageRequest& asked, const std::stop_token& stop) {
    std::vector<std::vector<query::PlayerCount>> lists;
    std::size_t all = 0;
    for (Source& source : sources) {
        query::PlayerCounts counts(*source.reader, source.matcher, stop);
        if (!prefix.empty()) counts.keep_named(prefix, stop);
        all = counts.size();
        lists.push_back(sources.size() == 1 ? counts.first(items_for(asked, all)) : counts.all());
    }
    std::vector<query::PlayerCount> players = query::joined_players(lists);
    if (sources.size() != 1) all = players.size();
    return std::make_unique<ItemRows<query::PlayerCount>>(std::move(players), all, asked,
                                                          emit::kPlayerColumns, emit::player_cells);
}

/// Returns the choice if it names one player, or if `together` and it names any. Throws Refusal
/// otherwise.
query::PlayerChoice chosen(query::PlayerChoice choice, const std::string& name, bool together) {
    if (choice.named.empty()) {
        throw Refusal{404, "no_such_player", "no game that fits has a player '" + name + "'"};
    }
    if (choice.named.size() == 1 || together) return choice;
    std::string names;
    for (std::size_t i = 0; i < std::min(choice.named.size(), kMostListed); ++i) {
        names += (i == 0 ? "" : "; ") + choice.named[i].name;
    }
    if (choice.named.size() > kMostListed) {
        names += "; and " + std::to_string(choice.named.size() - kMostListed) + " more";
    }
    throw Refusal{
        409, "several_players",
        std::to_string(choice.named.size()) + " players fit '" + name +
            "': give one of them exactly, or together=true to take them for one: " + names};
}

std::vector<std::string> names_of(std::span<const query::PlayerCount> players) {
    std::vector<std::string> names;
    for (const query::PlayerCount& each : players) names.push_back(each.name);
    return names;
}

/// Throws a Refusal that says which of two players has no games, or that they did not meet.
[[noreturn]] void refuse_meeting(Databases& databases, const Call& call, const std::string& name,
                                 const std::string& against, const std::stop_token& stop) {
    for (const std::string& each : {name, against}) {
        query::GameFilter filter = filter_of(call);
        filter.set("player", each);
        Sources sources(databases, filter, stop);
        static_cast<void>(
            chosen(query::choose_players(players_of(sources, stop), each), each, true));
    }
    throw Refusal{404, "no_such_player",
                  "no game that fits is between '" + name + "' and '" + against + "'"};
}

void answer_report(Databases& databases, const Call& call, const query::GameFilter& filter,
                   const std::string& name, const std::string& against, json::Object& object,
                   const std::stop_token& stop) {
    Sources sources(databases, filter, stop);
    query::PlayerChoice fitting = query::choose_players(players_of(sources, stop), name);
    if (!against.empty() && fitting.named.empty()) {
        refuse_meeting(databases, call, name, against, stop);
    }
    const query::PlayerChoice choice = chosen(std::move(fitting), name, flag_of(call, "together"));
    query::PlayerReporter reporter(names_of(choice.named));
    for (Source& source : sources) reporter.add(*source.reader, source.matcher, stop);
    query::add_player_report({choice.named, choice.alike, against}, reporter.report(), object);
}

void answer_preparation(Databases& databases, const Call& call, const query::GameFilter& filter,
                        json::Object& object, const std::stop_token& stop) {
    Sources sources(databases, filter, stop);
    const std::uint64_t wanted = number_of(call, "database").value_or(1);
    if (wanted > databases.size()) {
        throw Refusal{400, "bad_parameter",
                      "database takes a number from 1 to " + std::to_string(databases.size()),
                      "database"};
    }
    const auto found = std::find_if(sources.begin(), sources.end(),
                                    [&](const Source& each) { return each.index == wanted - 1; });
    if (found == sources.end()) {
        throw query::FilterError("source", "database " + std::to_string(wanted) + " has no such");
    }
    Source& source = *found;
    const query::PlayerChoice choice = chosen(
        query::choose_players(query::PlayerCounts(*source.reader, source.matcher, stop).all(),
                              call.named.front()),
        call.named.front(), flag_of(call, "together"));
    const std::vector<std::string> names = names_of(choice.named);
    const chess::Color color =
        text_of(call, "color") == "white" ? chess::Color::kWhite : chess::Color::kBlack;
    const query::Preparation preparation =
        query::prepare(*source.reader, source.matcher, names, color, stop);
    query::add_preparation(names, color, preparation, object);
    const auto refs = [&](const std::vector<store::GameId>& games) {
        std::vector<std::string> out;
        for (const store::GameId game : games) {
            out.push_back(ref_prefix(source.index) + std::to_string(game));
        }
        return out;
    };
    object.add("recent_refs", refs(preparation.recent));
    object.add("lost_refs", refs(preparation.lost));
}

ParameterSpec together_parameter() {
    return flag_parameter("together", "take all names that fit for one player");
}

}  // namespace

Route players_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/players";
    route.summary = "Lists the players with their numbers of games, those with most games first.";
    route.parameters =
        joined({{{"prefix",
                  "beginnings of words of the name, in any order; case and accents do not "
                  "matter"}},
                page_parameters(),
                filter_parameters()});
    route.answer = "PlayerRow";
    route.is_list = true;
    route.plan = [&databases](const Call& call) {
        const query::GameFilter filter = filter_of(call);
        return list_task(call, Cost::kSums,
                         [&databases, filter, prefix = text_of(call, "prefix")](
                             const PageRequest& asked, const std::stop_token& stop) {
                             Sources sources(databases, filter, stop);
                             return list_players(sources, prefix, asked, stop);
                         });
    };
    return route;
}

Route player_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/players/{name}";
    route.named = {{"name", "the player's name, or words that only one player has"}};
    route.summary = "A player's score by colour, year and opponents, ratings and openings.";
    route.parameters = joined({{together_parameter()}, filter_parameters()});
    route.answer = "Player";
    route.plan = [&databases](const Call& call) {
        const query::GameFilter filter = filter_of(call);
        return object_task(Cost::kSums, [&databases, call, filter](json::Object& object,
                                                                   const std::stop_token& stop) {
            answer_report(databases, call, filter, call.named.front(), {}, object, stop);
        });
    };
    return route;
}

Route prepare_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/players/{name}/prepare";
    route.named = {{"name", "the player's name, or words that only one player has"}};
    route.summary = "What a player plays with a colour, and where the results are worst.";
    ParameterSpec color =
        choice_parameter("color", {"white", "black"}, "the colour that this player will have");
    color.required = true;
    ParameterSpec database =
        number_parameter("database", "which of the databases, counted from 1 (1)", 1);
    route.parameters = joined({{color, database, together_parameter()}, filter_parameters()});
    route.answer = "Preparation";
    route.plan = [&databases](const Call& call) {
        const query::GameFilter filter = filter_of(call);
        if (databases.size() > 1 && call.find("database") == nullptr) {
            throw Refusal{400, "missing_parameter",
                          "several databases are served, and one player is prepared against in one "
                          "of them: give database, a number from 1 to " +
                              std::to_string(databases.size()),
                          "database"};
        }
        return object_task(Cost::kScan, [&databases, call, filter](json::Object& object,
                                                                   const std::stop_token& stop) {
            answer_preparation(databases, call, filter, object, stop);
        });
    };
    return route;
}

Route head_to_head_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/head-to-head";
    route.summary = "A player's results against another.";
    ParameterSpec player{"a", "the player's name"};
    ParameterSpec opponent{"b", "the opponent's name"};
    player.required = opponent.required = true;
    route.parameters = joined({{player, opponent, together_parameter()}, filter_parameters()});
    std::erase_if(route.parameters, [](const auto& spec) { return spec.name == "player"; });
    route.answer = "Player";
    route.plan = [&databases](const Call& call) {
        query::GameFilter filter = filter_of(call);
        filter.set("player", text_of(call, "a"));
        filter.set("player", text_of(call, "b"));
        return object_task(Cost::kSums, [&databases, call, filter](json::Object& object,
                                                                   const std::stop_token& stop) {
            answer_report(databases, call, filter, text_of(call, "a"), text_of(call, "b"), object,
                          stop);
        });
    };
    return route;
}

Route openings_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/openings";
    route.summary = "Lists the openings of games, by their moves, with results.";
    route.parameters = joined(
        {page_parameters(),
         {choice_parameter("sort", {"games", "eco"}, "most games first, or by code and name")},
         filter_parameters()});
    route.answer = "OpeningRow";
    route.is_list = true;
    route.plan = [&databases](const Call& call) {
        const query::GameFilter filter = filter_of(call);
        const auto order = text_of(call, "sort") == "eco" ? query::OpeningOrder::kEco
                                                          : query::OpeningOrder::kGames;
        return list_task(
            call, Cost::kSums,
            [&databases, filter, order](const PageRequest& asked,
                                        const std::stop_token& stop) -> std::unique_ptr<Rows> {
                Sources sources(databases, filter, stop);
                std::vector<std::vector<query::OpeningSum>> sums;
                for (Source& source : sources) {
                    sums.push_back(
                        query::opening_sums(*source.reader, source.matcher, order, stop));
                }
                std::vector<query::OpeningSum> openings = query::joined_openings(sums, order);
                const std::size_t all = openings.size();
                return std::make_unique<ItemRows<query::OpeningSum>>(
                    std::move(openings), all, asked, emit::kOpeningColumns, emit::opening_cells);
            });
    };
    return route;
}

}  // namespace fendex::serve::api
