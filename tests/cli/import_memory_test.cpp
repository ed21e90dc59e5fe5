// import takes a bounded amount of memory, however many games there are.
#include "cli/fixture.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex::test;

constexpr std::size_t kMiB = std::size_t{1} << 20;

std::string repeated(const std::string& text, std::size_t times) {
    std::string out;
    out.reserve(text.size() * times);
    for (std::size_t i = 0; i < times; ++i) out += text;
    return out;
}

void check_memory(const Words& more) {
    if (skip_when_sanitized()) return;
    const TemporaryFile db("games.db");
    Words words{"import", db, "-", "--memory", "16M", "--threads", "2", "--ply-rows", "no"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome import = run(words, repeated("1. e4 *\n", 600'000));
    CHECK(import.status == 0);
    CHECK(import.peak_bytes < (16 + 128) * kMiB);
    CHECK(json_lines(run({"info", db, "--format", "json"}).out).front()["games"] == 600'000);
    CHECK(run({"check", db, "--sample", "100"}).status == 0);
}

}  // namespace

TEST_CASE("import takes at most 128 MiB more than --memory, however short the games are") {
    check_memory({});
}

TEST_CASE("import --strict takes at most 128 MiB more than --memory", "[full]") {
    check_memory({"--strict"});
}
