// The program fendex, as tests of clusters run it.
#pragma once

#include <string>
#include <vector>

#include "clickhouse/servers.hpp"
#include "support/process.hpp"

namespace fendex::test {

using Words = std::vector<std::string>;

/// Runs fendex with these words.
Outcome run(Words words);
/// Like run(); the test fails unless the program succeeds.
void must_run(Words words);

/// Returns a question with a database in place of each "@".
Words question_at(const std::string& location, Words question);

/// fendex push of a file.
Words push_words(const std::string& file, const TestDatabase& database);
void push(const std::string& file, const TestDatabase& database);

}  // namespace fendex::test
