// What the tests of the command line share: the program, run as a script would run it, in a
// directory of the test's own; its answers, taken apart.
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
    ProcessOptions options;
    options.input = input;
    return run(words, options);
}

/// The verbs that `fendex --help` names.
Words verb_names();
/// The options that `fendex VERB --help` names, with their dashes.
Words option_names(const std::string& verb);

/// Every sample in one database, imported once for all tests of a run.
const std::string& samples_database();

/// One object per line; fails where a line is none.
std::vector<Json> json_lines(const std::string& text);
std::vector<std::string> members(const Json& object);

/// What Debian's sqlite3 answers, one object per row.
std::vector<Json> sqlite3_rows(const std::string& database, const std::string& sql);

/// A game that is like no other: its first move is 1.a3, its number is in the tags.
std::string small_game(unsigned number, const std::string& moves = "1. a3 a6 2. h3 h6 *");

/// The run failed with status 2, said so in one line on stderr with these words in it, and printed
/// nothing.
void check_refused(const Outcome& outcome, const Words& words);

}  // namespace fendex::test
