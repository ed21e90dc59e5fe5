#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench.hpp"
#include "chess/fen.hpp"
#include "query/position_search.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::bench {

namespace {

using Json = nlohmann::json;

/// Returns the database's values, named like the facts.
Json values_of(store::StoreReader& reader, const chess::Position& position) {
    query::GameMatcher all(reader);
    query::PositionSearch search(reader, all);
    const query::Question question = query::Question::of(position);
    std::uint64_t games = 0;
    std::uint64_t occurrences = 0;
    std::uint64_t white = 0;
    std::uint64_t draws = 0;
    std::uint64_t black = 0;
    std::vector<store::GameId> first_games;
    search.find(question, [&](const query::Hit& hit) {
        ++games;
        occurrences += hit.plies.size();
        if (first_games.size() < 5) first_games.push_back(hit.game);
        store::GameHeader header;
        reader.header(hit.game, header);
        white += header.result == codec::Result::kWhiteWins ? 1U : 0U;
        draws += header.result == codec::Result::kDraw ? 1U : 0U;
        black += header.result == codec::Result::kBlackWins ? 1U : 0U;
        return true;
    });
    const query::Count count = search.count(question, false);
    if (count.games != games || count.occurrences != occurrences) {
        throw std::runtime_error("find and count differ");
    }
    return {{"games", games}, {"occurrences", occurrences}, {"white", white}, {"draws", draws},
            {"black", black}, {"first_games", first_games}};
}

}  // namespace

void check_facts(Bench& bench) {
    const std::string path =
        (std::filesystem::path(bench.inputs.options().corpus) / "human-facts.jsonl").string();
    std::ifstream file(path);
    if (!file) throw std::runtime_error(path + ": missing");
    const store::Reader reader = store::file_store(human_database(bench))->reader();
    std::size_t agreed = 0;
    for (std::string line; std::getline(file, line);) {
        const Json fact = Json::parse(line);
        const auto fen = fact.at("fen").get<std::string>();
        const chess::FenResult parsed = chess::parse_fen(fen);
        if (!parsed.position) throw std::runtime_error("cannot read " + fen);
        const Json values = values_of(*reader, *parsed.position);
        bool same = true;
        for (const auto& [name, value] : values.items()) {
            if (fact.at(name) == value) continue;
            same = false;
            bench.report.fail("facts", fmt::format("{}: {} is {}, not {}", fen, name, value.dump(),
                                                   fact.at(name).dump()));
        }
        agreed += same ? 1U : 0U;
    }
    bench.report.add(
        {"facts", "human-facts", exactly(static_cast<double>(agreed)), "rows agree", std::nullopt});
}

}  // namespace fendex::bench
