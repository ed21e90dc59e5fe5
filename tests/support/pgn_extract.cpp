#include "support/pgn_extract.hpp"

#include <catch2/catch.hpp>

#include "support/process.hpp"

namespace fendex::test {

bool have_pgn_extract() { return !find_program("pgn-extract").empty(); }

std::vector<ExtractedGame> extract_fens(const std::string& path,
                                        const std::vector<std::string>& options) {
    std::vector<std::string> words{"pgn-extract",   "-s", "-C",     "-N", "-V", "--keepbroken",
                                   "--fencomments", "-w", "1000000"};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(path);
    const Outcome outcome = run_process(words);
    INFO(outcome.err.substr(0, 2000));
    REQUIRE(outcome.status == 0);

    std::vector<ExtractedGame> games;
    const std::string number = std::string("[") + kNumberTag + " \"";
    bool in_tags = false;
    for (const std::string& line : lines_of(outcome.out)) {
        if (line.starts_with('[')) {
            if (!in_tags) games.emplace_back();
            in_tags = true;
            if (line.starts_with(number)) {
                games.back().number =
                    line.substr(number.size(), line.find('"', number.size()) - number.size());
            }
        } else if (!line.empty()) {
            REQUIRE_FALSE(games.empty());
            in_tags = false;
            for (std::size_t open = line.find("{ "); open != std::string::npos;
                 open = line.find("{ ", open + 1)) {
                const std::size_t close = line.find(" }", open);
                if (close == std::string::npos) FAIL("no FEN: " << line.substr(open, 100));
                games.back().fens.push_back(line.substr(open + 2, close - open - 2));
            }
        }
    }
    return games;
}

}  // namespace fendex::test
