#include "codec/name_words.hpp"

#include <algorithm>

#include "base/text_fold.hpp"
#include "codec/bits.hpp"

namespace fendex::codec {

namespace {

/// With the first word of the next row and its key, such a row fits into a cell of SQLite's pages.
constexpr std::size_t kWordRowBytes = 3900;
/// Stands before the words that come before the first one of an entry.
constexpr char kTurn = '\0';
constexpr std::size_t kNumberBytes = 4;
/// Ten times as much as 65,536 names usually take.
constexpr std::size_t kMostBytes = std::size_t{32} << 20;

/// An entry is the name from a word on, kTurn, and the words before it; then the number, highest
/// byte first, so that no two are equal.
std::string entry_of(std::uint32_t number, std::string_view folded, std::size_t word) {
    std::string out(folded.substr(word));
    out += kTurn;
    if (word != 0) out += folded.substr(0, word - 1);
    for (unsigned shift = 32; shift != 0; shift -= 8) {
        out += static_cast<char>(number >> (shift - 8) & 0xFF);
    }
    return out;
}

std::size_t shared_bytes(std::string_view a, std::string_view b) {
    const auto [end, other] = std::ranges::mismatch(a, b);
    return static_cast<std::size_t>(end - a.begin());
}

}  // namespace

bool NameWordEncoder::add(std::uint32_t number, std::string_view folded) {
    const auto words = static_cast<std::size_t>(std::ranges::count(folded, ' ')) + 1;
    const std::size_t most_words = (kMostBytes - bytes_) / (folded.size() + kNumberBytes + 1);
    if (words > most_words) return false;
    bytes_ += words * (folded.size() + kNumberBytes + 1);
    for (const std::string_view word : base::words_of(folded)) {
        const auto place = static_cast<std::size_t>(word.data() - folded.data());
        entries_.push_back(entry_of(number, folded, place));
    }
    return true;
}

/// A row has the first word of the next one, with its length before it, and entries. An entry is
/// stored as the number of bytes that it shares with the entry before, the number of its other
/// bytes, and these.
std::vector<NameWordRow> NameWordEncoder::rows() {
    std::ranges::sort(entries_);
    std::vector<NameWordRow> out(1);
    std::string encoded;
    std::string_view before;
    const auto end_row = [&](std::string_view next_word) {
        std::string& data = out.back().data;
        put_varint(next_word.size(), data);
        data.append(next_word).append(encoded);
        encoded.clear();
    };
    for (const std::string& each : entries_) {
        // The next row's first word is in this one, too.
        if (!encoded.empty() && encoded.size() + 2 * each.size() > kWordRowBytes) {
            end_row(each);
            out.push_back({each, {}});
            before = {};
        }
        const std::size_t shared = shared_bytes(each, before);
        put_varint(shared, encoded);
        put_varint(each.size() - shared, encoded);
        encoded += std::string_view(each).substr(shared);
        before = each;
    }
    end_row({});
    return out;
}

std::optional<std::string_view> decode_name_words(
    std::string_view data, std::string_view beginning,
    const std::function<void(std::uint32_t, std::string_view)>& visit) {
    ByteReader in(data);
    const std::string_view next_word = in.bytes(in.varint());
    std::string entry;
    std::string turned;
    while (!in.done()) {
        const std::uint64_t shared = in.varint();
        const std::string_view others = in.bytes(in.varint());
        if (in.failed() || shared > entry.size()) return std::nullopt;
        entry.resize(shared);
        entry += others;
        if (entry.size() < kNumberBytes + 1) return std::nullopt;
        if (!entry.starts_with(beginning)) {
            // The entries are sorted.
            if (entry > beginning) break;
            continue;
        }
        const std::string_view text =
            std::string_view(entry).substr(0, entry.size() - kNumberBytes);
        std::uint32_t number = 0;
        for (std::size_t i = text.size(); i < entry.size(); ++i) {
            number = number << 8 | static_cast<unsigned char>(entry[i]);
        }
        const std::size_t turn = text.find(kTurn);
        if (turn == std::string_view::npos) return std::nullopt;
        std::string_view name = text.substr(0, turn);
        if (turn + 1 != text.size()) {
            turned.assign(text.substr(turn + 1)).append(" ").append(name);
            name = turned;
        }
        visit(number, name);
    }
    if (in.failed()) return std::nullopt;
    return next_word;
}

}  // namespace fendex::codec
