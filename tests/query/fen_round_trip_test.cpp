// Every position of a sample of real games, written in every dialect and read again.
#include <catch2/catch.hpp>
#include <deque>

#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "ingest/game_replay.hpp"
#include "pgn/reader.hpp"
#include "support/corpus.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using chess::FenDialect;

/// Returns the first error in a position's spellings; empty if there is none.
std::string wrong_with(const chess::Position& position) {
    for (const FenDialect dialect :
         {FenDialect::kStandard, FenDialect::kLegal, FenDialect::kXfen, FenDialect::kShredder}) {
        const std::string fen = chess::to_fen(position, dialect);
        const chess::FenResult again = chess::parse_fen(fen);
        if (!again.position) return fen + ": " + again.error.reason;
        if (!again.position->same_as(position)) return fen + ": another position";
        if (again.position->key() != position.key()) return fen + ": another key";
        if (again.position->halfmove_clock() != position.halfmove_clock() ||
            again.position->fullmove_number() != position.fullmove_number()) {
            return fen + ": other clocks";
        }
        if (chess::to_fen(*again.position, dialect) != fen) return fen + ": written otherwise";
    }
    const std::string epd = chess::to_epd(position);
    const chess::FenResult again = chess::parse_fen(epd);
    if (!again.position || !again.position->same_as(position)) return epd + ": another position";
    return chess::to_epd(*again.position) == epd ? "" : epd + ": written otherwise";
}

}  // namespace

TEST_CASE("Positions of games are read back from every dialect, and moves from SAN and UCI",
          "[full]") {
    struct Sample {
        const char* file;
        unsigned every;
    };
    std::vector<std::pair<std::string, unsigned>> samples;
    if (!use_whole_corpus()) {
        for (const char* const file : {"classics.pgn", "curiosities.pgn", "fischer-random.pgn",
                                       "marx-gyorgy-2006.pgn", "online.pgn", "repetitions.pgn"}) {
            samples.emplace_back(std::string(FENDEX_SAMPLES) + "/" + file, 1);
        }
        for (const char* const file : {"human.pgn.zst", "engine.pgn.zst", "chess960.pgn.zst"}) {
            samples.emplace_back(corpus_cut() + "/" + file, 1);
        }
    } else {
        const unsigned of_those = kSanitized ? 10 : 1;
        for (const Sample& sample :
             {Sample{"human.pgn.zst", 400}, Sample{"engine.pgn.zst", 20},
              Sample{"chess960.pgn.zst", 4}, Sample{"online/pnmadelaine-chess-lichess.pgn", 10},
              Sample{"annotated/endgames-from-fen.pgn", 1}}) {
            samples.emplace_back(whole_corpus() + "/" + sample.file, sample.every * of_those);
        }
    }
    std::size_t positions = 0;
    for (const auto& [file, every] : samples) {
        INFO(file);
        unsigned number = 0;
        ingest::GameReplay replay;
        for_each_game(file, [&, every = every](std::string_view text, bool truncated) {
            if (++number % every != 0) return true;
            std::vector<store::TagPair> tags;
            std::deque<std::string> owned;
            replay.start(tags, owned);
            pgn::read_game(text, truncated, replay);
            replay.finish();
            chess::Position position = *replay.start_position().standard();
            for (const chess::Move move : replay.moves()) {
                const std::string san = chess::to_san(position, move);
                const std::string uci = chess::to_uci(position, move, replay.facts().variant);
                for (const std::string& word : {san, uci}) {
                    if (word == "0000") continue;
                    chess::SanMove parsed;
                    chess::Move found;
                    const bool read =
                        chess::parse_san(word, parsed) == chess::SanError::kNone &&
                        chess::resolve_san(position, parsed, found) == chess::SanError::kNone;
                    if (!read || found != move) {
                        FAIL_CHECK("game " << number << ": " << word << " in " << to_fen(position));
                    }
                }
                position.play(move);
                ++positions;
                if (const std::string wrong = wrong_with(position); !wrong.empty()) {
                    FAIL_CHECK("game " << number << ": " << wrong);
                    return false;
                }
            }
            return true;
        });
    }
    CHECK(positions > 30'000);
}
