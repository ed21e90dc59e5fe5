// Runs `fendex find` on the database of all samples.
#pragma once

#include <vector>

#include "cli/fixture.hpp"

namespace fendex::test {

inline Outcome find(Words words) {
    words.insert(words.begin(), {"find", samples_database()});
    return run(words);
}

inline std::vector<Json> find_json(Words words) {
    words.insert(words.end(), {"--format", "json"});
    const Outcome outcome = find(words);
    CHECK(outcome.err.empty());
    CHECK(outcome.status == (outcome.out.empty() ? 1 : 0));
    return json_lines(outcome.out);
}

}  // namespace fendex::test
