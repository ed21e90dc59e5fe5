// Databases of samples/, made when they are needed, and what the command line says of them.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/process.hpp"

namespace fendex::test {

class Samples {
  public:
    static Samples& get() {
        static Samples samples;
        return samples;
    }

    const std::string& classics() { return imported(0, {"classics.pgn", "curiosities.pgn"}); }
    const std::string& online() { return imported(1, {"online.pgn", "fischer-random.pgn"}); }
    const std::string& repetitions() { return imported(2, {"repetitions.pgn", "languages.txt"}); }

  private:
    Samples() = default;

    const std::string& imported(std::size_t which, const std::vector<std::string>& files) {
        std::string& path = paths_[which];
        if (!path.empty()) return path;
        const std::string name = folder_ / (std::to_string(which) + ".db");
        std::vector<std::string> words{FENDEX_BINARY, "import", name, "--quiet", "--variations"};
        for (const std::string& file : files) words.push_back(FENDEX_SAMPLES "/" + file);
        const Outcome done = run_process(words);
        if (done.status != 0) throw std::runtime_error(done.err);
        return path = name;
    }

    TemporaryDirectory folder_;
    std::string paths_[3];
};

/// Returns what the command line prints as JSON.
inline std::vector<nlohmann::json> printed(std::vector<std::string> words) {
    words.insert(words.begin(), FENDEX_BINARY);
    words.insert(words.end(), {"--format", "json", "--quiet"});
    std::vector<nlohmann::json> lines;
    for (const std::string& line : lines_of(run_process(words).out)) {
        lines.push_back(nlohmann::json::parse(line));
    }
    return lines;
}

/// Returns an object without some members.
inline nlohmann::json without(nlohmann::json object, std::initializer_list<const char*> names) {
    for (const char* const name : names) object.erase(name);
    return object;
}

}  // namespace fendex::test
