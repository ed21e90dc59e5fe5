#include "clickhouse/push_blocks.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/ordered_pipeline.hpp"
#include "clickhouse/push_rows.hpp"
#include "clickhouse/schema.hpp"
#include "codec/game_codes.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::clickhouse {

namespace {

using store::GameId;
using store::GameRange;
using store::LocalReader;

/// Divides games into blocks of about `block_postings` postings.
class BlockCutter {
  public:
    BlockCutter(LocalReader& reader, const GameRange& games, std::uint64_t block_postings)
        : reader_(reader), rest_(games), block_postings_(block_postings) {}

    std::optional<GameRange> next() {
        const std::optional<GameRange> most = store::take_front(rest_, kMostGames);
        if (!most) return std::nullopt;
        plies_.resize(most->last - most->first + 1);
        reader_.column(store::GameColumn::kPlies, most->first, plies_);
        std::uint64_t postings = 0;
        GameRange block{most->first, most->first - 1};
        while (block.last < most->last && postings < block_postings_) {
            postings += std::uint64_t{plies_[block.last + 1 - block.first]} + 1;
            ++block.last;
        }
        rest_.first = block.last + 1;
        return block;
    }

  private:
    static constexpr std::uint64_t kMostGames = 50'000;

    LocalReader& reader_;
    GameRange rest_;
    std::uint64_t block_postings_;
    std::vector<std::uint32_t> plies_;
};

struct Block {
    PushCounters counters;
    std::uint64_t postings = 0;
};

/// Reads and sends blocks in one thread.
class BlockSender {
  public:
    BlockSender(LocalReader& reader, Connection connection, PushNumber push,
                const std::vector<GameRange>& varied)
        : reader_(reader),
          connection_(std::move(connection)),
          push_(push),
          varied_(varied),
          postings_(push, 1) {}

    Block send(const GameRange& games) {
        Block block;
        read_annotations(games);
        add_games(games, block);
        add_repetitions(games);
        block.counters.fingerprint = postings_.fingerprint();
        block.postings = postings_.size();
        packed_postings_.clear();
        postings_.append_to(packed_postings_);
        postings_.clear();
        rows_.send(connection_);
        insert_rows(connection_, "posting", packed_postings_);
        return block;
    }

  private:
    void read_annotations(const GameRange& games) {
        annotations_.clear();
        reader_.for_each_annotation(games.first, [&](GameId game, std::string_view stream) {
            if (game > games.last) return false;
            annotations_.emplace(game, stream);
            return true;
        });
    }

    std::string_view opening(std::uint32_t code) {
        const std::optional<std::int64_t> id = codec::id_of_code(code);
        if (!id) return {};
        const auto [known, added] = openings_.try_emplace(*id);
        if (added) known->second = reader_.name(store::NameKind::kOpening, *id).value_or("");
        return known->second;
    }

    void add_games(const GameRange& games, Block& block) {
        const std::vector<codec::GameSignature> signatures = reader_.signatures(games);
        std::vector<std::uint32_t> openings(games.last - games.first + 1);
        reader_.column(store::GameColumn::kOpening, games.first, openings);
        reader_.for_each_game(games.first, [&](GameId number, const store::StoredGame& stored) {
            if (number > games.last) return false;
            const std::size_t i = number - games.first;
            PushedGame game;
            game.number = number;
            game.moves = &stored.moves;
            game.facts = reader_.facts(number);
            if (const auto found = annotations_.find(number); found != annotations_.end()) {
                game.annotation = found->second;
                game.index_variations = std::ranges::any_of(varied_, [&](const GameRange& each) {
                    return each.first <= number && number <= each.last;
                });
                ++block.counters.annotated_games;
            }
            const std::size_t before = postings_.size();
            postings_.add(game);
            append_variations(push_, 1, game, rows_.of("variation"));
            append_game(push_, game, stored.tags, opening(openings[i]), signatures.at(i),
                        rows_.of("game"), rows_.of("player"));
            ++block.counters.games;
            block.counters.plies += stored.moves.facts.plies;
            block.counters.positions += static_cast<std::int64_t>(postings_.size() - before);
            return true;
        });
    }

    void add_repetitions(const GameRange& games) {
        reader_.for_each_repetition(games.first, 2, [&](const store::Repetition& each) {
            if (each.game > games.last) return false;
            append_repetition(push_, each, rows_.of("repetition"));
            return true;
        });
        reader_.for_each_quiet_run(games.first, [&](const store::QuietRun& each) {
            if (each.game > games.last) return false;
            append_quiet_run(push_, each, rows_.of("quiet_run"));
            return true;
        });
    }

    LocalReader& reader_;
    Connection connection_;
    PushNumber push_;
    const std::vector<GameRange>& varied_;
    PostingRows postings_;
    std::string packed_postings_;
    PendingRows rows_;
    std::unordered_map<GameId, std::string> annotations_;
    std::unordered_map<std::int64_t, std::string> openings_;
};

}  // namespace

RowWriter& PendingRows::of(std::string_view table) {
    for (const std::unique_ptr<Rows>& each : tables_) {
        if (each->table == table) return each->rows;
    }
    tables_.push_back(std::make_unique<Rows>());
    tables_.back()->table = table;
    return tables_.back()->rows;
}

void PendingRows::send(Connection& connection) {
    for (const std::unique_ptr<Rows>& each : tables_) {
        insert_rows(connection, each->table, each->rows.bytes());
        each->rows.clear();
    }
}

PushCounters send_games(
    store::SnapshotReaders& readers, const Url& url, const PushOptions& options, PushNumber push,
    const GameRange& games,
    const std::function<void(std::uint64_t games, std::uint64_t postings)>& done) {
    const unsigned threads = readers.size() - 1;
    LocalReader& chooser = readers[threads];
    const std::vector<GameRange> varied = chooser.games_with_indexed_variations();
    std::vector<std::unique_ptr<BlockSender>> senders;
    for (unsigned i = 0; i < threads; ++i) {
        senders.push_back(std::make_unique<BlockSender>(
            readers[i], Connection(url, options.password), push, varied));
    }
    BlockCutter cutter(chooser, games, options.block_postings);
    PushCounters sum;
    base::run_ordered(
        threads, threads, [&] { return cutter.next(); },
        [&](unsigned thread, const GameRange& block) { return senders[thread]->send(block); },
        [&](const Block& block) {
            sum.add(block.counters);
            done(static_cast<std::uint64_t>(block.counters.games), block.postings);
        });
    return sum;
}

}  // namespace fendex::clickhouse
