#include "store/source_prefixes.hpp"

#include "base/digest.hpp"
#include "codec/columns.hpp"

namespace fendex::store {

namespace {

/// Do not change: on disk.
constexpr std::size_t kDigestBytes = 16;
constexpr std::size_t kMarkBytes = 8 + 8 + kDigestBytes;

}  // namespace

void add_prefix(std::string& prefixes, const pgn::Mark& mark) {
    if (prefixes.size() >= kMarkBytes &&
        codec::get_fixed(prefixes, prefixes.size() - kMarkBytes, 8) >= mark.byte) {
        return;
    }
    codec::put_fixed(mark.byte, 8, prefixes);
    codec::put_fixed(mark.line, 8, prefixes);
    std::string digest = base::bytes_of_hex(mark.digest);
    digest.resize(kDigestBytes);
    prefixes += digest;
}

std::string prefixes_up_to(std::string_view prefixes, std::uint64_t byte) {
    std::size_t size = 0;
    while (size + kMarkBytes <= prefixes.size() && codec::get_fixed(prefixes, size, 8) <= byte) {
        size += kMarkBytes;
    }
    return std::string(prefixes.substr(0, size));
}

std::vector<pgn::Mark> marks_of(std::string_view prefixes) {
    std::vector<pgn::Mark> marks;
    for (; prefixes.size() >= kMarkBytes; prefixes.remove_prefix(kMarkBytes)) {
        pgn::Mark mark{codec::get_fixed(prefixes, 0, 8), codec::get_fixed(prefixes, 8, 8),
                       base::hex_of(prefixes.substr(16, kDigestBytes))};
        if (mark.byte <= (marks.empty() ? 0 : marks.back().byte)) break;
        marks.push_back(std::move(mark));
    }
    return marks;
}

}  // namespace fendex::store
