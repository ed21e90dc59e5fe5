#include "store/sqlite/engine/condition_games.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/huge_allocator.hpp"
#include "base/in_parallel.hpp"
#include "base/key_text.hpp"
#include "base/little_endian.hpp"
#include "codec/columns.hpp"
#include "codec/game_codes.hpp"
#include "store/game_chunks.hpp"
#include "store/games_of_players.hpp"
#include "store/sqlite/engine/game_flags.hpp"

namespace fendex::store {

namespace {

using Rule = GameCondition::Rule;

/// A thread is begun only for at least so many chunks.
constexpr std::size_t kChunksPerThread = 16;

enum class Fit : std::uint8_t { kNo, kYes, kAskRow };

/// Returns whether values without a code are in the rows of their games.
bool may_be_in_row(const GameCondition& condition) {
    return condition.rule == Rule::kWords || condition.rule == Rule::kBeginning ||
           condition.rule == Rule::kEco;
}

Fit fit_of(const GameCondition& condition, std::uint32_t value) {
    if (condition.rule == Rule::kRange) {
        return condition.range.contains(value) ? Fit::kYes : Fit::kNo;
    }
    if (value == codec::kCodeInRow && may_be_in_row(condition)) return Fit::kAskRow;
    return value < condition.table.size() && condition.table[value] ? Fit::kYes : Fit::kNo;
}

/// Clears the flags of values that are in the rows of their games, and appends these games.
void leave_to_rows(std::span<const std::uint32_t> values, GameId first, GameFlags& flags,
                   std::vector<GameId>& in_rows) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] != codec::kCodeInRow) continue;
        flags[i] = 0;
        in_rows.push_back(first + i);
    }
}

/// Tests games whose value is only in their rows.
class RowReader {
  public:
    RowReader(LocalReader& reader, const GameCondition& condition)
        : reader_(reader), condition_(condition) {}

    /// Calls visit() for the games that fit by the texts of their rows.
    template <typename Visit>
    void fitting(std::span<const GameId> games, Visit visit) {
        if (condition_.columns.front() == GameColumn::kTermination) {
            reader_.games(games, [&](GameId game, const StoredGame& stored) {
                const auto fits = [&](const auto& tag) {
                    return tag.first == "Termination" && condition_.fits_text(tag.second);
                };
                if (std::ranges::any_of(stored.tags, fits)) visit(game);
            });
            return;
        }
        reader_.headers(games, [&](const GameHeader& header) {
            const auto fits = [&](GameColumn column) {
                const std::optional<std::string_view> text = text_of(header, column);
                return text && condition_.fits_text(*text);
            };
            if (std::ranges::any_of(condition_.columns, fits)) {
                visit(header.id);
            }
        });
    }

  private:
    static std::optional<std::string_view> text_of(const GameHeader& header, GameColumn column) {
        switch (column) {
            case GameColumn::kWhite: return header.white;
            case GameColumn::kBlack: return header.black;
            case GameColumn::kEvent: return header.event;
            case GameColumn::kSite: return header.site;
            default: return header.eco;
        }
    }

    LocalReader& reader_;
    const GameCondition& condition_;
};

/// Marks games as bits, 64 to a word.
class GameBits {
  public:
    explicit GameBits(GameId last) : words_(last / codec::kGamesPerChunk * kWords + kWords) {}

    void mark(GameId game) { words_[(game - 1) / 64] |= std::uint64_t{1} << ((game - 1) % 64); }
    /// Marks the games of a chunk, which begins with `first`, whose flag is 1; others are 0.
    /// Several threads may do this at once, each for other chunks.
    void mark(GameId first, const GameFlags& flags) {
        std::uint64_t* const words = &words_[(first - 1) / 64];
        for (std::size_t i = 0; i < flags.size(); i += 8) {
            std::uint64_t bytes = 0;
            std::memcpy(&bytes, &flags[i], sizeof bytes);
            bytes = base::little_endian(bytes);
            // Each byte is 0 or 1: the product has them next to one another in its highest byte.
            const std::uint64_t bits = bytes * 0x0102040810204080 >> 56;
            words[i / 64] |= bits << (i % 64);
        }
    }
    GameSet set() {
        // Chunks begin with game 1, sets of games with 0.
        words_.push_back(0);
        for (std::size_t i = words_.size() - 1; i > 0; --i) {
            words_[i] = words_[i] << 1 | words_[i - 1] >> 63;
        }
        words_[0] <<= 1;
        return GameSet::of_bits(words_);
    }

  private:
    static constexpr std::size_t kWords = codec::kGamesPerChunk / 64;

    base::HugeVector<std::uint64_t> words_;
};

/// A condition whose games are looked for.
struct Search {
    const GameCondition* condition;
    std::size_t place;  // of the condition among those that were asked
    GameBits found;
    GameId listed = 0;                 // the games up to this one need not be looked at
    std::vector<GameId> in_rows = {};  // games whose rows must be read
};

/// Marks the games of the lists of players, if the condition is on few players.
void search_lists(LocalReader& reader, Search& search, base::StopCheck& stop) {
    const std::vector<std::uint32_t>& players = search.condition->players;
    if (players.empty() || !prefers_lists(reader, players)) return;
    PlayerLists* const lists = reader.player_lists();
    const std::vector<GameColumn>& columns = search.condition->columns;
    lists->for_each_game(players, stop, [&](std::uint32_t, GameId game, chess::Color color) {
        if (std::ranges::count(columns, column_of(color)) != 0) search.found.mark(game);
    });
    search.listed = lists->last_game();
}

/// Marks the games that fit by their columns. Goes over the columns of all games once, whatever the
/// number of conditions: several may look at the same ones.
void search_columns(LocalReader& reader, std::span<Search> searches, base::StopCheck& stop) {
    const GameId last = reader.last_game();
    const GameId listed = std::ranges::min_element(searches, {}, &Search::listed)->listed;
    const std::size_t done = listed / codec::kGamesPerChunk;
    const std::size_t chunks = chunks_up_to(last) - done;
    const std::size_t threads =
        std::clamp<std::size_t>(chunks / kChunksPerThread, 1, reader.threads());
    struct Worker {
        base::StopCheck stop;
        std::vector<std::vector<GameId>> in_rows;
    };
    const std::shared_ptr<const void> scope = reader.begin_scan();
    std::vector<Worker> workers(threads, {stop, std::vector<std::vector<GameId>>(searches.size())});
    base::in_parallel(chunks, static_cast<unsigned>(threads), [&](std::size_t chunk, unsigned i) {
        workers[i].stop();
        const GameId first = (done + chunk) * codec::kGamesPerChunk + 1;
        std::array<std::uint32_t, codec::kGamesPerChunk> values;
        const std::span<std::uint32_t> piece =
            std::span(values).first(std::min<std::size_t>(values.size(), last - first + 1));
        for (std::size_t k = 0; k < searches.size(); ++k) {
            if (first + codec::kGamesPerChunk - 1 <= searches[k].listed) continue;
            const GameCondition& condition = *searches[k].condition;
            for (const GameColumn column : condition.columns) {
                reader.column(column, first, piece);
                GameFlags flags{};
                flag_values(condition, piece, flags);
                if (may_be_in_row(condition)) {
                    leave_to_rows(piece, first, flags, workers[i].in_rows[k]);
                }
                searches[k].found.mark(first, flags);
            }
        }
    });
    for (std::size_t k = 0; k < searches.size(); ++k) {
        std::vector<GameId>& in_rows = searches[k].in_rows;
        for (const Worker& each : workers) {
            in_rows.insert(in_rows.end(), each.in_rows[k].begin(), each.in_rows[k].end());
        }
        std::ranges::sort(in_rows);
        in_rows.erase(std::unique(in_rows.begin(), in_rows.end()), in_rows.end());
    }
}

/// Marks the games that fit by their rows.
void search_rows(LocalReader& reader, Search& search, base::StopCheck& stop) {
    for (std::span<const GameId> rest(search.in_rows); !rest.empty();) {
        stop();
        const auto some = rest.first(std::min(rest.size(), codec::kGamesPerChunk));
        rest = rest.subspan(some.size());
        RowReader(reader, *search.condition).fitting(some, [&](GameId game) {
            search.found.mark(game);
        });
    }
}

GameSet games_of_either(LocalReader& reader, const GameCondition& condition,
                        base::StopCheck& stop) {
    GameSet out;
    for (const std::vector<GameCondition>& all : condition.either) {
        const auto of_each = games_that_fit(reader, all, stop);
        GameSet games = *of_each.front();
        for (const auto& each : of_each) games &= *each;
        out |= games;
    }
    return out;
}

}  // namespace

bool fits(LocalReader& reader, const GameCondition& condition, GameId game) {
    if (condition.rule == Rule::kEither) {
        return std::ranges::any_of(condition.either, [&](const auto& all) {
            return std::ranges::all_of(all,
                                       [&](const auto& each) { return fits(reader, each, game); });
        });
    }
    for (const GameColumn column : condition.columns) {
        Fit fit = fit_of(condition, value_in(reader, column, game));
        if (fit == Fit::kAskRow) {
            fit = Fit::kNo;
            RowReader(reader, condition).fitting({&game, 1}, [&](GameId) { fit = Fit::kYes; });
        }
        if (fit == Fit::kYes) return true;
    }
    return false;
}

std::vector<std::shared_ptr<const GameSet>> games_that_fit(
    LocalReader& reader, std::span<const GameCondition> conditions, base::StopCheck& stop) {
    SnapshotCache& cache = reader.snapshot_cache();
    std::vector<std::shared_ptr<const GameSet>> out;
    std::vector<Search> searches;
    const auto add = [&](const GameCondition& condition, GameSet games) {
        auto kept = std::make_shared<const GameSet>(std::move(games));
        cache.put(key_of(condition), kept, kept->bytes());
        return kept;
    };
    for (const GameCondition& condition : conditions) {
        out.push_back(cache.get<GameSet>(key_of(condition)));
        if (out.back()) continue;
        if (condition.rule == Rule::kEither) {
            out.back() = add(condition, games_of_either(reader, condition, stop));
        } else {
            searches.push_back({&condition, out.size() - 1, GameBits(reader.last_game())});
        }
    }
    if (searches.empty()) return out;
    for (Search& each : searches) search_lists(reader, each, stop);
    search_columns(reader, searches, stop);
    for (Search& each : searches) {
        search_rows(reader, each, stop);
        out[each.place] = add(*each.condition, each.found.set());
    }
    return out;
}

std::shared_ptr<const GameSet> existing_games(LocalReader& reader) {
    const std::string key = base::KeyText("all games").text();
    if (auto known = reader.snapshot_cache().get<GameSet>(key)) return known;
    const auto games = std::make_shared<GameSet>();
    const GameId last = reader.last_game();
    games->add_range(1, last + 1);
    for (const GameId game : reader.deleted_games()) games->remove(game);
    reader.snapshot_cache().put(key, games, games->bytes());
    return games;
}

}  // namespace fendex::store
