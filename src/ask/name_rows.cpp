// Names of players that probably are one person's, and the names that are joined, as rows.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "ask/item_rows.hpp"
#include "ask/questions.hpp"
#include "base/utc_time.hpp"
#include "query/probable_persons.hpp"
#include "store/local_reader.hpp"

namespace fendex::ask {

namespace {

/// An item of one of several databases; if there is only one, its name is empty.
template <typename Item>
struct OfDatabase {
    std::string database;
    Item item;

    /// Returns the first cells of its row.
    [[nodiscard]] std::vector<Cell> cells() const {
        if (database.empty()) return {};
        return {std::string_view(database)};
    }
};

/// Returns the rows of all databases, one after the other; find() returns the items of a reader. If
/// there are several databases, the first column names them.
template <typename Item, typename Find>
std::unique_ptr<Rows> rows_of(const Context& context, std::span<const std::string_view> columns,
                              std::vector<Cell> (*cells)(const OfDatabase<Item>&), Find find) {
    std::vector<OfDatabase<Item>> items;
    std::vector<std::string_view> names(columns.begin(), columns.end());
    if (context.sources->several()) names.insert(names.begin(), "database");
    for (Source& source : *context.sources) {
        const std::string database = context.sources->several() ? source.name : std::string();
        for (Item& each : find(*source.reader)) items.push_back({database, std::move(each)});
    }
    return item_rows(std::move(items), context.page, names, cells);
}

Cell known(std::uint32_t number) { return number == 0 ? Cell(Null{}) : Cell(std::int64_t{number}); }
Cell known(const std::string& text) {
    return text.empty() ? Cell(Null{}) : Cell(std::string_view(text));
}
Cell number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

using Pair = OfDatabase<query::ProbablePerson>;

constexpr std::array<std::string_view, 14> kPairColumns{"score",
                                                        "name",
                                                        "canonical",
                                                        "reason",
                                                        "against",
                                                        "common_opponents",
                                                        "games",
                                                        "canonical_games",
                                                        "first_year",
                                                        "last_year",
                                                        "canonical_first_year",
                                                        "canonical_last_year",
                                                        "rating",
                                                        "canonical_rating"};

std::vector<Cell> pair_cells(const Pair& pair) {
    const query::ProbablePerson& each = pair.item;
    std::vector<Cell> cells = pair.cells();
    cells.insert(
        cells.end(),
        {std::int64_t{each.score}, std::string_view(each.name.name),
         std::string_view(each.canonical.name), known(each.reason), known(each.against),
         number(each.common_opponents), number(each.name.games), number(each.canonical.games),
         known(each.name.first_year), known(each.name.last_year), known(each.canonical.first_year),
         known(each.canonical.last_year), known(each.name.rating), known(each.canonical.rating)});
    return cells;
}

struct JoinedName {
    std::string_view kind;
    std::string name;
    std::string canonical;
    std::string joined;
    std::string origin;
};

constexpr std::array<std::string_view, 5> kJoinedColumns{"kind", "name", "canonical", "joined",
                                                         "origin"};

std::vector<Cell> joined_cells(const OfDatabase<JoinedName>& joined) {
    const JoinedName& each = joined.item;
    std::vector<Cell> cells = joined.cells();
    cells.insert(cells.end(),
                 {each.kind, std::string_view(each.name), std::string_view(each.canonical),
                  std::string_view(each.joined), std::string_view(each.origin)});
    return cells;
}

std::vector<JoinedName> joined_names(store::StoreReader& any_reader) {
    store::LocalReader& reader = require(any_reader, store::Capability::kPlayerScan);
    std::vector<JoinedName> out;
    reader.for_each_name_join([&](const store::NameJoin& each) {
        out.push_back({store::word_of_joinable(each.kind),
                       reader.name(each.kind, each.name).value_or(""),
                       reader.name(each.kind, each.canonical).value_or(""),
                       base::utc_time(each.joined), each.origin});
    });
    return out;
}

}  // namespace

QuestionKind names_kind() {
    return {.name = "names",
            .summary = "pairs of names that probably are one player",
            .answer = "NamePair",
            .schemas = {{"NamePair",
                         {{"database?", "string"},
                          {"score", "integer", "1 to 99"},
                          {"name", "string"},
                          {"canonical", "string", "the name that would stand for it"},
                          {"reason", "string?", "how the names are alike"},
                          {"against", "string?", "what speaks against the pair"},
                          {"common_opponents", "integer"},
                          {"games", "integer"},
                          {"canonical_games", "integer"},
                          {"first_year", "integer?"},
                          {"last_year", "integer?"},
                          {"canonical_first_year", "integer?"},
                          {"canonical_last_year", "integer?"},
                          {"rating", "integer?", "the mean"},
                          {"canonical_rating", "integer?"}}}},
            .has_filter = false,
            .plan = [](const Given&) {
                Plan plan{.cost = Cost::kScan};
                plan.rows = [](const Context& context) {
                    return rows_of<query::ProbablePerson>(
                        context, kPairColumns, pair_cells, [&](store::StoreReader& reader) {
                            return query::probable_persons(reader, context.stop);
                        });
                };
                return plan;
            }};
}

QuestionKind joined_names_kind() {
    return {.name = "joined_names",
            .summary = "the names that are joined, of players, events and sites",
            .answer = "JoinedName",
            .schemas = {{"JoinedName",
                         {{"database?", "string"},
                          {"kind", "'player'|'event'|'site'"},
                          {"name", "string"},
                          {"canonical", "string", "the name that stands for it"},
                          {"joined", "string", "when"},
                          {"origin", "string", "by which options"}}}},
            .has_filter = false,
            .plan = [](const Given&) {
                Plan plan{.cost = Cost::kSums};
                plan.rows = [](const Context& context) {
                    return rows_of<JoinedName>(context, kJoinedColumns, joined_cells, joined_names);
                };
                return plan;
            }};
}

}  // namespace fendex::ask
