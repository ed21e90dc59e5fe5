#include "store/name_index.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "base/key_text.hpp"
#include "codec/game_codes.hpp"
#include "store/named_codes.hpp"

namespace fendex::store {

namespace {

constexpr std::size_t kBuckets = std::size_t{1} << 16;

/// A word of one letter is in the bucket of this letter and 0.
std::size_t bucket_of(std::string_view word) {
    const auto byte = [&](std::size_t i) {
        return i < word.size() ? static_cast<unsigned char>(word[i]) : 0U;
    };
    return std::size_t{byte(0)} << 8 | byte(1);
}

}  // namespace

std::shared_ptr<const NameIndex> NameIndex::of(LocalReader& reader, NameKind kind,
                                               base::StopCheck& stop) {
    const base::KeyText key = base::KeyText("names").add(static_cast<std::uint64_t>(kind));
    if (auto known = reader.snapshot_cache().get<NameIndex>(key.text())) return known;
    const std::shared_ptr<NameIndex> index(new NameIndex(JoinedNames::of(reader, kind)));
    reader.for_each_name(kind, [&](std::int64_t id, std::string_view name) {
        stop();
        index->add(id, name);
    });
    index->sort_words();
    reader.snapshot_cache().put(key.text(), index, index->bytes());
    return index;
}

void NameIndex::add(std::int64_t id, std::string_view name) {
    const std::uint32_t code = codec::code_of_id(id);
    // Nobody has so many names that their text would not fit.
    if (code == codec::kCodeInRow || text_.size() + 4 * name.size() > UINT32_MAX) return;
    names_.push_back({static_cast<std::uint32_t>(text_.size()), code});
    text_ += base::fold(name);
}

/// Puts each name into the buckets of its words.
void NameIndex::sort_words() {
    const std::size_t count = names_.size();
    names_.push_back({static_cast<std::uint32_t>(text_.size()), 0});
    const auto for_each_word = [&](auto visit) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::string_view text = text_of(i);
            for (std::size_t at = 0; at < text.size();) {
                visit(i, bucket_of(text.substr(at)));
                const std::size_t blank = text.find(' ', at);
                at = blank == std::string_view::npos ? text.size() : blank + 1;
            }
        }
    };
    bucket_begins_.assign(kBuckets + 1, 0);
    for_each_word([&](std::size_t, std::size_t bucket) { ++bucket_begins_[bucket + 1]; });
    for (std::size_t i = 1; i <= kBuckets; ++i) bucket_begins_[i] += bucket_begins_[i - 1];
    by_word_.resize(bucket_begins_.back());
    std::vector<std::uint32_t> next(bucket_begins_.begin(), bucket_begins_.end() - 1);
    for_each_word([&](std::size_t name, std::size_t bucket) {
        by_word_[next[bucket]++] = static_cast<std::uint32_t>(name);
    });
}

std::string_view NameIndex::text_of(std::size_t name) const {
    return std::string_view(text_).substr(names_[name].begin,
                                          names_[name + 1].begin - names_[name].begin);
}

std::size_t NameIndex::bytes() const {
    return text_.capacity() + names_.capacity() * sizeof(Name) +
           (bucket_begins_.capacity() + by_word_.capacity()) * sizeof(std::uint32_t);
}

std::vector<std::uint32_t> NameIndex::codes(const base::NameWords& words) const {
    std::vector<std::uint32_t> out;
    if (words.empty()) return out;
    // The longest word, which the fewest names have, is looked up; the name must fit all.
    const std::string& longest = words.words().front();
    const std::size_t first = bucket_of(longest);
    const std::size_t end = longest.size() > 1 ? first + 1 : first + 256;
    const std::span<const std::uint32_t> names = std::span(by_word_).subspan(
        bucket_begins_[first], bucket_begins_[end] - bucket_begins_[first]);
    for (const std::uint32_t name : names) {
        if (words.fit(text_of(name))) out.push_back(names_[name].code);
    }
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    joined_->complete(out);
    return out;
}

void NameIndex::for_each_with_word(
    const std::function<bool(std::string_view)>& is_wanted,
    const std::function<void(std::uint32_t, std::string_view)>& visit) const {
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
        const char pair[] = {static_cast<char>(bucket >> 8), static_cast<char>(bucket & 0xFF)};
        const std::uint32_t begin = bucket_begins_[bucket];
        const std::uint32_t end = bucket_begins_[bucket + 1];
        if (begin == end || pair[1] == 0 || !is_wanted({pair, 2})) continue;
        for (const std::uint32_t name : std::span(by_word_).subspan(begin, end - begin)) {
            visit(names_[name].code, text_of(name));
        }
    }
}

std::vector<std::uint32_t> NameIndex::codes_beginning(std::string_view folded) const {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i + 1 < names_.size(); ++i) {
        if (text_of(i).starts_with(folded)) out.push_back(names_[i].code);
    }
    return out;
}

std::vector<std::uint32_t> codes_of_player(LocalReader& reader, std::string_view name,
                                           base::StopCheck& stop) {
    const std::string names[] = {std::string(name)};
    std::vector<std::uint32_t> codes = codes_named(reader, NameKind::kPlayer, names);
    if (!codes.empty()) return codes;
    const auto index = NameIndex::of(reader, NameKind::kPlayer, stop);
    const std::string folded = base::fold(name);
    for (const std::uint32_t code : index->codes(base::NameWords(folded))) {
        const auto id = codec::id_of_code(code);
        const auto found = id ? reader.name(NameKind::kPlayer, *id) : std::nullopt;
        if (found && base::fold(*found) == folded) codes.push_back(code);
    }
    JoinedNames::of(reader, NameKind::kPlayer)->complete(codes);
    return codes;
}

}  // namespace fendex::store
