#include "pgn/file_names.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>

namespace fendex::pgn {
namespace {

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> suffixes) {
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    };
    return std::ranges::any_of(suffixes, [&](std::string_view suffix) {
        return name.size() >= suffix.size() &&
               std::equal(suffix.begin(), suffix.end(), name.end() - std::ssize(suffix),
                          [&](char a, char b) { return a == lower(b); });
    });
}

}  // namespace

bool is_pgn_name(std::string_view name) {
    return ends_with_any(name, {".pgn", ".pgn.zst", ".pgn.gz", ".pgn.bz2", ".pgn.bz"});
}

bool is_record_name(std::string_view name) {
    return ends_with_any(name, {".jsonl", ".jsonl.zst", ".jsonl.gz", ".jsonl.bz2", ".epd",
                                ".epd.zst", ".epd.gz", ".epd.bz2"});
}

bool is_container_name(std::string_view name) { return ends_with_any(name, {".zip", ".7z"}); }

}  // namespace fendex::pgn
