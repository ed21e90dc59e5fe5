#include "clickhouse/program.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>

namespace fendex::test {

Outcome run(Words words) {
    words.insert(words.begin(), FENDEX_BINARY);
    return run_process(words);
}

void must_run(Words words) {
    const Outcome outcome = run(std::move(words));
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
}

Words question_at(const std::string& location, Words question) {
    std::ranges::replace(question, "@", location);
    return question;
}

Words push_words(const std::string& file, const TestDatabase& database) {
    Words words{"push", file, database.url(), "--quiet"};
    if (!database.cluster().empty()) {
        words.insert(words.end(), {"--cluster", database.cluster()});
    }
    return words;
}

void push(const std::string& file, const TestDatabase& database) {
    must_run(push_words(file, database));
}

}  // namespace fendex::test
