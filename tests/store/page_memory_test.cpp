#include "store/sqlite/file/page_memory.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <string>

#include "chess/random_play.hpp"

TEST_CASE("Memory for pages keeps what is written to it, whatever its sizes become") {
    const sqlite3_mem_methods memory = fendex::store::page_memory_methods();
    constexpr int kSizes[] = {8, 1000, 16'383, 16'384, 16'640, 17'000, 17'001, 40'000};
    fendex::test::Random random(5);
    std::map<char*, std::string> pieces;
    const auto any = [&] {
        auto piece = pieces.begin();
        std::advance(piece, random() % pieces.size());
        return piece;
    };
    const auto fill = [&](char* piece, int bytes) {
        CHECK(memory.xSize(piece) >= bytes);
        CHECK(reinterpret_cast<std::uintptr_t>(piece) % 8 == 0);
        std::string text(static_cast<std::size_t>(bytes), static_cast<char>(random()));
        std::memcpy(piece, text.data(), text.size());
        pieces[piece] = text;
    };
    bool all_equal = true;
    for (int i = 0; i < 3000; ++i) {
        const int bytes = kSizes[random() % std::size(kSizes)];
        if (pieces.size() < 200 || random() % 3 == 0) {
            fill(static_cast<char*>(memory.xMalloc(bytes)), bytes);
            continue;
        }
        const auto [piece, text] = *any();
        all_equal = all_equal && std::memcmp(piece, text.data(), text.size()) == 0;
        pieces.erase(piece);
        if (random() % 2 == 0) {
            memory.xFree(piece);
        } else {
            auto* const moved = static_cast<char*>(memory.xRealloc(piece, bytes));
            const std::size_t kept = std::min(text.size(), static_cast<std::size_t>(bytes));
            all_equal = all_equal && std::memcmp(moved, text.data(), kept) == 0;
            fill(moved, bytes);
        }
    }
    CHECK(all_equal);
    for (const auto& [piece, text] : pieces) memory.xFree(piece);
    memory.xFree(nullptr);
    CHECK(memory.xSize(nullptr) == 0);
}
