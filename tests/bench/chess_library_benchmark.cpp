// Processor time of replays and imports compared with that of chess-library's replay of the same
// text. The three run in turn, so that other load on the machine affects all.
#include <ctime>
#include <sstream>
#include <stdexcept>

#include "bench.hpp"
#include "import_runs.hpp"

namespace fendex::bench {

namespace {

class ChessLibrary {
  public:
    explicit ChessLibrary(const Bench& bench)
        : bench_(bench), program_(bench.directory.file("chess-library-replay")) {
        std::vector<std::string> command{FENDEX_CXX, "-std=c++17"};
        std::istringstream flags(FENDEX_CXX_FLAGS);
        for (std::string flag; flags >> flag;) command.push_back(flag);
        command.insert(command.end(), {"-I", bench.options.chess_library,
                                       FENDEX_CHESS_LIBRARY_REPLAY, "-o", program_});
        run(command);
    }

    /// Returns the processor seconds of a replay.
    double replay(const Archive& archive) const {
        std::istringstream words(run({program_, archive.path}));
        std::uint64_t plies = 0;
        std::uint64_t keys = 0;
        double seconds = 0;
        words >> plies >> keys >> seconds;
        if (plies != archive.census.plies) {
            throw std::runtime_error("chess-library read " + std::to_string(plies) +
                                     " plies, not " + std::to_string(archive.census.plies));
        }
        return seconds;
    }

  private:
    /// Returns what the program prints.
    std::string run(const std::vector<std::string>& command) const {
        const std::string output = bench_.directory.file("chess-library.out");
        const std::string errors = bench_.directory.file("chess-library.err");
        if (bench_.launcher.run(command, output, errors).exit_status != 0) {
            throw std::runtime_error(command.front() + ": " + read_text(errors));
        }
        return read_text(output);
    }

    const Bench& bench_;
    std::string program_;
};

double replay_processor_seconds(const Archive& archive, std::string_view text) {
    MemorySource source(text);
    std::uint64_t keys = 0;
    const std::clock_t start = std::clock();
    const Census census = replay_games(source, [&](const chess::Position& position, std::uint64_t,
                                                   std::uint32_t) { keys += position.key(); });
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (census.plies != archive.census.plies || keys == 0) {
        throw std::runtime_error("two replays of the same text differ");
    }
    return seconds;
}

}  // namespace

void bench_chess_library(Bench& bench) {
    if (bench.options.chess_library.empty()) return;
    const Archive& human = bench.inputs.human();
    const std::string text = read_text(human.path);
    const std::string memory = std::to_string(bench.options.memory_bytes);
    const std::string database = bench.directory.file("import.db");
    const ChessLibrary chess_library(bench);
    std::vector<double> theirs;
    std::vector<double> replay_speeds;
    std::vector<double> imports;
    std::vector<double> import_ratios;
    for (std::size_t i = 0; i < bench.options.runs; ++i) {
        theirs.push_back(chess_library.replay(human));
        replay_speeds.push_back(theirs.back() / replay_processor_seconds(human, text));
        imports.push_back(import_process(bench, human, memory, database).processor_seconds);
        import_ratios.push_back(imports.back() / theirs.back());
    }
    const auto add = [&](const std::string& name, const std::vector<double>& figures,
                         const std::string& unit, std::optional<Target> target) {
        bench.report.add({name, human.name, summarize(figures), unit, target});
    };
    add("chess-library-replay", theirs, "s", std::nullopt);
    add("replay-over-chess-library", replay_speeds, "x as fast", at_least(2.6));
    add("import-processor", imports, "s", std::nullopt);
    add("import-over-chess-library", import_ratios, "x its time", at_most(1.25));
    remove_database(database);
}

}  // namespace fendex::bench
