// Helpers for tests of the command line. They run the program like a script would, and parse its
// answers.
#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/process.hpp"

namespace fendex::test {

using Json = nlohmann::ordered_json;  // the order of the members is part of the contract
using Words = std::vector<std::string>;

inline const std::string kSamples = FENDEX_SAMPLES;
inline const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
inline const std::string kMate = "r1bk3r/p2pBpNp/n4n2/1p1NP2P/6P1/3P4/P1P1K3/q5b1 b - - 1 23";

/// Runs fendex with these words.
Outcome run(const Words& words, ProcessOptions options = {});
inline Outcome run(const Words& words, const std::string& input) {
    const ProcessOptions options{.input = input};
    return run(words, options);
}

/// Returns the verbs that `fendex --help` names.
Words verb_names();
/// Returns the options that `fendex VERB --help` names, with their dashes.
Words option_names(const std::string& verb);

/// Returns a database of all samples, imported once for all tests of a run.
const std::string& samples_database();

/// Parses one object per line; fails if a line is not an object.
std::vector<Json> json_lines(const std::string& text);
std::vector<std::string> members(const Json& object);

/// Returns the answer of Debian's sqlite3, one object per row.
std::vector<Json> sqlite3_rows(const std::string& database, const std::string& sql);

/// Returns a unique game: its first move is 1.a3, and its number is in the tags.
std::string small_game(unsigned number, const std::string& moves = "1. a3 a6 2. h3 h6 *");

/// Checks that the run failed with status 2, printed one line with these words on stderr, and
/// nothing on stdout.
void check_refused(const Outcome& outcome, const Words& words);

}  // namespace fendex::test
