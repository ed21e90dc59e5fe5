#include "query/met_players.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "codec/game_codes.hpp"
#include "store/column_scan.hpp"
#include "store/joined_names.hpp"

namespace fendex::query {

namespace {

using store::NameKind;

/// Names in groups. Those of the database have their codes, others higher numbers.
class PlayerGroups {
  public:
    void unite(std::uint32_t a, std::uint32_t b) { above_[top(a)] = top(b); }
    [[nodiscard]] std::uint32_t top(std::uint32_t name) {
        grow(name);
        while (above_[name] != name) name = above_[name] = above_[above_[name]];
        return name;
    }
    [[nodiscard]] bool contain(std::uint32_t name) const { return name < above_.size(); }

  private:
    void grow(std::uint32_t name) {
        while (above_.size() <= name) above_.push_back(static_cast<std::uint32_t>(above_.size()));
    }

    std::vector<std::uint32_t> above_;
};

/// Returns the groups after the joins.
PlayerGroups groups_of(store::LocalReader& reader, const store::JoinedNames& joined,
                       std::span<const ingest::NamedJoin> joins) {
    std::unordered_map<std::string_view, std::uint32_t> codes;
    for (const ingest::NamedJoin& each : joins) {
        if (each.kind != NameKind::kPlayer) continue;
        codes.emplace(each.name, codec::kCodeInRow);
        codes.emplace(each.canonical, codec::kCodeInRow);
    }
    auto last = static_cast<std::uint32_t>(joined.end_of_codes());
    reader.for_each_name(NameKind::kPlayer, [&](std::int64_t id, std::string_view name) {
        const std::uint32_t code = codec::code_of_id(id);
        last = std::max(last, code);
        const auto found = codes.find(name);
        if (found != codes.end()) found->second = code;
    });
    PlayerGroups groups;
    for (const ingest::NamedJoin& each : joins) {
        if (each.kind != NameKind::kPlayer) continue;
        const std::uint32_t name = codes.at(each.name);
        if (name == codec::kCodeInRow) continue;
        std::uint32_t& canonical = codes.at(each.canonical);
        if (canonical == codec::kCodeInRow) canonical = ++last;
        groups.unite(joined.canonical(name), joined.canonical(canonical));
    }
    return groups;
}

}  // namespace

std::vector<MetPlayers> players_who_met(store::LocalReader& reader,
                                        std::span<const ingest::NamedJoin> joins) {
    const auto joined = store::JoinedNames::of(reader, NameKind::kPlayer);
    PlayerGroups groups = groups_of(reader, *joined, joins);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> games;
    store::ColumnScan scan(reader, {}, {store::GameColumn::kWhite, store::GameColumn::kBlack});
    while (scan.next()) {
        for (const std::uint32_t place : scan.places()) {
            const std::uint32_t white = joined->canonical(scan.values(0)[place]);
            const std::uint32_t black = joined->canonical(scan.values(1)[place]);
            if (white == black || !groups.contain(white) || !groups.contain(black)) continue;
            if (groups.top(white) == groups.top(black)) ++games[std::minmax(white, black)];
        }
    }
    std::vector<MetPlayers> out;
    for (const auto& [pair, count] : games) {
        const auto name = [&](std::uint32_t code) {
            return reader.name(NameKind::kPlayer, *codec::id_of_code(code)).value_or("");
        };
        out.push_back({name(pair.first), name(pair.second), count});
    }
    std::ranges::sort(out, [](const MetPlayers& a, const MetPlayers& b) {
        return std::tie(b.games, a.one, a.other) < std::tie(a.games, b.one, b.other);
    });
    return out;
}

}  // namespace fendex::query
