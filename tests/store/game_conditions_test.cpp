// Keys under which the sets of games of conditions are kept.
#include "store/sqlite/engine/game_conditions.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "ask/filter_fields.hpp"
#include "query/game_filter.hpp"
#include "store/local_reader.hpp"
#include "support/memory_store.hpp"

namespace {

using namespace fendex;

/// Returns the keys of the conditions of a filter.
std::vector<std::string> keys_of(store::LocalReader& reader,
                                 const std::vector<std::pair<std::string, std::string>>& fields) {
    query::GameFilter filter;
    for (const auto& [name, value] : fields) ask::set_field(filter, name, value);
    base::StopCheck stop({});
    std::vector<std::string> keys;
    for (const auto& each : store::conditions_of(reader, filter, stop)) {
        keys.push_back(store::key_of(each));
    }
    return keys;
}

}  // namespace

TEST_CASE("Conditions share a key only if they are equal") {
    const auto memory = test::memory_store();
    const auto reader = memory->reader();
    const std::pair<const char*, const char*> fields[] = {
        {"white", "anand"},         {"black", "anand"},      {"player", "anand"},
        {"white", "anan"},          {"event", "anand"},      {"site", "anand"},
        {"termination", "anand"},   {"opening", "anand"},    {"eco", "B1"},
        {"eco", "B1-B2"},           {"opening-eco", "B1"},   {"opening-eco", "B1-B2"},
        {"result", "1-0"},          {"result", "0-1"},       {"time-control", "bullet"},
        {"time-control", "blitz"},  {"mode", "rated"},       {"mode", "casual"},
        {"variant", "standard"},    {"variant", "chess960"}, {"since", "2000"},
        {"until", "2000"},          {"white-elo", "2500"},   {"black-elo", "2500"},
        {"white-elo", "2500-2600"}, {"min-plies", "2500"},   {"max-plies", "2500"},
    };
    std::set<std::string> all;
    for (const auto& [name, value] : fields) {
        CAPTURE(name, value);
        const auto keys = keys_of(*reader->local(), {{name, value}});
        REQUIRE(keys.size() == 1);
        CHECK(all.insert(keys.front()).second);
        CHECK(keys_of(*reader->local(), {{name, value}}) == keys);
    }
    // Two players against one another: the order does not matter to the games, but may to the key.
    const auto both = keys_of(*reader->local(), {{"player", "anand"}, {"player", "carlsen"}});
    REQUIRE(both.size() == 1);
    CHECK(all.insert(both.front()).second);
}
