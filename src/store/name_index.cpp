#include "store/name_index.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/huge_allocator.hpp"
#include "base/key_text.hpp"
#include "base/name_sound.hpp"
#include "codec/game_codes.hpp"
#include "store/joined_names.hpp"
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

base::KeyText key_of(std::string_view what, NameKind kind) {
    return base::KeyText(what).add(static_cast<std::uint64_t>(kind));
}

/// Calls visit() with the bucket of each word.
template <typename Visit>
void for_each_bucket(std::string_view folded, Visit visit) {
    for (std::size_t at = 0; at < folded.size();) {
        visit(bucket_of(folded.substr(at)));
        const std::size_t blank = folded.find(' ', at);
        at = blank == std::string_view::npos ? folded.size() : blank + 1;
    }
}

/// Folded names and their codes, in the order in which they were added.
class FoldedNames {
  public:
    void add(std::uint32_t code, std::string_view folded) {
        // Nobody has so many names that their text would not fit.
        if (text_.size() + folded.size() > UINT32_MAX) return;
        names_.push_back({static_cast<std::uint32_t>(text_.size()), code});
        text_ += folded;
    }
    [[nodiscard]] std::size_t size() const { return names_.size(); }
    [[nodiscard]] std::uint32_t code(std::size_t place) const { return names_[place].code; }
    [[nodiscard]] std::string_view text(std::size_t place) const {
        const std::size_t begin = names_[place].begin;
        const std::size_t end = place + 1 < size() ? names_[place + 1].begin : text_.size();
        return std::string_view(text_).substr(begin, end - begin);
    }
    [[nodiscard]] std::size_t bytes() const {
        return text_.capacity() + names_.capacity() * sizeof(Name);
    }

  private:
    struct Name {
        std::uint32_t begin = 0;  // in text_; up to the next name's
        std::uint32_t code = 0;
    };

    base::HugeString text_;
    base::HugeVector<Name> names_;
};

/// Const after it was made.
class NameIndex {
  public:
    /// Returns the index if a reader of the snapshot made it; makes it if one has asked a question
    /// of this kind before. Otherwise, or if the cache has no room for it, null: the caller reads
    /// the names.
    static std::shared_ptr<const NameIndex> of(LocalReader& reader, NameKind kind,
                                               std::string_view question, base::StopCheck& stop);

    void for_each_that_fits(const base::NameWords& words,
                            const std::function<void(std::uint32_t)>& visit) const;
    void for_each_in(const WantedPairs& pairs,
                     const std::function<void(std::uint32_t, std::string_view)>& visit) const;

  private:
    void sort_words();
    [[nodiscard]] std::size_t bytes() const;

    FoldedNames names_;
    /// The names that have a word with these two first letters, bucket after bucket.
    std::vector<std::uint32_t> bucket_begins_;
    base::HugeVector<std::uint32_t> by_word_;
};

/// Returns the last name of a kind that is in the store's lists; 0 if none is.
std::int64_t last_listed(LocalReader& reader, NameKind kind) {
    PlayerLists* const lists = kind == NameKind::kPlayer ? reader.player_lists() : nullptr;
    return lists == nullptr ? 0 : lists->last_name();
}

/// Calls visit() with the code and the folded text of each name of the lists that has a word with
/// this beginning; several times if several words have it.
template <typename Visit>
void for_each_listed(LocalReader& reader, NameKind kind, std::string_view beginning,
                     base::StopCheck& stop, Visit visit) {
    if (last_listed(reader, kind) == 0) return;
    reader.player_lists()->for_each_name(beginning, stop,
                                         [&](std::int64_t id, std::string_view folded) {
                                             const std::uint32_t code = codec::code_of_id(id);
                                             if (code != codec::kCodeInRow) visit(code, folded);
                                         });
}

/// Calls visit() with the code and the folded text of each name that has a code and is in no list.
template <typename Visit>
void for_each_folded(LocalReader& reader, NameKind kind, base::StopCheck& stop, Visit visit) {
    const std::int64_t first = last_listed(reader, kind) + 1;
    reader.for_each_name_from(kind, first, [&](std::int64_t id, std::string_view name) {
        stop();
        const std::uint32_t code = codec::code_of_id(id);
        if (code != codec::kCodeInRow) visit(code, base::fold(name));
    });
}

std::shared_ptr<const NameIndex> NameIndex::of(LocalReader& reader, NameKind kind,
                                               std::string_view question, base::StopCheck& stop) {
    const base::KeyText key = key_of("names", kind);
    if (auto known = reader.snapshot_cache().get<NameIndex>(key.text())) return known;
    struct TooLarge {};
    if (reader.snapshot_cache().get<TooLarge>(key.text())) return nullptr;
    if (!reader.snapshot_cache().is_asked_again(key_of(question, kind).text())) return nullptr;
    const auto index = std::make_shared<NameIndex>();
    for_each_folded(reader, kind, stop, [&](std::uint32_t code, std::string_view folded) {
        index->names_.add(code, folded);
    });
    index->sort_words();
    if (index->bytes() > reader.snapshot_cache().capacity()) {
        // To make it for each question would cost more than to read the names.
        reader.snapshot_cache().put(key.text(), std::make_shared<TooLarge>(),
                                    SnapshotCache::kItemBytes);
    }
    reader.snapshot_cache().put(key.text(), index, index->bytes());
    return index;
}

/// Puts each name into the buckets of its words.
void NameIndex::sort_words() {
    const auto for_each_word = [&](auto visit) {
        for (std::size_t i = 0; i < names_.size(); ++i) {
            for_each_bucket(names_.text(i), [&](std::size_t bucket) { visit(i, bucket); });
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

std::size_t NameIndex::bytes() const {
    return names_.bytes() +
           (bucket_begins_.capacity() + by_word_.capacity()) * sizeof(std::uint32_t);
}

/// The longest word, which the fewest names have, is looked up; the name must fit all.
void NameIndex::for_each_that_fits(const base::NameWords& words,
                                   const std::function<void(std::uint32_t)>& visit) const {
    const std::string& longest = words.words().front();
    const std::size_t first = bucket_of(longest);
    const std::size_t end = longest.size() > 1 ? first + 1 : first + 256;
    const std::span<const std::uint32_t> names = std::span(by_word_).subspan(
        bucket_begins_[first], bucket_begins_[end] - bucket_begins_[first]);
    for (const std::uint32_t name : names) {
        if (words.fit(names_.text(name))) visit(names_.code(name));
    }
}

void NameIndex::for_each_in(
    const WantedPairs& pairs,
    const std::function<void(std::uint32_t, std::string_view)>& visit) const {
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
        if (!pairs.has(bucket)) continue;
        const std::uint32_t begin = bucket_begins_[bucket];
        const std::uint32_t end = bucket_begins_[bucket + 1];
        for (const std::uint32_t name : std::span(by_word_).subspan(begin, end - begin)) {
            visit(names_.code(name), names_.text(name));
        }
    }
}

/// Names kept when all were read to find some words: those with a word that may begin with the same
/// sound as one of these, because names that are spelled otherwise begin so.
class NamesNear {
  public:
    explicit NamesNear(const base::NameWords& words) : pairs_(pairs_near(words)) {}

    void see(std::uint32_t code, std::string_view folded) {
        if (pairs_.begin_word_of(folded)) names_.add(code, folded);
    }
    /// Returns whether all names are there that have a word with one of these pairs.
    [[nodiscard]] bool has_all(const WantedPairs& pairs) const { return pairs_.include(pairs); }
    [[nodiscard]] const FoldedNames& names() const { return names_; }

  private:
    static WantedPairs pairs_near(const base::NameWords& words) {
        std::string sounds;
        for (const std::string& word : words.words()) {
            sounds += base::first_sounds(base::in_latin_letters(word.substr(0, 2)));
        }
        return WantedPairs(
            [&](std::string_view pair) { return base::may_sound_like(pair, sounds); });
    }

    WantedPairs pairs_;
    FoldedNames names_;
};

/// One for the players of a snapshot.
base::KeyText key_near() { return base::KeyText("names near words"); }

}  // namespace

std::vector<std::uint32_t> codes_with_words(LocalReader& reader, NameKind kind,
                                            const base::NameWords& words, base::StopCheck& stop) {
    using Codes = std::vector<std::uint32_t>;
    if (words.empty()) return {};
    base::KeyText key = key_of("names with words", kind);
    for (const std::string& word : words.words()) key.add(word);
    if (const auto known = reader.snapshot_cache().get<Codes>(key.text())) return *known;
    const auto codes = std::make_shared<Codes>();
    Codes& out = *codes;
    // The longest word, which the fewest names have.
    for_each_listed(reader, kind, words.words().front(), stop,
                    [&](std::uint32_t code, std::string_view folded) {
                        if (words.fit(folded)) out.push_back(code);
                    });
    if (const auto index = NameIndex::of(reader, kind, "words of names", stop)) {
        index->for_each_that_fits(words, [&](std::uint32_t code) { out.push_back(code); });
    } else {
        // Only players are compared with names like theirs.
        std::shared_ptr<NamesNear> near;
        if (kind == NameKind::kPlayer) near = std::make_shared<NamesNear>(words);
        for_each_folded(reader, kind, stop, [&](std::uint32_t code, std::string_view folded) {
            if (words.fit(folded)) out.push_back(code);
            if (near) near->see(code, folded);
        });
        if (near) reader.snapshot_cache().put(key_near().text(), near, near->names().bytes());
    }
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    JoinedNames::of(reader, kind)->complete(out);
    reader.snapshot_cache().put(key.text(), codes, out.capacity() * sizeof(std::uint32_t));
    return out;
}

WantedPairs::WantedPairs(const std::function<bool(std::string_view)>& is_wanted) {
    const auto ask = [&](char first, char second) {
        const std::string pair{first, second};
        buckets_[bucket_of(pair)] = is_wanted(pair);
    };
    for (const char first : base::kWordLetters) {
        for (const char second : base::kWordLetters) ask(first, second);
        // Letters that are not Latin after one that is: only that one counts.
        ask(first, '\x80');
        const std::size_t begin = bucket_of({&first, 1});
        for (std::size_t second = 0x81; second < 256; ++second) {
            buckets_[begin + second] = buckets_[begin + 0x80];
        }
    }
    // Other letters, and bytes that are none.
    for (std::size_t bucket = 0x8000; bucket < kBuckets; ++bucket) buckets_[bucket] = true;
    for (int lead = 0xC2; lead <= 0xF4; ++lead) {
        for (int next = 0x80; next <= 0xBF; ++next) {
            ask(static_cast<char>(lead), static_cast<char>(next));
        }
    }
}

std::vector<std::string> WantedPairs::beginnings() const {
    std::vector<std::string> out;
    for (std::size_t first = 0; first < 256; ++first) {
        for (std::size_t bucket = first << 8; bucket < (first + 1) << 8; ++bucket) {
            if (!buckets_[bucket]) continue;
            out.emplace_back(1, static_cast<char>(first));
            break;
        }
    }
    return out;
}

bool WantedPairs::begin_word_of(std::string_view folded) const {
    bool any = false;
    for_each_bucket(folded, [&](std::size_t bucket) { any |= buckets_[bucket]; });
    return any;
}

std::vector<std::uint32_t> codes_like(LocalReader& reader, NameKind kind, const LikeNames& test,
                                      base::StopCheck& stop) {
    using Codes = std::vector<std::uint32_t>;
    const base::KeyText key = key_of("names like others", kind).add(test.key);
    if (const auto known = reader.snapshot_cache().get<Codes>(key.text())) return *known;
    const auto codes = std::make_shared<Codes>();
    Codes& out = *codes;
    const WantedPairs wanted(test.may_begin);
    const auto add = [&](std::uint32_t code, std::string_view folded) {
        stop();
        if (test.fits(folded)) out.push_back(code);
    };
    const std::shared_ptr<const void> scope = reader.begin_scan();
    for (const std::string& beginning : wanted.beginnings()) {
        for_each_listed(reader, kind, beginning, stop,
                        [&](std::uint32_t code, std::string_view folded) {
                            if (wanted.begin_word_of(folded)) add(code, folded);
                        });
    }
    const auto near = kind == NameKind::kPlayer
                          ? reader.snapshot_cache().get<NamesNear>(key_near().text())
                          : nullptr;
    if (near && near->has_all(wanted)) {
        for (std::size_t i = 0; i < near->names().size(); ++i) {
            const std::string_view folded = near->names().text(i);
            if (wanted.begin_word_of(folded)) add(near->names().code(i), folded);
        }
    } else if (const auto index = NameIndex::of(reader, kind, "beginnings of names", stop)) {
        index->for_each_in(wanted, add);
    } else {
        for_each_folded(reader, kind, stop, [&](std::uint32_t code, std::string_view folded) {
            if (wanted.begin_word_of(folded)) add(code, folded);
        });
    }
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    JoinedNames::of(reader, kind)->complete(out);
    reader.snapshot_cache().put(key.text(), codes, out.capacity() * sizeof(std::uint32_t));
    return out;
}

std::vector<std::uint32_t> codes_beginning(LocalReader& reader, NameKind kind,
                                           std::string_view folded, base::StopCheck& stop) {
    std::vector<std::uint32_t> out;
    const auto add = [&](std::uint32_t code, std::string_view name) {
        if (name.starts_with(folded)) out.push_back(code);
    };
    for_each_listed(reader, kind, folded, stop, add);
    for_each_folded(reader, kind, stop, add);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

std::vector<std::uint32_t> codes_of_player(LocalReader& reader, std::string_view name,
                                           base::StopCheck& stop) {
    const std::string names[] = {std::string(name)};
    std::vector<std::uint32_t> codes = codes_named(reader, NameKind::kPlayer, names);
    if (!codes.empty()) return codes;
    const std::string folded = base::fold(name);
    const base::NameWords words(folded);
    for (const std::uint32_t code : codes_with_words(reader, NameKind::kPlayer, words, stop)) {
        const auto id = codec::id_of_code(code);
        const auto found = id ? reader.name(NameKind::kPlayer, *id) : std::nullopt;
        if (found && base::fold(*found) == folded) codes.push_back(code);
    }
    JoinedNames::of(reader, NameKind::kPlayer)->complete(codes);
    return codes;
}

}  // namespace fendex::store
