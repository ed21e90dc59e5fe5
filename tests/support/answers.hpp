// The results of every kind of query on a database, as text: to compare before and after a change,
// and to run on damaged files.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "emit/pgn_game.hpp"
#include "query/opening_tree.hpp"
#include "query/position_search.hpp"
#include "query/repetition_analysis.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/record_texts.hpp"

namespace fendex::test {

/// Throws what the queries throw.
class Answers {
  public:
    explicit Answers(const std::string& path) : reader_(store::file_store(path)->reader()) {}

    std::string games() {
        query::GameMatcher matcher(*reader_);
        for (const auto order : {query::GameOrder::kId, query::GameOrder::kDate}) {
            for (const store::GameId id : query::select_games(*reader_, matcher, order)) {
                add(id);
            }
        }
        query::GameFilter filter;
        filter.player = "m";
        query::GameMatcher some(*reader_, filter);
        for (const store::GameId id : query::select_games(*reader_, some)) add(id);
        store::GameHeader header;
        reader_->for_each_game(1, [&](store::GameId id, const store::StoredGame& game) {
            std::string annotation;
            reader_->annotation(id, annotation);
            emit::append_pgn(id, game, annotation, out_);
            if (reader_->header(id, header)) {
                add(header.plies);
                out_ += header.white.value_or("-");
            }
            return true;
        });
        return take();
    }

    std::string position(const chess::Position& position) {
        query::GameMatcher matcher(*reader_);
        query::PositionSearch search(*reader_, matcher);
        const query::Question question = query::Question::of(position);
        search.find(question, [&](const query::Hit& hit) {
            add(hit.game);
            for (const std::uint32_t ply : hit.plies) add(ply);
            if (hit.next) add(hit.next->bits());
            return true;
        });
        const query::Count count = search.count(question, false);
        add(count.games);
        add(count.occurrences);
        const query::Tree tree = query::opening_tree(*reader_, search, position, {});
        for (const query::TreeMove& move : tree.moves) {
            out_ += move.uci;
            add(move.tally.games);
            add(move.tally.white_elo_sum);
            for (const query::NamedGame& named : move.top_games) add(named.game);
        }
        return take();
    }

    std::string repetitions() {
        query::GameMatcher matcher(*reader_);
        query::RepetitionAnalysis analysis(*reader_, matcher);
        analysis.for_each({}, [&](const query::RepeatedPosition& each) {
            add(each.repetition.game);
            add(each.repetition.key);
            for (const std::uint32_t ply : each.repetition.plies) add(ply);
            add(each.played_on.value_or(0));
            return true;
        });
        analysis.for_each_run({}, [&](const query::ClockRun& run) {
            add(run.game);
            add(run.ply.value_or(0));
            add(run.played_on.value_or(0));
            return true;
        });
        return take();
    }

    /// The signatures of all games of chunk 0.
    std::string signatures() {
        for (const codec::GameSignature& each :
             reader_->local()->signatures({1, codec::kGamesPerChunk})) {
            for (const std::uint64_t number : {each.least, each.white_pawns, each.black_pawns}) {
                add(number);
            }
            add(each.surplus[0]);
            add(each.surplus[1]);
            add(each.replayed);
        }
        return take();
    }

    std::string records() {
        for (const auto& [epd, text] : records_of(*reader_)) out_ += text;
        return take();
    }

    std::string info() {
        const store::StoreInfo info = reader_->info();
        for (const std::uint64_t number : {info.games, info.plies, info.positions, info.errors,
                                           info.fingerprint, info.records}) {
            add(number);
        }
        return take();
    }

    std::string all(const std::vector<chess::Position>& positions) {
        std::string out = games() + '\n' + repetitions() + '\n' + records() + '\n' + info();
        for (const chess::Position& each : positions) out += '\n' + position(each);
        return out;
    }

  private:
    template <typename Number>
    void add(Number number) {
        out_ += ' ' + std::to_string(number);
    }
    std::string take() { return std::exchange(out_, {}); }

    store::Reader reader_;
    std::string out_;
};

}  // namespace fendex::test
