// Perft suites as data: `id NAME`, `epd FEN` and `perft DEPTH NODES` lines, `#` for a comment.
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace fendex::test {

struct PerftCount {
    unsigned depth = 0;
    std::uint64_t nodes = 0;
};

struct PerftCase {
    std::string id;
    std::string epd;
    std::vector<PerftCount> counts;
};

/// Throws if the file cannot be read or has other lines.
inline std::vector<PerftCase> read_perft_suite(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot open " + path);
    std::vector<PerftCase> suite;
    std::string id;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string word;
        if (!(words >> word) || word[0] == '#') continue;
        if (word == "id") {
            std::getline(words >> std::ws, id);
        } else if (word == "epd") {
            suite.push_back({id, {}, {}});
            std::getline(words >> std::ws, suite.back().epd);
        } else if (PerftCount count; word == "perft" && !suite.empty() &&
                                     words >> count.depth >> count.nodes && count.depth > 0) {
            suite.back().counts.push_back(count);
        } else {
            throw std::runtime_error(path + ": not a line of a perft suite: " + line);
        }
    }
    return suite;
}

}  // namespace fendex::test
