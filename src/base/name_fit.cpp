#include "base/name_fit.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/edit_distance.hpp"
#include "base/name_sound.hpp"
#include "base/text_fold.hpp"

namespace fendex::base {

namespace {

constexpr std::array<std::string_view, 10> kTitles{"gm",  "im",  "fm",  "cm", "wgm",
                                                   "wim", "wfm", "wcm", "dr", "prof"};
constexpr std::array<std::string_view, 6> kNobody{"nn",        "n n",    "unknown",
                                                  "anonymous", "noname", "no name"};

/// Returns how many typing errors two different words of these lengths may have.
std::size_t most_edits(std::size_t a, std::size_t b) {
    const std::size_t shorter = std::min(a, b);
    if (shorter < 4) return 0;
    return shorter < 9 ? 1 : 2;
}

}  // namespace

PersonName::PersonName(std::string_view name) {
    const std::string folded = folded_in_latin(name);
    if (std::ranges::find(kNobody, folded) != kNobody.end()) return;
    const std::vector<std::string_view> words = words_of(folded);
    for (const std::string_view word : words) {
        const bool title = words.size() > 1 && std::ranges::find(kTitles, word) != kTitles.end();
        if (!title) words_.emplace_back(word);
    }
    if (words_.empty()) return;
    std::vector<std::string> texts;
    for (const NameWord& word : words_) {
        texts.push_back(word.text);
        joined_ += word.sound;
    }
    std::ranges::sort(texts);
    for (const std::string& text : texts) sorted_ += text + ' ';
    const std::size_t comma = name.find(',');
    const std::string surname =
        comma == std::string_view::npos ? "" : folded_in_latin(name.substr(0, comma));
    surname_sound_ = surname.empty() ? words_.back().sound : sound_of(surname);
}

NameWord::NameWord(std::string_view latin) : text(latin), sound(sound_of(latin)) {}

WordFit words_fit(const NameWord& a, const NameWord& b) {
    // Initials have no sound: "I" is not "J".
    if (a.text.size() == 1 || b.text.size() == 1) {
        return a.text.front() == b.text.front() ? WordFit::kShortened : WordFit::kOther;
    }
    if (a.text == b.text) return WordFit::kSame;
    if (a.sound == b.sound) return WordFit::kSound;
    for (const auto& [x, y] : {std::pair(&a.text, &b.text), std::pair(&a.sound, &b.sound)}) {
        const std::size_t edits = most_edits(x->size(), y->size());
        if (edits != 0 && edits_between(*x, *y, edits) <= edits) return WordFit::kMistyped;
    }
    const bool begins = a.text.starts_with(b.text) || b.text.starts_with(a.text) ||
                        a.sound.starts_with(b.sound) || b.sound.starts_with(a.sound);
    return begins ? WordFit::kShortened : WordFit::kOther;
}

bool PersonName::has_all_words(const PersonName& fewer, const PersonName& more) {
    std::vector<bool> used(more.words_.size());
    bool whole = false;
    // Words that are alike as a whole choose first.
    std::vector<const NameWord*> left;
    for (const NameWord& word : fewer.words_) {
        std::size_t i = 0;
        while (i < used.size() &&
               (used[i] || words_fit(word, more.words_[i]) <= WordFit::kShortened)) {
            ++i;
        }
        if (i == used.size()) {
            left.push_back(&word);
        } else {
            used[i] = whole = true;
        }
    }
    if (!whole) return false;
    return std::ranges::all_of(left, [&](const NameWord* word) {
        for (std::size_t i = 0; i < used.size(); ++i) {
            if (used[i] || words_fit(*word, more.words_[i]) == WordFit::kOther) continue;
            used[i] = true;
            return true;
        }
        // Initials without blanks: "rj" is "robert james".
        constexpr std::size_t kMostInitials = 3;
        if (word->text.size() > kMostInitials) return false;
        return std::ranges::all_of(word->text, [&](char initial) {
            for (std::size_t i = 0; i < used.size(); ++i) {
                if (used[i] || more.words_[i].text.front() != initial) continue;
                used[i] = true;
                return true;
            }
            return false;
        });
    });
}

NameFit names_fit(const PersonName& a, const PersonName& b) {
    if (a.is_unknown() || b.is_unknown()) return NameFit::kUnknown;
    if (a.sorted_ == b.sorted_) return NameFit::kSame;
    if (a.joined_ == b.joined_) return NameFit::kNear;
    const bool fit = a.words_.size() <= b.words_.size() ? PersonName::has_all_words(a, b)
                                                        : PersonName::has_all_words(b, a);
    return fit ? NameFit::kNear : NameFit::kOther;
}

}  // namespace fendex::base
