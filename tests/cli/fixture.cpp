#include "cli/fixture.hpp"

namespace fendex::test {

Outcome run(const Words& words, ProcessOptions options) {
    Words command{FENDEX_BINARY};
    command.insert(command.end(), words.begin(), words.end());
    return run_process(command, options);
}

Words verb_names() {
    Words names;
    for (const std::string& line : lines_of(run({"--help"}).out)) {
        const std::string prefix = "  fendex ";
        if (line.starts_with(prefix)) {
            names.push_back(
                line.substr(prefix.size(), line.find(' ', prefix.size()) - prefix.size()));
        }
    }
    return names;
}

Words option_names(const std::string& verb) {
    Words names;
    for (const std::string& line : lines_of(run({verb, "--help"}).out)) {
        // "  --limit N   at most ...", "  -h [ --help ]   show ..."
        const std::size_t dash = line.find_first_not_of(' ');
        if (dash != 2 || line[dash] != '-') continue;
        const std::size_t begin = line.find("--");
        names.push_back(line.substr(begin, line.find(' ', begin) - begin));
    }
    return names;
}

const std::string& samples_database() {
    static const TemporaryDirectory directory;
    static const std::string path = [] {
        std::string database = directory / "samples.db";
        const Outcome import = run({"import", database, kSamples});
        INFO(import.err);
        REQUIRE(import.status == 0);
        return database;
    }();
    return path;
}

std::vector<Json> json_lines(const std::string& text) {
    std::vector<Json> objects;
    for (const std::string& line : lines_of(text)) {
        INFO(line);
        Json object = Json::parse(line, nullptr, false);
        REQUIRE(object.is_object());
        objects.push_back(std::move(object));
    }
    if (!text.empty()) REQUIRE(text.back() == '\n');
    return objects;
}

std::vector<std::string> members(const Json& object) {
    std::vector<std::string> names;
    for (const auto& [name, value] : object.items()) names.push_back(name);
    return names;
}

std::vector<Json> sqlite3_rows(const std::string& database, const std::string& sql) {
    // Not with -readonly, which would leave the log.
    const Outcome outcome = run_process({"sqlite3", "-json", database, sql});
    INFO(sql << ": " << outcome.err);
    REQUIRE(outcome.status == 0);
    if (outcome.out.empty()) return {};
    const Json rows = Json::parse(outcome.out);
    return {rows.begin(), rows.end()};
}

std::string small_game(unsigned number, const std::string& moves) {
    return "[Event \"Small\"]\n[White \"White " + std::to_string(number) +
           "\"]\n[Black \"Black\"]\n[Result \"*\"]\n\n" + moves + "\n\n";
}

void check_refused(const Outcome& outcome, const Words& words) {
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK_THAT(outcome.err, Catch::Matchers::StartsWith("fendex: "));
    for (const std::string& word : words) CHECK_THAT(outcome.err, Catch::Matchers::Contains(word));
}

}  // namespace fendex::test
