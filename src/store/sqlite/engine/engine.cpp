#include "store/sqlite/engine/engine.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "codec/game_codes.hpp"
#include "store/sqlite/engine/ranked_games.hpp"

namespace fendex::store {

namespace {

/// The number of filters that stay prepared.
constexpr std::size_t kFiltersKept = 4;

}  // namespace

/// Returns the games that fit a filter, prepared for the reader's snapshot: in another snapshot
/// a code may be another name's.
std::shared_ptr<FittingGames> LocalEngine::fitting(const GameFilter& filter,
                                                   base::StopCheck& stop) {
    const auto is_prepared = [&](const auto& each) {
        return each->snapshot() == reader_.snapshot() && each->filter() == filter;
    };
    const auto known = std::ranges::find_if(prepared_, is_prepared);
    if (known != prepared_.end()) {
        prepared_.splice(prepared_.begin(), prepared_, known);
    } else {
        prepared_.push_front(std::make_shared<FittingGames>(reader_, filter, stop));
        if (prepared_.size() > kFiltersKept) prepared_.pop_back();
    }
    return prepared_.front();
}

void LocalEngine::prepare(const GameFilter& filter, std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    static_cast<void>(fitting(filter, check));
}

std::uint64_t LocalEngine::count_games(const GameFilter& filter, std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    check();
    return fitting(filter, check)->all(check).size();
}

std::vector<GameId> LocalEngine::games_for_clock(const GameFilter& filter, std::uint32_t /*clock*/,
                                                 GameId after, std::size_t most,
                                                 std::stop_token stop) {
    std::vector<GameId> out;
    for (const RankedGame& each :
         games(filter, GameOrder::kId, RankedGame{0, after}, most, std::move(stop))) {
        out.push_back(each.game);
    }
    return out;
}

std::vector<std::uint64_t> LocalEngine::count_by_variant(std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    check();
    std::vector<std::uint64_t> counts(chess::kVariants);
    std::uint64_t& standard = counts[static_cast<std::size_t>(chess::Variant::kStandard)];
    const std::uint64_t games = reader_.info().games;
    if (!reader_.may_have_variants()) {
        standard = games;
        return counts;
    }
    const GameId last = reader_.last_game();
    for (GameId game = 1; game <= last; ++game) {
        check();
        ++counts[static_cast<std::size_t>(reader_.facts(game).variant)];
    }
    // The facts of a deleted game are empty, so it was counted as standard chess.
    standard -= last - games;
    return counts;
}

std::vector<RankedGame> LocalEngine::games(const GameFilter& filter, GameOrder order,
                                           std::optional<RankedGame> after, std::size_t most,
                                           std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    check();
    const std::shared_ptr<FittingGames> fits = fitting(filter, check);
    if (order != GameOrder::kId) return first_games(reader_, order, *fits, after, most, check);
    const GameSet& all = fits->all(check);
    std::vector<RankedGame> out;
    const std::vector<std::uint32_t> numbers =
        after ? all.numbers_after(after->game, std::min<std::size_t>(most, all.size()))
              : all.numbers(most);
    out.reserve(numbers.size());
    for (const std::uint32_t game : numbers) out.push_back({0, game});
    return out;
}

std::vector<RankedGame> LocalEngine::ranks(const GameFilter& filter, GameOrder order,
                                           std::span<const GameId> games, std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    const std::shared_ptr<FittingGames> fits = fitting(filter, check);
    std::vector<std::uint32_t> numbers;
    numbers.reserve(games.size());
    for (const GameId game : games) {
        if (reader_.has_game(game) && fits->contain(game, check)) {
            numbers.push_back(static_cast<std::uint32_t>(game));
        }
    }
    return ranks_of_games(reader_, order, numbers, check);
}

std::vector<GameId> LocalEngine::games_at_site(std::string_view part, std::size_t most,
                                               std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    std::vector<bool> fits(1);  // by code
    reader_.for_each_name(NameKind::kSite, [&](std::int64_t id, std::string_view name) {
        check();
        const std::uint32_t code = codec::code_of_id(id);
        if (code >= fits.size()) fits.resize(code + std::size_t{1});
        fits[code] = name.find(part) != std::string_view::npos;
    });
    std::vector<GameId> out;
    std::array<std::uint32_t, codec::kGamesPerChunk> codes;
    GameRange rest{1, reader_.last_game()};
    while (const auto chunk = take_front(rest, codes.size())) {
        if (out.size() >= most) break;
        check();
        const std::size_t count = chunk->last - chunk->first + 1;
        reader_.column(GameColumn::kSite, chunk->first, std::span(codes).first(count));
        std::vector<GameId> possible;
        for (std::size_t i = 0; i < count; ++i) {
            // A site without a code is only in the row of its game.
            if (codes[i] == codec::kCodeInRow || (codes[i] < fits.size() && fits[codes[i]])) {
                possible.push_back(chunk->first + i);
            }
        }
        reader_.headers(possible, [&](const GameHeader& header) {
            if (header.site && header.site->find(part) != header.site->npos) {
                out.push_back(header.id);
            }
        });
    }
    out.resize(std::min(out.size(), most));
    return out;
}

std::vector<GameId> LocalEngine::possible_games(const GameFilter& filter,
                                                std::span<const codec::SignatureCondition> any_of,
                                                const GameRange& games, std::size_t most,
                                                std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    const std::shared_ptr<FittingGames> fits = fitting(filter, check);
    std::vector<GameId> out;
    GameRange rest{games.first, std::min(games.last, reader_.last_game())};
    while (const auto chunk = take_front(rest, codec::kGamesPerChunk)) {
        for (const GameId game : reader_.possible_games(*chunk, any_of)) {
            check();
            if (out.size() == most) return out;
            if (fits->contain(game, check)) out.push_back(game);
        }
    }
    return out;
}

}  // namespace fendex::store
