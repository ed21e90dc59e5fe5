// Text, rules and FEN, without storage. One thread.
#include <stdexcept>
#include <thread>

#include "bench.hpp"
#include "chess/fen.hpp"
#include "game_maker.hpp"

namespace fendex::bench {

namespace {

/// Replays text from memory; sums the keys so that the compiler does not drop them.
struct ReplayRun {
    Census census;
    std::uint64_t keys = 0;
    double seconds = 0;
};

ReplayRun replay_text(std::string_view text) {
    ReplayRun run;
    MemorySource source(text);
    const Stopwatch watch;
    run.census = replay_games(source, [&](const chess::Position& position, std::uint64_t,
                                          std::uint32_t) { run.keys += position.key(); });
    run.seconds = watch.seconds();
    return run;
}

void require_same(const ReplayRun& first, const ReplayRun& run) {
    if (run.keys != first.keys || run.census.plies != first.census.plies) {
        throw std::runtime_error("two replays of the same text differ");
    }
}

/// Writes the FENs of positions in blocks, so that the clock is read rarely and the positions are
/// still in cache.
class FenWriting {
  public:
    void add(const chess::Position& position) {
        block_.push_back(position);
        if (block_.size() == kBlock) write();
    }
    void write() {
        char buffer[chess::kMaxFenLength];
        const Stopwatch watch;
        for (const chess::Position& position : block_) {
            characters_ += static_cast<std::uint64_t>(
                chess::write_fen(position, chess::FenDialect::kStandard, buffer) - buffer);
        }
        seconds_ += watch.seconds();
        written_ += block_.size();
        block_.clear();
    }
    double nanoseconds_each() const { return seconds_ * 1e9 / static_cast<double>(written_); }
    double characters_each() const {
        return static_cast<double>(characters_) / static_cast<double>(written_);
    }

  private:
    static constexpr std::size_t kBlock = 256;
    std::vector<chess::Position> block_;
    double seconds_ = 0;
    std::uint64_t written_ = 0;
    std::uint64_t characters_ = 0;
};

}  // namespace

void bench_replay(Bench& bench) {
    const Archive& human = bench.inputs.human();
    const std::string text = read_text(human.path);
    const ReplayRun first = replay_text(text);
    std::vector<double> figures;
    for (std::size_t i = 0; i < bench.options.runs; ++i) {
        const ReplayRun run = replay_text(text);
        require_same(first, run);
        figures.push_back(static_cast<double>(run.census.plies) / run.seconds / 1e6);
    }
    bench.report.add({"replay", human.name, summarize(figures), "M plies/s", at_least(15)});
}

void bench_comments(Bench& bench) {
    const Inputs::Text commented = bench.inputs.commented();
    const ReplayRun first = replay_text(commented.text);
    if (first.census.plies == 0) throw std::runtime_error(commented.name + ": no moves");
    std::vector<double> figures;
    for (std::size_t i = 0; i < bench.options.runs; ++i) {
        const ReplayRun run = replay_text(commented.text);
        require_same(first, run);
        figures.push_back(static_cast<double>(commented.text.size()) / run.seconds / 1e9);
    }
    bench.report.add({"replay-comments", commented.name, summarize(figures), "GB/s", at_least(1)});
}

void bench_fen(Bench& bench) {
    const Archive& human = bench.inputs.human();
    const std::string text = read_text(human.path);
    std::vector<double> figures;
    double characters = 0;
    for (std::size_t i = 0; i < bench.options.runs; ++i) {
        MemorySource source(text);
        FenWriting writing;
        replay_games(source, [&](const chess::Position& position, std::uint64_t, std::uint32_t) {
            writing.add(position);
        });
        writing.write();
        figures.push_back(writing.nanoseconds_each());
        characters = writing.characters_each();
    }
    bench.report.add({"fen", human.name, summarize(figures), "ns", at_most(100)});
    bench.report.add({"fen-length", human.name, exactly(characters), "characters", std::nullopt});
}

void bench_generate(Bench& bench) {
    const Openings openings(bench.inputs.openings(), kMinOpeningPlies, kMaxOpeningPlies);
    const GameMaker maker(openings, {.seed = bench.options.seed, .crlf = false});
    const std::uint64_t games = std::max<std::uint64_t>(1000, bench.inputs.options().games / 2);
    std::string expected;
    make_games(maker, games, 1, [&](std::string_view text) { expected += text; });
    MemorySource source(expected);
    const Census census =
        replay_games(source, [](const chess::Position&, std::uint64_t, std::uint32_t) {});
    if (census.games != games || census.broken != 0) {
        throw std::runtime_error("the generator made games that cannot be read");
    }
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    std::vector<double> figures;
    for (std::size_t i = 0; i < bench.options.runs; ++i) {
        std::size_t made = 0;
        bool same = true;
        const Stopwatch watch;
        make_games(maker, games, cores, [&](std::string_view text) {
            same &= std::string_view(expected).substr(made, text.size()) == text;
            made += text.size();
        });
        figures.push_back(static_cast<double>(games) / watch.seconds() / 1e3);
        if (!same || made != expected.size()) {
            throw std::runtime_error("the generated games depend on the number of threads");
        }
    }
    bench.report.add({"generate", "openings", summarize(figures), "k games/s", at_least(100)});
    bench.report.add({"generate-length", "openings",
                      exactly(static_cast<double>(census.plies) / static_cast<double>(games)),
                      "plies/game", std::nullopt});
}

}  // namespace fendex::bench
