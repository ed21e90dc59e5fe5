#include "store/sqlite/tables/name_ids.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <string>

namespace {

using namespace fendex;

/// Mostly short, some empty, some longer than a block of the table.
std::string any_name(std::mt19937& random) {
    const std::size_t size = random() % 500 == 0 ? 60'000 + random() % 30'000 : random() % 12;
    std::string out(size, 'x');
    for (std::size_t i = 0; i < std::min<std::size_t>(size, 8); ++i) {
        out[i] = static_cast<char>(random() % 7);
    }
    return out;
}

}  // namespace

TEST_CASE("Names have the ids that they got, whatever their lengths") {
    store::NameIds ids;
    std::map<std::string, std::int64_t> expected;
    std::mt19937 random(7);
    std::size_t wrong = 0;
    for (std::int64_t id = 1; id <= 20'000; ++id) {
        const std::string name = any_name(random);
        const auto known = expected.find(name);
        wrong += ids.find(name).id == (known == expected.end() ? 0 : known->second) ? 0U : 1U;
        if (known != expected.end()) continue;
        // Also numbers beyond 32 bits, which another program may have given.
        const std::int64_t number = id % 3 == 0 ? id << 40 : id;
        expected[name] = number;
        wrong += ids.add(name, number).name == name ? 0U : 1U;
    }
    for (const auto& [name, id] : expected) {
        const store::NameIds::Entry found = ids.find(name);
        wrong += found.id == id && found.name == name ? 0U : 1U;
    }
    CHECK(wrong == 0);
}

TEST_CASE("Names stay where they are until all are forgotten, which frees their memory") {
    store::NameIds ids;
    CHECK(ids.bytes() == 0);
    const store::NameIds::Entry first = ids.add("Capablanca,J", 1);
    for (std::int64_t id = 2; id < 5'000; ++id) ids.add("Player" + std::to_string(id), id);
    CHECK(first.name.data() == ids.find("Capablanca,J").name.data());
    CHECK(ids.bytes() > 5'000 * 20);
    // std::unordered_map takes some 120 bytes for each of these.
    CHECK(ids.bytes() < 5'000 * 60);
    ids.clear();
    CHECK(ids.bytes() == 0);
    CHECK(ids.find("Capablanca,J").id == 0);
    CHECK(ids.add("Capablanca,J", 9).id == 9);
}
