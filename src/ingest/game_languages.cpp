#include "ingest/game_languages.hpp"

#include <algorithm>
#include <array>

#include "ingest/play_word.hpp"
#include "pgn/reader.hpp"
#include "pgn/splitter.hpp"
#include "pgn/text_source.hpp"
#include "replay/game_start.hpp"

namespace fendex::ingest {

namespace {

/// The number of letters that fit in a Meaning.
constexpr std::size_t kMaxLetters = 21;
/// Games up to this length may be readable in English by chance.
constexpr std::size_t kShortGame = 20;
/// The language of a file is determined from the beginnings of this many games.
constexpr std::size_t kCountedGames = 16;
constexpr std::size_t kCountedWords = 40;
constexpr std::size_t kCountedBytes = std::size_t{16} << 10;

std::size_t alphabet_number(const chess::SanAlphabet& alphabet) {
    return static_cast<std::size_t>(&alphabet - chess::san_alphabets().data());
}

template <typename Use>
void for_each_alphabet(const Languages& languages, Use use) {
    if (languages.empty()) {
        for (const chess::SanAlphabet& alphabet : chess::san_alphabets()) use(alphabet);
    }
    for (const chess::SanLanguage* language : languages) {
        for (const chess::SanAlphabet& alphabet : chess::alphabets_of(*language)) use(alphabet);
    }
}

}  // namespace

void GameWords::clear() {
    words_.clear();
    letters_.clear();
    figurines_ = 0;
    readable_ = 0;
}

bool GameWords::move(std::string_view text, const char*) {
    const chess::SanWord word = chess::read_san_word(text);
    words_.push_back({text, word});
    if (readable_ + 1 == words_.size() && word.kind != chess::SanWord::Kind::kUnknown) {
        if (note_letter(word.piece) && note_letter(word.promotion)) readable_ = words_.size();
    }
    return !full();
}

bool GameWords::full() const { return words_.size() == max_words_; }

/// Returns false if there are too many letters.
bool GameWords::note_letter(std::string_view text) {
    if (text.empty()) return true;
    const auto is_it = [&](const Letter& letter) {
        return letter.text[0] == text[0] && letter.text == text;
    };
    if (std::ranges::any_of(letters_, is_it)) return true;
    if (letters_.size() == kMaxLetters) return false;
    const chess::PieceType* pieces = chess::pieces_of_letter(text);
    if (pieces != nullptr &&
        std::all_of(pieces, pieces + chess::san_alphabets().size(),
                    [&](chess::PieceType piece) { return piece == pieces[0]; })) {
        ++figurines_;
    }
    letters_.push_back({text, pieces, words_.size() - 1});
    return true;
}

GameWords::Meaning GameWords::meaning(const chess::SanAlphabet& alphabet) const {
    Meaning out = 0;
    for (const Letter& letter : letters_) {
        const chess::PieceType piece = letter.pieces != nullptr
                                           ? letter.pieces[alphabet_number(alphabet)]
                                           : chess::PieceType::kNone;
        out = out << 3 | chess::index(piece);
    }
    return out;
}

std::size_t GameWords::limit(const chess::SanAlphabet& alphabet) const {
    std::size_t out = readable_;
    for (const Letter& letter : letters_) {
        if (letter.pieces == nullptr ||
            letter.pieces[alphabet_number(alphabet)] == chess::PieceType::kNone) {
            out = std::min(out, letter.first_word);
        }
    }
    return out;
}

/// Returns a candidate for each meaning of the letters; those that may get furthest come first.
std::vector<GameWords::Candidate> GameWords::candidates(const Languages& languages) const {
    std::vector<Candidate> out;
    const auto add = [&](const chess::SanAlphabet& alphabet) {
        const Meaning letters = meaning(alphabet);
        for (const Candidate& candidate : out) {
            if (candidate.meaning == letters) return;
        }
        out.push_back({&alphabet, letters, limit(alphabet)});
    };
    for_each_alphabet(languages, add);
    std::ranges::stable_sort(
        out, [](const Candidate& a, const Candidate& b) { return a.limit > b.limit; });
    return out;
}

template <typename Position>
Reading GameWords::play(Position position, const Candidate& candidate) const {
    using Kind = chess::SanWord::Kind;
    Reading out;
    out.alphabet = candidate.alphabet;
    for (const Word& word : words_) {
        if (word.san.kind != Kind::kRemark) {
            chess::Move move;
            out.error = play_word(position, word.san, *out.alphabet, move);
            if (out.error != chess::SanError::kNone) break;
            out.moves.push_back(move);
        } else {
            out.remarks.push_back(out.words);
        }
        ++out.words;
    }
    return out;
}

std::vector<Reading> GameWords::read(const chess::AnyPosition& start, const Languages& languages) {
    std::vector<Reading> best;
    const std::vector<Candidate> all = candidates(languages);
    for (const Candidate& candidate : all) {
        // Languages that lack letters of later words are not candidates.
        if (candidate.limit < all[0].limit) break;
        Reading reading =
            start.visit([&](const auto& position) { return play(position, candidate); });
        if (!best.empty() && reading.words < best[0].words) continue;
        if (!best.empty() && reading.words > best[0].words) best.clear();
        if (std::ranges::none_of(
                best, [&](const Reading& other) { return other.moves == reading.moves; })) {
            best.push_back(std::move(reading));
        }
    }
    return best;
}

std::vector<const chess::SanAlphabet*> GameWords::fitting(const Reading& reading,
                                                          const Languages& languages) const {
    const Meaning letters = meaning(*reading.alphabet);
    std::vector<const chess::SanAlphabet*> out;
    for_each_alphabet(languages, [&](const chess::SanAlphabet& alphabet) {
        if (meaning(alphabet) == letters) out.push_back(&alphabet);
    });
    return out;
}

std::string_view GameWords::word_of(std::size_t ply) const {
    for (const Word& word : words_) {
        if (word.san.kind != chess::SanWord::Kind::kRemark && ply-- == 0) return word.text;
    }
    return {};
}

namespace {

/// Collects the tags and words of a game, which are enough to read it.
struct WholeGame : pgn::IgnoredText {
    GameWords& words;
    std::vector<store::TagPair> tags;

    void tag(std::string_view name, std::string_view value) { tags.push_back({name, value}); }
    bool move(std::string_view word, const char* where) { return words.move(word, where); }
};

}  // namespace

const chess::SanLanguage* SourceLanguage::majority() {
    std::call_once(counted_, [&] { majority_ = count(); });
    return majority_;
}

const chess::SanLanguage* SourceLanguage::count() const {
    if (!pgn::source_size(path_)) return nullptr;  // a stream
    const auto languages = chess::san_languages();
    std::vector<std::size_t> votes(languages.size());
    GameWords words(kCountedWords);
    std::size_t games = 0;
    try {
        const std::unique_ptr<pgn::ByteSource> source =
            head_.empty() ? pgn::open_source(path_, options_) : pgn::make_text_source(head_);
        pgn::Splitter splitter(*source,
                               {.batch_bytes = kCountedBytes, .read_bytes = kCountedBytes});
        pgn::Batch batch;
        if (!splitter.next(batch)) return nullptr;
        for (const pgn::Extent& extent : batch.extents) {
            if (extent.kind != pgn::Extent::Kind::kGame || ++games > kCountedGames) continue;
            words.clear();
            WholeGame game{{}, words, {}};
            pgn::read_game(std::string_view(batch.text).substr(extent.offset, extent.size),
                           extent.truncated, game);
            const replay::GameStart start = replay::start_of(game.tags);
            if (!start.position || !words.has_letters()) continue;
            const std::vector<Reading> readings = words.read(*start.position, {});
            if (readings.size() != 1 || readings[0].error != chess::SanError::kNone) continue;
            const chess::SanLanguage* counted = nullptr;  // its alphabets follow each other
            for (const chess::SanAlphabet* alphabet : words.fitting(readings[0], {})) {
                if (alphabet->language == counted) continue;
                counted = alphabet->language;
                ++votes[static_cast<std::size_t>(counted - languages.data())];
            }
        }
    } catch (const pgn::SourceError&) {
        // The import reports the error.
    }
    const auto most = std::ranges::max_element(votes);
    return *most != 0 ? &languages[static_cast<std::size_t>(most - votes.begin())] : nullptr;
}

namespace {

/// Returns whether other languages must be tried, although the game may have been read in English.
bool in_doubt(const GameReplay& replay, SourceLanguage* source) {
    if (!replay.replayed()) return false;
    if (replay.stopped()) return true;
    if (source == nullptr) return false;
    if (!source->preferred().empty()) return source->preferred().front() != &chess::english();
    if (replay.moves().size() > kShortGame) return false;
    const chess::SanLanguage* majority = source->majority();
    return majority != nullptr && majority != &chess::english();
}

/// Returns the warning about two readings, placed at the first move in which they differ.
GameReplay::Problem ambiguity_of(const chess::AnyPosition& start, const Reading& taken,
                                 const Reading& other, const GameWords& words) {
    const auto parting = std::mismatch(taken.moves.begin(), taken.moves.end(), other.moves.begin(),
                                       other.moves.end());
    const auto ply = static_cast<std::size_t>(parting.first - taken.moves.begin());
    chess::AnyPosition position = start;
    for (std::size_t i = 0; i < ply; ++i) position.play(taken.moves[i]);
    const auto described = [&](const Reading& reading) {
        return std::string(reading.alphabet->language->name) + " (" +
               chess::to_san(position, reading.moves[ply]) + ")";
    };
    GameReplay::Problem problem;
    problem.warning = true;
    const std::string_view word = words.word_of(ply);
    problem.where = word.data();
    problem.ply = static_cast<std::uint32_t>(ply);
    problem.reason =
        "ambiguous: read as " + described(taken) + ", but could be " + described(other);
    problem.text = word;
    return problem;
}

const Languages& languages_of(const SourceLanguage* source) {
    static const Languages kAll;
    return source != nullptr ? source->preferred() : kAll;
}

const chess::SanAlphabet& english_alphabet() {
    return chess::alphabets_of(chess::english()).front();
}

/// For a game that cannot be read to its end in English: returns whether it is English with a
/// mistake. If so, another language that reads more of it has its letters by chance.
bool is_slip(const Reading& furthest, const chess::SanLanguage* majority, const GameWords& words) {
    if (!words.has_all_letters(english_alphabet())) return false;
    if (majority != nullptr && majority != &chess::english()) return false;
    const bool short_game = furthest.moves.size() <= kShortGame;
    return furthest.error != chess::SanError::kNone || (short_game && majority != nullptr);
}

/// Returns the alphabets that fit; that of the reading comes first.
std::vector<const chess::SanAlphabet*> alphabets_that_fit(const Reading& reading,
                                                          const GameWords& words,
                                                          const Languages& languages) {
    auto out = words.fitting(reading, languages);
    std::erase(out, reading.alphabet);
    out.insert(out.begin(), reading.alphabet);
    return out;
}

}  // namespace

std::optional<LanguageChoice> choose_language(std::string_view text, bool truncated,
                                              const GameReplay& replay, SourceLanguage* source,
                                              GameWords& words) {
    if (!in_doubt(replay, source)) return std::nullopt;
    const Languages& languages = languages_of(source);
    words.clear();
    pgn::read_game(text, truncated, words);
    if (words.full()) return std::nullopt;
    std::vector<Reading> readings = words.read(replay.start_position(), languages);
    const bool automatic = languages.empty() && source != nullptr;
    const auto* majority = automatic ? source->majority() : nullptr;
    if (languages.empty() && replay.stopped() && is_slip(readings[0], majority, words)) {
        readings = words.read(replay.start_position(), {&chess::english()});
    }
    const bool whole = readings[0].error == chess::SanError::kNone;
    auto taken = readings.begin();
    for (auto reading = readings.begin(); majority != nullptr && reading != readings.end();
         ++reading) {
        const auto alphabets = words.fitting(*reading, languages);
        const auto own =
            std::ranges::find_if(alphabets, [&](const auto* a) { return a->language == majority; });
        if (own == alphabets.end()) continue;
        reading->alphabet = *own;
        taken = reading;
        break;
    }
    LanguageChoice choice;
    choice.alphabets = alphabets_that_fit(*taken, words, languages);
    choice.as_read = taken->moves == replay.moves() && whole != replay.stopped();
    // A game that no language can read is read as English.
    const bool no_better = languages.empty() && taken->moves.size() <= replay.moves().size();
    if (!whole && (no_better || choice.as_read)) return std::nullopt;
    // A game in English needs no other reading.
    const bool english = taken->alphabet->language == &chess::english();
    if (readings.size() > 1 && whole && languages.empty() && !english) {
        const Reading& other = taken == readings.begin() ? readings[1] : readings[0];
        choice.ambiguity = ambiguity_of(replay.start_position(), *taken, other, words);
    }
    choice.reading = std::move(*taken);
    return choice;
}

std::optional<LanguageChoice> choose_as_read(std::string_view text, bool truncated,
                                             const GameReplay& replay, SourceLanguage* source,
                                             GameWords& words) {
    if (!replay.replayed()) return std::nullopt;
    words.clear();
    pgn::read_game(text, truncated, words);
    if (words.full()) return std::nullopt;
    LanguageChoice choice;
    choice.as_read = true;
    choice.reading.alphabet = &english_alphabet();
    choice.reading.moves = replay.moves();
    choice.reading.words = choice.reading.moves.size();
    choice.alphabets = alphabets_that_fit(choice.reading, words, languages_of(source));
    return choice;
}

}  // namespace fendex::ingest
