// fendex_generate: writes a made-up archive of any size.
#include <fmt/core.h>

#include <boost/program_options.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include "game_maker.hpp"
#include "openings.hpp"

namespace {

namespace po = boost::program_options;
using namespace fendex::bench;

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

struct Options {
    std::uint64_t games = 0;
    MakerOptions maker;
    std::string openings;
    std::string output;
    unsigned threads = 1;
};

void run(const Options& options) {
    const Openings openings(options.openings, kMinOpeningPlies, kMaxOpeningPlies);
    const GameMaker maker(openings, options.maker);
    std::unique_ptr<std::FILE, Close> file;
    if (options.output != "-") {
        file.reset(std::fopen(options.output.c_str(), "wb"));
        if (!file) throw std::runtime_error(options.output + ": cannot be created");
    }
    std::FILE* out = file ? file.get() : stdout;

    const auto start = std::chrono::steady_clock::now();
    std::uint64_t bytes = 0;
    make_games(maker, options.games, options.threads, [&](std::string_view text) {
        bytes += text.size();
        if (std::fwrite(text.data(), 1, text.size(), out) != text.size()) {
            throw std::runtime_error("cannot write");
        }
    });
    if (std::fflush(out) != 0) throw std::runtime_error("cannot write");
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print(stderr, "{} games, {:.1f} MB in {:.2f} s ({:.0f} games/s, {} threads)\n",
               options.games, static_cast<double>(bytes) / 1e6, seconds,
               static_cast<double>(options.games) / seconds, options.threads);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        Options options;
        const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
        po::options_description described("Options");
        described.add_options()("help,h", "this text")(
            "games", po::value(&options.games)->required(), "how many games to make up")(
            "openings", po::value(&options.openings)->required(),
            "an archive, compressed or not, whose games are continued")(
            "seed", po::value(&options.maker.seed)->default_value(1),
            "seed of random choices; determines the archive")(
            "output,o", po::value(&options.output)->default_value("-"), "- for standard output")(
            "threads", po::value(&options.threads)->default_value(cores),
            "number of threads; does not change the archive")(
            "crlf", po::bool_switch(&options.maker.crlf), "end lines with CR LF")(
            "online", po::bool_switch(&options.maker.online),
            "tags and a clock after each move as in a monthly archive of an online server");
        po::variables_map values;
        po::store(po::parse_command_line(argc, argv, described), values);
        if (values.count("help") != 0) {
            std::cout << "Makes up an archive: new, legal games that begin like real ones.\n\n"
                      << described
                      << "\nExample: fendex_generate --games 1000000 --openings human.pgn.zst "
                         "-o made.pgn\n";
            return 0;
        }
        po::notify(values);
        options.threads = std::max(1U, options.threads);
        run(options);
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "fendex_generate: {}\n", error.what());
        return 2;
    }
}
