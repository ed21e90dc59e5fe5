#include "query/opening_sums.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "codec/game_codes.hpp"
#include "query/column_scan.hpp"
#include "replay/opening_names.hpp"

namespace fendex::query {

namespace {

void sort_openings(std::vector<OpeningSum>& openings, OpeningOrder order) {
    std::ranges::sort(openings, [&](const OpeningSum& a, const OpeningSum& b) {
        if (order == OpeningOrder::kGames && a.tally.games != b.tally.games) {
            return a.tally.games > b.tally.games;
        }
        return std::tie(a.eco, a.name) < std::tie(b.eco, b.name);
    });
}

}  // namespace

std::vector<OpeningSum> opening_sums(store::StoreReader& any_reader, GameMatcher& matcher,
                                     OpeningOrder order, std::stop_token stop) {
    store::LocalReader& reader = require(any_reader, store::Capability::kOpeningScan);
    using enum store::GameColumn;
    std::vector<OpeningSum> by_code(1);
    reader.for_each_name(store::NameKind::kOpening, [&](std::int64_t id, std::string_view text) {
        const std::uint32_t code = codec::code_of_id(id);
        if (code >= by_code.size()) by_code.resize(code + std::size_t{1});
        const replay::Opening opening = replay::opening_of_text(text);
        by_code[code].eco = opening.eco;
        by_code[code].name = opening.name;
    });
    ColumnScan scan(reader, matcher, {kOpening, kResult, kDate, kWhiteElo, kBlackElo}, stop);
    while (scan.next()) {
        for (const std::uint32_t place : scan.places()) {
            const std::uint32_t code = scan.values(0)[place];
            // A deleted game: there is no opening and no game with this number.
            if (code == codec::kNoCode && !reader.has_game(scan.first() + place)) continue;
            codec::GameFacts facts;
            facts.result = static_cast<codec::Result>(scan.values(1)[place]);
            facts.date = scan.values(2)[place];
            facts.white_elo = static_cast<std::uint16_t>(scan.values(3)[place]);
            facts.black_elo = static_cast<std::uint16_t>(scan.values(4)[place]);
            codec::Tally& tally = by_code[code < by_code.size() ? code : 0].tally;
            ++tally.occurrences;
            tally.add_game(facts);
        }
    }
    std::erase_if(by_code, [](const OpeningSum& each) { return each.tally.games == 0; });
    sort_openings(by_code, order);
    return by_code;
}

std::vector<OpeningSum> joined_openings(std::vector<std::vector<OpeningSum>> databases,
                                        OpeningOrder order) {
    if (databases.size() == 1) return std::move(databases.front());
    std::vector<OpeningSum> all;
    for (const auto& sums : databases) all.insert(all.end(), sums.begin(), sums.end());
    sort_openings(all, OpeningOrder::kEco);
    std::vector<OpeningSum> out;
    for (OpeningSum& each : all) {
        if (!out.empty() && out.back().eco == each.eco && out.back().name == each.name) {
            out.back().tally.add(each.tally);
        } else {
            out.push_back(std::move(each));
        }
    }
    sort_openings(out, order);
    return out;
}

}  // namespace fendex::query
