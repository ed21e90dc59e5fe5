#include "support/memory_store.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "codec/named_games.hpp"
#include "replay/stored_walk.hpp"
#include "store/sqlite/engine/engine.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/memory_content.hpp"

namespace fendex::test {

namespace {

using memory::Content;
using memory::Game;
using store::Candidate;
using store::GameId;

/// Positions with at least this many candidates have sums.
constexpr std::size_t kSummed = 40;

void copy_game(GameId id, store::LocalReader& reader, Content& out) {
    const auto made = std::make_shared<Game>();
    Game& game = *made;
    reader.game(id, game.stored);
    reader.header(id, game.header);
    reader.annotation(id, game.annotation);
    game.repetitions = reader.repetitions(id);
    game.quiet_runs = reader.quiet_runs(id);
    const auto keep = [&](auto& text) {
        if (text) text = game.texts.emplace_back(*text);
    };
    for (auto* const text :
         {&game.header.white, &game.header.black, &game.header.event, &game.header.site,
          &game.header.date, &game.header.round, &game.header.eco}) {
        keep(*text);
    }
    const auto code = [&](store::GameColumn which) {
        std::uint32_t value = 0;
        reader.column(which, id, {&value, 1});
        return value;
    };
    using enum store::GameColumn;
    game.codes = {{code(kWhite), code(kBlack)},
                  {code(kEvent), code(kSite), code(kEco), code(kTermination)},
                  {code(kOpening)}};
    game.swings = code(kWhiteSwing) | code(kBlackSwing) << codec::kSwingBits;
    replay::with_walk(id, game.stored.moves, [&](auto& walk) {
        for (;; walk.advance()) {
            out.postings[walk.position().key()].push_back({id, walk.ply(), walk.next_move()});
            if (walk.at_end()) break;
        }
    });
    out.games[id] = made;
    if (out.info.variation_pieces != 0) memory::index_variations(id, out);
}

std::shared_ptr<const Content> copy_of(store::LocalReader& reader) {
    auto out = std::make_shared<Content>();
    out->info = reader.info();
    out->last = reader.last_game();
    for (GameId id = 1; id <= out->last; ++id) {
        out->facts.push_back(reader.facts(id));
        if (reader.has_game(id)) copy_game(id, reader, *out);
    }
    out->signatures = reader.signatures({1, out->last});
    for (const auto kind :
         {store::NameKind::kPlayer, store::NameKind::kEvent, store::NameKind::kSite,
          store::NameKind::kTagValue, store::NameKind::kOpening}) {
        reader.for_each_name(kind, [&](std::int64_t id, std::string_view name) {
            out->names[kind].emplace_back(id, name);
        });
    }
    out->sources = reader.sources();
    reader.for_each_error([&](const store::StoredError& error) {
        out->errors.emplace_back(error, std::nullopt);
        return true;
    });
    for (auto& [error, text] : out->errors) text = reader.broken_game(error.id);
    return out;
}

class Cursor final : public store::CandidateCursor {
  public:
    explicit Cursor(std::span<const Candidate> candidates) : candidates_(candidates) {}
    bool next(Candidate& out) override {
        if (next_ == candidates_.size()) return false;
        out = candidates_[next_++];
        return true;
    }

  private:
    std::span<const Candidate> candidates_;
    std::size_t next_ = 0;
};

/// Pieces of a few games only, so that those who read them meet their ends often. Every seventh
/// game is in no piece.
class Pieces final : public store::PositionPieces {
  public:
    explicit Pieces(std::span<const Candidate> candidates) {
        std::map<std::uint16_t, std::vector<std::uint32_t>> by_move;
        std::set<GameId> games;
        for (const Candidate& each : candidates) {
            if (!each.ply || each.game % 7 == 0) {
                others_.push_back(each);
                continue;
            }
            by_move[each.next.bits()].push_back(static_cast<std::uint32_t>(each.game));
            once_ = games.insert(each.game).second && once_;
        }
        games_ = games.size();
        const store::GameRange range{1, games.empty() ? 0 : *games.rbegin()};
        for (const auto& [move, all] : by_move) {
            for (std::size_t i = 0; i < all.size(); i += kGames) {
                const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i);
                games_of_.emplace_back(
                    begin, begin + static_cast<std::ptrdiff_t>(std::min(kGames, all.size() - i)));
                pieces_.push_back({chess::Move::from_bits(move), i != 0, range});
            }
        }
    }
    void read(std::size_t piece, std::vector<std::uint32_t>& games) override {
        games = games_of_[piece];
    }

  private:
    static constexpr std::size_t kGames = 3;

    std::vector<std::vector<std::uint32_t>> games_of_;
};

class MemoryReader final : public store::LocalReader {
  public:
    explicit MemoryReader(std::shared_ptr<memory::Committed> committed)
        : committed_(std::move(committed)), content_(committed_->get()) {}

    store::Engine& engine() override { return *engine_; }
    store::StoreInfo info() override { return content_->info; }
    std::uint64_t count_players() override {
        const auto players = content_->names.find(store::NameKind::kPlayer);
        return players == content_->names.end() ? 0 : players->second.size();
    }
    GameId last_game() override { return content_->last; }
    bool has_game(GameId game) override { return content_->games.contains(game); }

    std::unique_ptr<store::CandidateCursor> candidates(std::uint64_t key) override {
        return std::make_unique<Cursor>(postings(key));
    }
    void for_each_candidate_group(
        std::uint64_t key, const std::function<void(std::span<const Candidate>)>& visit) override {
        // Two pieces, the later games first, because callers must not rely on an order.
        const std::span<const Candidate> all = postings(key);
        const std::size_t half = all.size() / 2;
        if (half != all.size()) visit(all.subspan(half));
        if (half != 0) visit(all.first(half));
    }
    store::PositionOverview overview(std::uint64_t key) override;
    std::vector<GameId> games_with_variations(std::uint64_t key) override {
        const auto found = content_->variations.find(key);
        if (found == content_->variations.end()) return {};
        return {found->second.begin(), found->second.end()};
    }

    codec::GameFacts facts(GameId game) override {
        if (game == 0 || game > content_->last) {
            throw store::StoreError(store::StoreError::kOther, "no such game");
        }
        return content_->facts[game - 1];
    }
    std::vector<codec::GameSignature> signatures(const store::GameRange& games) override {
        std::vector<codec::GameSignature> out;
        for (GameId game = games.first; game <= std::min(games.last, content_->last); ++game) {
            out.push_back(content_->signatures[game - 1]);
        }
        return out;
    }
    std::vector<GameId> possible_games(const store::GameRange& games,
                                       std::span<const codec::SignatureCondition> any_of) override {
        std::vector<GameId> out;
        for (const auto& [id, game] : content_->games) {
            if (id < games.first || id > games.last) continue;
            const codec::GameSignature& signature = content_->signatures[id - 1];
            if (std::any_of(any_of.begin(), any_of.end(),
                            [&](const auto& each) { return each.may_hold(signature); })) {
                out.push_back(id);
            }
        }
        return out;
    }
    std::vector<store::GameRange> games_with_indexed_variations() override { return {}; }
    bool may_have_variants() override { return true; }
    std::vector<store::StoredSource> sources() override { return content_->sources; }
    void for_each_error(const std::function<bool(const store::StoredError&)>& visit) override {
        for (const auto& [error, text] : content_->errors) {
            if (!visit(error)) return;
        }
    }
    std::optional<std::string> broken_game(std::int64_t id) override {
        for (const auto& [error, text] : content_->errors) {
            if (error.id == id) return text;
        }
        return std::nullopt;
    }

    void headers(std::span<const GameId> games,
                 const std::function<void(const store::GameHeader&)>& visit) override {
        for_each(games, [&](GameId, const Game& game) { visit(game.header); });
    }
    void moves(std::span<const GameId> games,
               const std::function<void(GameId, const store::StoredMoves&)>& visit) override {
        for_each(games, [&](GameId id, const Game& game) { visit(id, game.stored.moves); });
    }
    void games(std::span<const GameId> games,
               const std::function<void(GameId, const store::StoredGame&)>& visit) override {
        for_each(games, [&](GameId id, const Game& game) { visit(id, game.stored); });
    }
    [[nodiscard]] unsigned threads() const override { return 2; }
    std::unique_ptr<store::PositionPieces> pieces(std::uint64_t key) override {
        return std::make_unique<Pieces>(postings(key));
    }
    store::ChunkOfFacts facts_of_chunk(GameId game) override {
        const GameId before = (game - 1) / codec::kGamesPerChunk * codec::kGamesPerChunk;
        const auto all = std::span(content_->facts).subspan(before);
        const auto bytes = std::make_shared<const std::string>(
            codec::encode_facts(all.first(std::min(all.size(), codec::kGamesPerChunk))));
        return {bytes, codec::FactsChunk(*bytes)};
    }
    void column(store::GameColumn which, GameId first, std::span<std::uint32_t> out) override {
        for (std::uint32_t& value : out) value = value_of(which, first++);
    }
    std::optional<std::string> name(store::NameKind kind, std::int64_t id) override {
        std::optional<std::string> found;
        for_each_name(kind, [&](std::int64_t each, std::string_view name) {
            if (each == id) found = name;
        });
        return found;
    }
    std::optional<std::int64_t> name_id(store::NameKind kind, std::string_view name) override {
        std::optional<std::int64_t> found;
        for_each_name(kind, [&](std::int64_t id, std::string_view each) {
            if (each == name) found = id;
        });
        return found;
    }
    void for_each_name_from(
        store::NameKind kind, std::int64_t first,
        const std::function<void(std::int64_t, std::string_view)>& visit) override {
        const auto names = content_->names.find(kind);
        if (names == content_->names.end()) return;
        for (const auto& [id, name] : names->second) {
            if (id >= first) visit(id, name);
        }
    }
    void for_each_moves(
        GameId first,
        const std::function<bool(GameId, const store::StoredMoves&)>& visit) override {
        from(first, [&](GameId id, const Game& game) { return visit(id, game.stored.moves); });
    }
    void for_each_game(
        GameId first, const std::function<bool(GameId, const store::StoredGame&)>& visit) override {
        from(first, [&](GameId id, const Game& game) { return visit(id, game.stored); });
    }

    bool annotation(GameId game, std::string& stream) override {
        const auto found = content_->games.find(game);
        if (found == content_->games.end() || found->second->annotation.empty()) return false;
        stream = found->second->annotation;
        return true;
    }
    void for_each_annotation(GameId first,
                             const std::function<bool(GameId, std::string_view)>& visit) override {
        from(first, [&](GameId id, const Game& game) {
            return game.annotation.empty() || visit(id, game.annotation);
        });
    }

    void for_each_repetition(GameId first, std::uint32_t min_count,
                             const std::function<bool(const store::Repetition&)>& visit) override {
        from(first, [&](GameId, const Game& game) {
            return std::all_of(
                game.repetitions.begin(), game.repetitions.end(),
                [&](const auto& r) { return r.plies.size() < min_count || visit(r); });
        });
    }
    void for_each_repetition_of(
        std::uint64_t key, std::uint32_t min_count,
        const std::function<bool(const store::Repetition&)>& visit) override {
        for_each_repetition(1, min_count, [&](const store::Repetition& repetition) {
            return repetition.key != key || visit(repetition);
        });
    }
    std::vector<store::Repetition> repetitions(GameId game) override {
        const auto found = content_->games.find(game);
        if (found == content_->games.end()) return {};
        return found->second->repetitions;
    }
    void for_each_quiet_run(GameId first,
                            const std::function<bool(const store::QuietRun&)>& visit) override {
        from(first, [&](GameId, const Game& game) {
            return std::all_of(game.quiet_runs.begin(), game.quiet_runs.end(), visit);
        });
    }
    std::vector<store::QuietRun> quiet_runs(GameId game) override {
        const auto found = content_->games.find(game);
        if (found == content_->games.end()) return {};
        return found->second->quiet_runs;
    }

    void refresh() override {
        const std::shared_ptr<const Content> content = committed_->get();
        if (content->snapshot != content_->snapshot) {
            snapshot_cache_ = std::make_unique<store::SnapshotCache>();
        }
        content_ = content;
    }
    void release() override {}
    std::uint64_t snapshot() const override { return content_->snapshot; }
    store::SnapshotCache& snapshot_cache() override { return *snapshot_cache_; }

  private:
    std::uint32_t value_of(store::GameColumn which, GameId id) const {
        using enum store::GameColumn;
        const auto game = content_->games.find(id);
        const codec::GameFacts facts = content_->facts.at(id - 1);
        const codec::GameCodes codes =
            game == content_->games.end() ? codec::GameCodes{} : game->second->codes;
        const std::uint32_t swings = game == content_->games.end() ? 0 : game->second->swings;
        switch (which) {
            case kResult: return static_cast<std::uint32_t>(facts.result);
            case kTimeClass: return static_cast<std::uint32_t>(facts.time_class);
            case kMode: return static_cast<std::uint32_t>(facts.mode);
            case kVariant: return static_cast<std::uint32_t>(facts.variant);
            case kWhiteElo: return facts.white_elo;
            case kBlackElo: return facts.black_elo;
            case kDate: return facts.date.number();
            case kPlies: return facts.plies;
            case kWhite: return codes.players[codec::kWhitePlayer];
            case kBlack: return codes.players[codec::kBlackPlayer];
            case kEvent: return codes.names[codec::kEventName];
            case kSite: return codes.names[codec::kSiteName];
            case kEco: return codes.names[codec::kEcoName];
            case kTermination: return codes.names[codec::kTerminationName];
            case kOpening: return codes.opening[codec::kOpeningName];
            case kWhiteSwing: return codec::swing_code_of(swings, chess::Color::kWhite);
            case kBlackSwing: return codec::swing_code_of(swings, chess::Color::kBlack);
            case kEloSum:
                if (facts.white_elo == 0 || facts.black_elo == 0) return 0;
                return std::uint32_t{facts.white_elo} + facts.black_elo;
        }
        return 0;
    }
    std::span<const Candidate> postings(std::uint64_t key) const {
        const auto found = content_->postings.find(key);
        if (found == content_->postings.end()) return {};
        return found->second;
    }
    template <typename Visit>
    void for_each(std::span<const GameId> games, Visit visit) const {
        for (const GameId id : games) {
            const auto found = content_->games.find(id);
            if (found != content_->games.end()) visit(id, *found->second);
        }
    }
    template <typename Visit>
    void from(GameId first, Visit visit) const {
        for (auto game = content_->games.lower_bound(first); game != content_->games.end();
             ++game) {
            if (!visit(game->first, *game->second)) return;
        }
    }

    std::shared_ptr<memory::Committed> committed_;
    std::shared_ptr<const Content> content_;
    std::unique_ptr<store::Engine> engine_ = std::make_unique<store::LocalEngine>(*this);
    std::unique_ptr<store::SnapshotCache> snapshot_cache_ =
        std::make_unique<store::SnapshotCache>();
};

store::PositionOverview MemoryReader::overview(std::uint64_t key) {
    store::PositionOverview out;
    const std::span<const Candidate> all = postings(key);
    if (all.size() < kSummed) {
        out.candidates.assign(all.begin(), all.end());
        return out;
    }
    struct Sums {
        codec::Tally tally;
        codec::NamedGames top;
        codec::NamedGames recent;
        std::set<GameId> games;
    };
    std::map<std::uint16_t, Sums> by_move;
    std::set<GameId> games;
    store::PositionSums& sums = out.sums.emplace_back();
    sums.games = {1, content_->last};
    for (const Candidate& each : all) {
        const codec::GameFacts facts = content_->facts[each.game - 1];
        ++sums.total.occurrences;
        if (games.insert(each.game).second) sums.total.add_game(facts);
        Sums& of_move = by_move[each.next.bits()];
        ++of_move.tally.occurrences;
        if (!of_move.games.insert(each.game).second) continue;
        of_move.tally.add_game(facts);
        of_move.top.offer(each.game, codec::rank_by_rating(facts));
        of_move.recent.offer(each.game, codec::rank_by_date(facts));
    }
    for (const auto& [move, of_move] : by_move) {
        store::MoveSums& named = sums.moves.emplace_back();
        named.next = chess::Move::from_bits(move);
        named.tally = of_move.tally;
        for (const auto& entry : of_move.top.entries()) named.top_games.push_back(entry.game);
        for (const auto& entry : of_move.recent.entries()) named.recent_games.push_back(entry.game);
    }
    return out;
}

class MemoryStore final : public store::Store {
  public:
    explicit MemoryStore(std::shared_ptr<const Content> content)
        : Store("memory"), committed_(std::make_shared<memory::Committed>(std::move(content))) {}

  private:
    std::unique_ptr<store::StoreReader> new_reader() override {
        return std::make_unique<MemoryReader>(committed_);
    }
    std::unique_ptr<store::StoreWriter> new_writer(std::string_view,
                                                   std::shared_ptr<void>) override {
        return memory::new_writer(committed_);
    }

    std::shared_ptr<memory::Committed> committed_;
};

}  // namespace

std::shared_ptr<store::Store> memory_store() {
    return std::make_shared<MemoryStore>(std::make_shared<Content>());
}

std::shared_ptr<store::Store> memory_store(const std::string& path) {
    return std::make_shared<MemoryStore>(copy_of(*store::file_store(path)->reader()->local()));
}

std::shared_ptr<store::Store> kept_memory_store(const std::string& path) {
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<store::Store>> kept;
    const std::lock_guard lock(mutex);
    std::shared_ptr<store::Store>& store = kept[path];
    if (!store) store = memory_store(path);
    return store;
}

}  // namespace fendex::test
