// The FEN of every ply of thousands of real games, against pgn-extract's.
#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <filesystem>
#include <map>

#include "chess/fen.hpp"
#include "ingest/game_replay.hpp"
#include "pgn/reader.hpp"
#include "support/corpus.hpp"
#include "support/pgn_extract.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"
#include "support/skip.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;

struct Sample {
    std::string file;
    unsigned every;  // take the games whose number is a multiple
};

std::vector<std::string> fields_of(const std::string& fen) {
    std::vector<std::string> fields(1);
    for (const char c : fen) {
        if (c == ' ') {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    return fields;
}

/// A rank of a placement, one character per square.
std::string squares_of_rank(const std::string& placement, unsigned rank) {
    std::size_t begin = 0;
    for (unsigned i = 8; i > rank; --i) begin = placement.find('/', begin) + 1;
    std::string squares;
    for (std::size_t i = begin; i < placement.size() && placement[i] != '/'; ++i) {
        if (placement[i] >= '1' && placement[i] <= '8') {
            squares.append(static_cast<std::size_t>(placement[i] - '0'), '.');
        } else {
            squares += placement[i];
        }
    }
    return squares;
}

/// Returns castling rights as rook files, sorted. The two programs agree on which rook may castle
/// and differ in one spelling: if a side has one right left, on a rook that is not on file a or h,
/// pgn-extract 19-04 writes the file (`Ckq`), although the rook is the outermost and X-FEN has K or
/// Q (`Kkq`).
std::string rook_files(const std::vector<std::string>& fen) {
    std::string files;
    for (const char right : fen.at(2)) {
        const bool white = right >= 'A' && right <= 'Z';
        const char lower = white ? static_cast<char>(right + 32) : right;
        const std::string rank = squares_of_rank(fen.at(0), white ? 1 : 8);
        const char rook = white ? 'R' : 'r';
        std::size_t file = static_cast<std::size_t>(lower - 'a');
        if (lower == 'k') file = rank.rfind(rook);
        if (lower == 'q') file = rank.find(rook);
        files += right == '-' ? right : static_cast<char>((white ? 'A' : 'a') + file);
    }
    std::sort(files.begin(), files.end());
    return files;
}

class Comparison {
  public:
    std::size_t games = 0;
    std::size_t plies = 0;
    std::size_t spelled_otherwise = 0;  // castling

    void add(const std::string& file, unsigned every) {
        const TemporaryDirectory directory;
        std::map<std::string, std::vector<std::string>> ours;
        std::string sampled;
        unsigned number = 0;
        for_each_game(file, [&](std::string_view text, bool truncated) {
            if (++number % every != 0) return true;
            const std::string name = std::to_string(number);
            ours[name] = fens_of(text, truncated);
            sampled += std::string("[") + kNumberTag + " \"" + name + "\"]\n";
            if (!text.starts_with('[')) sampled += '\n';
            sampled.append(text).append("\n\n");
            return true;
        });
        const auto theirs = extract_fens(directory.write("sample.pgn", sampled), options_);
        INFO(file);
        CHECK(theirs.size() == ours.size());
        for (const ExtractedGame& game : theirs) {
            INFO("game " << game.number);
            compare(ours[game.number], game.fens);
        }
    }

    Comparison(chess::FenDialect dialect, std::vector<std::string> options)
        : dialect_(dialect), options_(std::move(options)) {}

  private:
    std::vector<std::string> fens_of(std::string_view text, bool truncated) {
        std::vector<store::TagPair> tags;
        std::deque<std::string> owned;
        replay_.start(tags, owned);
        pgn::read_game(text, truncated, replay_);
        replay_.finish();
        std::vector<std::string> fens;
        chess::Position position = *replay_.start_position().standard();
        for (const chess::Move move : replay_.moves()) {
            position.play(move);
            fens.push_back(chess::to_fen(position, dialect_));
        }
        return fens;
    }

    void compare(const std::vector<std::string>& ours, const std::vector<std::string>& theirs) {
        if (ours.size() != theirs.size()) {
            FAIL_CHECK("plies: " << ours.size() << ", pgn-extract: " << theirs.size());
        }
        ++games;
        for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
            ++plies;
            if (ours[i] == theirs[i]) continue;
            auto a = fields_of(ours[i]);
            auto b = fields_of(theirs[i]);
            if (a.size() == 6 && b.size() == 6 && rook_files(a) == rook_files(b)) {
                a[2] = b[2];
                ++spelled_otherwise;
            }
            if (a != b) {
                FAIL_CHECK("ply " << i + 1 << ": " << ours[i] << "\n pgn-extract: " << theirs[i]);
                return;
            }
        }
    }

    chess::FenDialect dialect_;
    std::vector<std::string> options_;
    ingest::GameReplay replay_;
};

}  // namespace

TEST_CASE("The FEN of every ply of thousands of games agrees with pgn-extract", "[full]") {
    if (skip_without("pgn-extract")) return;
    // pgn-extract writes the en passant square after every double step, as the standard has it, or
    // with
    // --nofauxep only where the capture is legal.
    Comparison standard(chess::FenDialect::kStandard, {"--allownullmoves"});
    Comparison legal(chess::FenDialect::kLegal, {"--allownullmoves", "--nofauxep"});
    std::vector<Sample> samples;
    if (!use_whole_corpus()) {
        for (const auto& entry : std::filesystem::directory_iterator(FENDEX_SAMPLES)) {
            const std::string path = entry.path().string();
            if (path.ends_with(".pgn") || path.ends_with(".zst")) samples.push_back({path, 1});
        }
        for (const char* const file : {"human", "engine", "chess960"}) {
            samples.push_back({corpus_cut() + "/" + file + ".pgn.zst", 1});
        }
    } else {
        const std::string corpus = whole_corpus();
        const unsigned of_those = kSanitized ? 20 : 1;
        samples = {{corpus + "/human.pgn.zst", 50 * of_those},
                   {corpus + "/engine.pgn.zst", 6 * of_those},
                   {corpus + "/chess960.pgn.zst", 2 * of_those}};
        for (const auto& entry : std::filesystem::directory_iterator(corpus + "/online")) {
            samples.push_back({entry.path().string(), 3 * of_those});
        }
    }
    for (const Sample& sample : samples) {
        standard.add(sample.file, sample.every);
        legal.add(sample.file, sample.every);
    }
    CHECK(legal.plies == standard.plies);
    if (!use_whole_corpus()) {
        CHECK(standard.games == 113 + 300 + 10 + 8);
        CHECK(standard.plies > 40'000);
    } else {
        CHECK(standard.games >= (kSanitized ? 200 : 5000));
        CHECK(standard.plies >= (kSanitized ? 20'000 : 400'000));
        CHECK(standard.spelled_otherwise > 0);
    }
}
