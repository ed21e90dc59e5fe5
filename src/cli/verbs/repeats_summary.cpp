#include "cli/verbs/repeats_summary.hpp"

#include <fmt/core.h>

#include "base/hex.hpp"
#include "base/json.hpp"
#include "cli/output/output.hpp"
#include "cli/verbs/verbs.hpp"
#include "query/repetition_summary.hpp"
#include "store/kept_headers.hpp"

namespace fendex::cli {

namespace {

/// How many positions and shuffles are listed.
constexpr std::size_t kNamed = 10;

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

store::KeptHeadersOfSeveral headers_of(const query::RepetitionSummary& summary,
                                       ask::Sources& databases) {
    std::vector<store::KeptHeadersOfSeveral::Place> games;
    for (const auto& each : summary.shuffles) {
        games.emplace_back(each.database, each.repetition.game);
    }
    return {databases.readers(), games};
}

store::GameHeader header_of(const query::RepetitionSummary::Shuffle& shuffle,
                            const store::KeptHeadersOfSeveral& headers) {
    const store::GameHeader* const header =
        headers.find({shuffle.database, shuffle.repetition.game});
    return header == nullptr ? store::GameHeader() : *header;
}

void append_json(const query::RepetitionSummary& summary,
                 const store::KeptHeadersOfSeveral& headers, ask::Sources& databases,
                 std::string& out) {
    const auto name_database = [&](std::size_t database, json::Object& row) {
        if (databases.several()) row.add("database", databases[database].name);
    };
    json::append_line(out, [&](json::Object& object) {
        object.add("games", summary.games);
        object.add("twofold", summary.twofold);
        object.add("threefold", summary.threefold);
        object.add("fivefold", summary.fivefold);
        object.add("draws", summary.draws);
        object.add("draws_by_repetition", summary.draws_by_repetition);
        object.add("share_of_draws",
                   json::Fixed{share(summary.draws_by_repetition, summary.draws), 4});
        object.add("rule50", summary.fifty_moves);
        object.add("rule75", summary.seventy_five_moves);
        object.add_objects("positions", summary.positions,
                           [&](json::Object& row, const query::RepetitionSummary::Position& each) {
                               row.add("games", each.games);
                               row.add("key", base::hex_key(each.key));
                               row.add("epd", each.epd);
                               name_database(each.database, row);
                               row.add("first_game", each.game);
                           });
        object.add_objects("shuffles", summary.shuffles,
                           [&](json::Object& row, const query::RepetitionSummary::Shuffle& each) {
                               const store::GameHeader game = header_of(each, headers);
                               name_database(each.database, row);
                               row.add("game_id", each.repetition.game);
                               row.add("length", each.length());
                               row.add("count", each.repetition.plies.size());
                               row.add("plies", each.repetition.plies);
                               row.add("key", base::hex_key(each.repetition.key));
                               row.add("epd", each.epd);
                               row.add("result", codec::result_text(game.result));
                               row.add("white", game.white);
                               row.add("black", game.black);
                               row.add("date", game.date);
                           });
    });
}

void append_table(const query::RepetitionSummary& summary, std::uint32_t min_count,
                  const store::KeptHeadersOfSeveral& headers, ask::Sources& databases,
                  Output& output) {
    std::string& out = output.buffer();
    const auto line = [&](const char* what, std::uint64_t count, std::uint64_t whole) {
        out += fmt::format("{:<52}{:>14}  {:>6.2f} %\n", what, grouped(count),
                           100 * share(count, whole));
    };
    line("games", summary.games, summary.games);
    line("a position came twice", summary.twofold, summary.games);
    line("a position came three times", summary.threefold, summary.games);
    line("a position came five times", summary.fivefold, summary.games);
    line("fifty moves without capture and pawn move", summary.fifty_moves, summary.games);
    line("seventy-five of them", summary.seventy_five_moves, summary.games);
    line("drawn", summary.draws, summary.games);
    line("of these, ended by threefold repetition", summary.draws_by_repetition, summary.draws);
    if (!summary.positions.empty()) {
        out += fmt::format("\nPositions repeated in most games ({} times or more)\n", min_count);
    }
    for (const auto& each : summary.positions) {
        out += fmt::format("{:>9}  {}\n", grouped(each.games), each.epd);
    }
    if (!summary.shuffles.empty()) {
        out += "\nLongest shuffles: plies from the first to the last time\n";
    }
    for (const auto& each : summary.shuffles) {
        const store::GameHeader game = header_of(each, headers);
        const std::string place =
            databases.several() ? printable(databases[each.database].name) + ", " : "";
        out += output.fitting(fmt::format(
                   "{:>9}  {}game {}, {} times: {} - {}  {}  {}", grouped(each.length()), place,
                   each.repetition.game, each.repetition.plies.size(),
                   printable(game.white.value_or("?")), printable(game.black.value_or("?")),
                   codec::result_text(game.result), printable(game.date.value_or("")))) +
               '\n';
    }
}

}  // namespace

int print_repetition_summary(ask::Sources& databases, std::uint32_t min_count, Format format,
                             Output& output) {
    std::vector<query::SummarySource> sources;
    for (ask::Source& each : databases) sources.push_back({&*each.reader, &each.matcher});
    const query::RepetitionSummary summary =
        query::summarize_repetitions(sources, min_count, kNamed);
    const store::KeptHeadersOfSeveral headers = headers_of(summary, databases);
    if (format == Format::kJson) {
        append_json(summary, headers, databases, output.buffer());
    } else {
        append_table(summary, min_count, headers, databases, output);
    }
    output.flush();
    return summary.twofold + summary.fifty_moves != 0 ? kFound : kNothingFound;
}

}  // namespace fendex::cli
