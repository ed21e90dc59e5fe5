#include "replay/time_control.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/cut.hpp"
#include "base/text_fold.hpp"
#include "base/trimmed.hpp"
#include "chess/fen_text.hpp"
#include "pgn/lexer.hpp"

namespace fendex::replay {

namespace {

using codec::TimeClass;

constexpr double kSecondsPerMinute = 60;
constexpr double kSecondsPerHour = 3600;
constexpr double kSecondsPerDay = 86'400;

/// The length of a game is estimated for this number of moves.
constexpr double kMovesOfGame = 40;

/// The time for `moves` moves; 0 means all remaining moves.
struct Period {
    double moves = 0;
    double seconds = 0;
};

struct Control {
    std::vector<Period> periods;
    double increment = 0;  // seconds for each move
};

TimeClass class_of(const Control& control) {
    double seconds = kMovesOfGame * control.increment;
    double moves = kMovesOfGame;
    for (std::size_t i = 0; i < control.periods.size() && moves > 0; ++i) {
        const Period& period = control.periods[i];
        if (period.moves > 0 && period.seconds / period.moves >= kSecondsPerDay) {
            return TimeClass::kCorrespondence;
        }
        // The last period is repeated.
        const bool is_last = i + 1 == control.periods.size();
        const double played = period.moves == 0 || is_last ? moves : std::min(moves, period.moves);
        seconds += period.moves == 0 ? period.seconds : period.seconds * played / period.moves;
        moves -= played;
    }
    if (control.increment >= kSecondsPerDay) {
        return TimeClass::kCorrespondence;
    }
    if (seconds == 0) return TimeClass::kUnknown;
    if (seconds < 30) return TimeClass::kUltraBullet;
    if (seconds < 180) return TimeClass::kBullet;
    if (seconds < 480) return TimeClass::kBlitz;
    if (seconds < 1500) return TimeClass::kRapid;
    return TimeClass::kClassical;
}

/// Takes a number off the front, perhaps with decimals. Empty if there is none, or if it is too
/// large for any clock.
std::optional<double> take_amount(std::string_view& s) {
    std::size_t size = 0;
    while (size < s.size() && pgn::is_digit(s[size])) ++size;
    if (size == 0 || size > 10) return std::nullopt;
    if (size + 1 < s.size() && s[size] == '.' && pgn::is_digit(s[size + 1])) {
        ++size;
        while (size < s.size() && pgn::is_digit(s[size])) ++size;
    }
    double value = 0;
    if (std::from_chars(s.data(), s.data() + size, value).ec != std::errc{}) return std::nullopt;
    s.remove_prefix(size);
    return value;
}

bool take(std::string_view& s, char c) {
    if (!s.starts_with(c)) return false;
    s.remove_prefix(1);
    return true;
}

/// Reads "40/7200:20/3600:900+30"; empty if a value is not in the standard's form.
std::optional<Control> read_standard(std::string_view s) {
    Control out;
    do {
        Period period;
        std::optional<double> number = take_amount(s);
        if (!number) return std::nullopt;
        if (take(s, '/')) {
            period.moves = *number;
            number = take_amount(s);
            if (!number || period.moves == 0) return std::nullopt;
        }
        period.seconds = *number;
        if (take(s, '+')) {
            number = take_amount(s);
            if (!number) return std::nullopt;
            if (out.periods.empty()) out.increment = *number;
        }
        out.periods.push_back(period);
    } while (take(s, ':'));
    if (!s.empty()) return std::nullopt;
    return out;
}

/// Returns whether a value in the standard's form is more likely in minutes: "5", "3+2", "15+10",
/// "90+30". Games between programs may have a minute or two, but no increments of several seconds.
bool may_be_minutes(const Control& control, std::string_view value) {
    const Period& first = control.periods.front();
    if (control.periods.size() != 1 || first.seconds == 0 ||
        value.find('.') != std::string_view::npos) {
        return false;
    }
    if (first.moves != 0) return first.seconds <= 3;  // 40/2: hours
    return first.seconds <= 30 || (first.seconds < 180 && control.increment >= 5 &&
                                   control.increment * 12 >= first.seconds);
}

// --- What people write

enum class Word {
    kNumber,
    kHour,
    kMinute,
    kSecond,
    kDay,
    kMove,
    kLink,       // between a time and its moves: "for", "in", "per", "/"
    kIncrement,  // before or after a time: "increment", "bonus"
    kDelay,      // before a number of seconds: "d5", "inc30"
    kRest,       // before a number of minutes: "G/60", "SD/30"
    kFrom,       // before the number of a move: "from move 1"
    kAnd,        // "+", "," and the like
    kFiller,
};

struct Known {
    Word word;
    std::string_view spellings;  // separated by blanks
};

/// English, German, French, Spanish, Russian.
constexpr std::array kKnown{
    Known{Word::kHour, "h hr hrs hour hours std stunde stunden heure heures hora horas"},
    Known{Word::kHour, "ч час часа часов"},
    Known{Word::kMinute, "m mn min mins minute minutes minuten minuto minutos"},
    Known{Word::kMinute, "м мин минут минута минуты"},
    Known{Word::kSecond, "s sec secs second seconds sek sekunde sekunden seconde secondes"},
    Known{Word::kSecond, "seg segs segundo segundos сек секунд секунда секунды"},
    Known{Word::kDay, "day days tag tage tagen jour jours día días день дня дней"},
    Known{Word::kMove, "move moves mv mvs zug züge zügen zuege zuegen coup coups"},
    Known{Word::kMove, "movimiento movimientos mov movs jugada jugadas ход хода ходов"},
    Known{Word::kLink, "/ for in per pro je für fuer par pour por para cada на за"},
    Known{Word::kIncrement, "increment increments incr bonus fischer delay added"},
    Known{Word::kIncrement, "inkrement zuschlag gutschrift zeitgutschrift incrément incremento"},
    Known{Word::kIncrement, "добавление добавлением"},
    Known{Word::kDelay, "d inc"},
    Known{Word::kRest, "g sd game"},
    Known{Word::kFrom, "from starting ab beginnend partir desde начиная"},
    Known{Word::kAnd, "+ , ; : & and then followed plus und dann danach et puis y más luego"},
    Known{Word::kAnd, "и затем плюс"},
    Known{Word::kFiller,
          ". ( ) a an the of by to with each every all whole entire first next rest"},
    Known{Word::kFiller, "remaining remainder end finish player players side"},
    Known{Word::kFiller, "der die das den dem mit ersten nächsten restliche partie spieler"},
    Known{Word::kFiller, "la le les du de avec premiers chaque reste fin joueur"},
    Known{Word::kFiller, "el los del con primeros resto partida jugador"},
    Known{Word::kFiller, "с первые следующие до конца партии всю остаток остальные каждый"}};

/// Returns the form in which words are compared: without case and accents. A sign that is neither a
/// letter nor a digit is returned unchanged.
std::string compared(std::string_view word) {
    std::string folded = base::fold(word);
    return folded.empty() ? std::string(word) : folded;
}

std::optional<Word> meaning_of(const std::string& compared_word) {
    static const std::map<std::string, Word> meanings = [] {
        std::map<std::string, Word> out;
        for (const Known& known : kKnown) {
            std::string_view left = known.spellings;
            while (!left.empty()) {
                out.emplace(compared(base::cut(left, ' ')), known.word);
            }
        }
        return out;
    }();
    const auto found = meanings.find(compared_word);
    return found == meanings.end() ? std::nullopt : std::optional(found->second);
}

struct TimeWord {
    Word word = Word::kFiller;
    double number = 0;
};

/// Takes a mark for minutes or seconds after a number: ' and " in the spellings of keyboards and
/// typesetters.
std::optional<Word> take_prime(std::string_view& s) {
    constexpr std::pair<std::string_view, Word> kPrimes[] = {
        {"''", Word::kSecond}, {"\"", Word::kSecond}, {"″", Word::kSecond},  {"”", Word::kSecond},
        {"’’", Word::kSecond}, {"′′", Word::kSecond}, {"´´", Word::kSecond}, {"'", Word::kMinute},
        {"′", Word::kMinute},  {"’", Word::kMinute},  {"´", Word::kMinute}};
    for (const auto& [mark, unit] : kPrimes) {
        if (!s.starts_with(mark)) continue;
        s.remove_prefix(mark.size());
        return unit;
    }
    return std::nullopt;
}

bool is_letter(char c) { return pgn::is_letter(c) || static_cast<unsigned char>(c) >= 0x80; }

/// Cuts a value into words; empty if one of them is not known.
std::optional<std::vector<TimeWord>> words_of(std::string_view s) {
    constexpr std::size_t kLongest = 200;  // longest value that is read
    if (s.size() > kLongest) return std::nullopt;
    std::vector<TimeWord> out;
    while (!s.empty()) {
        if (s.front() == ' ' || s.front() == '\t') {
            s.remove_prefix(1);
        } else if (pgn::is_digit(s.front())) {
            const std::optional<double> number = take_amount(s);
            if (!number) return std::nullopt;
            out.push_back({Word::kNumber, *number});
            if (s.size() > 1 && s[0] == '-' && is_letter(s[1])) s.remove_prefix(1);  // 30-second
            if (const std::optional<Word> unit = take_prime(s)) out.push_back({*unit});
        } else {
            std::size_t size = 0;
            while (size < s.size() && is_letter(s[size])) ++size;
            size = std::max<std::size_t>(size, 1);
            const std::string word = compared(s.substr(0, size));
            std::optional<Word> meaning = meaning_of(word);
            // After a number, a Russian "s" means seconds, not "with", and "d" means days, not a
            // delay.
            const bool after_number = !out.empty() && out.back().word == Word::kNumber;
            if (after_number && word == "с") meaning = Word::kSecond;
            if (after_number && word == "d") meaning = Word::kDay;
            if (!meaning) return std::nullopt;
            out.push_back({*meaning});
            s.remove_prefix(size);
        }
    }
    std::erase_if(out, [](const TimeWord& token) { return token.word == Word::kFiller; });
    return out;
}

/// Reads words from the left. Each step takes one time and the words that belong to it.
class WrittenTime {
  public:
    explicit WrittenTime(std::vector<TimeWord> words) : words_(std::move(words)) {}

    std::optional<Control> read() {
        while (at_ < words_.size()) {
            if (!step()) return std::nullopt;
        }
        if (control_.periods.empty() && control_.increment == 0) return std::nullopt;
        return control_;
    }

  private:
    [[nodiscard]] bool next_is(Word word, std::size_t ahead = 0) const {
        return at_ + ahead < words_.size() && words_[at_ + ahead].word == word;
    }
    bool take(Word word) {
        if (!next_is(word)) return false;
        ++at_;
        return true;
    }

    static std::optional<double> seconds_in(Word unit) {
        switch (unit) {
            case Word::kHour: return kSecondsPerHour;
            case Word::kMinute: return kSecondsPerMinute;
            case Word::kSecond: return 1;
            case Word::kDay: return kSecondsPerDay;
            default: return std::nullopt;
        }
    }

    /// Returns whether a number and its unit come next.
    [[nodiscard]] bool is_time() const {
        return next_is(Word::kNumber) && at_ + 1 < words_.size() &&
               seconds_in(words_[at_ + 1].word);
    }

    /// Takes a number and its unit; "1 h 30 min" and "1h30" are taken as one time.
    std::optional<double> take_time() {
        if (!is_time()) return std::nullopt;
        const std::optional<double> unit = seconds_in(words_[at_ + 1].word);
        in_seconds_ = *unit == 1;
        double seconds = words_[at_].number * *unit;
        at_ += 2;
        if (*unit == kSecondsPerHour && next_is(Word::kNumber) && !next_is(Word::kMove, 1) &&
            !next_is(Word::kLink, 1) && !next_is(Word::kSecond, 1)) {
            seconds += words_[at_++].number * kSecondsPerMinute;
            take(Word::kMinute);
        }
        return seconds;
    }

    bool step() {
        if (take(Word::kAnd)) return true;
        if (take(Word::kFrom)) {
            return take(Word::kMove) ? take(Word::kNumber)
                                     : take(Word::kNumber) && take(Word::kMove);
        }
        if (take(Word::kRest)) return read_rest();
        if (take(Word::kDelay)) {
            take(Word::kLink);
            return read_increment();
        }
        if (take(Word::kIncrement)) {
            return !next_is(Word::kNumber) || read_increment();
        }
        if (const std::optional<double> seconds = take_time()) return read_after_time(*seconds);
        if (take(Word::kNumber)) return read_moves(words_[at_ - 1].number);
        return false;
    }

    /// Reads the text after "G" or "game": "G/60", or nothing ("for the rest of the game").
    bool read_rest() {
        const bool linked = take(Word::kLink);
        if (!next_is(Word::kNumber)) return !linked;
        if (const std::optional<double> seconds = take_time()) return add(0, *seconds);
        return add(0, words_[at_++].number * kSecondsPerMinute);
    }

    bool read_increment() {
        if (const std::optional<double> seconds = take_time()) {
            control_.increment = *seconds;
        } else if (take(Word::kNumber)) {
            control_.increment = words_[at_ - 1].number;
        } else {
            return false;
        }
        while (take(Word::kLink) || take(Word::kMove)) {
        }
        return true;
    }

    /// Decides by the words after a time whether it is for some moves, for each move or for the
    /// rest.
    bool read_after_time(double seconds) {
        if (take(Word::kIncrement)) return set_increment(seconds);
        bool linked = false;
        while (take(Word::kLink)) linked = true;
        if (take(Word::kMove)) return set_increment(seconds);
        if (next_is(Word::kNumber) && next_is(Word::kMove, 1)) {
            const double moves = words_[at_].number;
            at_ += 2;
            return add(moves, seconds);
        }
        if (linked && next_is(Word::kNumber) && !is_time()) {
            return add(words_[at_++].number, seconds);
        }
        if (in_seconds_ && !control_.periods.empty()) return set_increment(seconds);
        return add(0, seconds);
    }

    /// Reads the words after a number. Either it counts moves ("40 moves in 2 hours", "40/2h",
    /// "40/120"), or it follows a time and counts seconds ("3 min + 2").
    bool read_moves(double number) {
        if (!next_is(Word::kMove) && !next_is(Word::kLink)) {
            const bool added = at_ >= 2 && words_[at_ - 2].word == Word::kAnd;
            return added && !control_.periods.empty() && set_increment(number);
        }
        if (number == 0) return false;
        take(Word::kMove);
        bool linked = false;
        while (take(Word::kLink) || take(Word::kAnd)) linked = true;
        if (const std::optional<double> seconds = take_time()) return add(number, *seconds);
        if (!linked || !take(Word::kNumber)) return false;
        // Up to 3 it is hours, because nobody has two minutes for 40 moves.
        const double time = words_[at_ - 1].number;
        return add(number, time * (time <= 3 ? kSecondsPerHour : kSecondsPerMinute));
    }

    bool add(double moves, double seconds) {
        // Days are for one move or for some moves. Without such a word it is not clear for which.
        if (moves == 0 && seconds >= kSecondsPerDay) return false;
        control_.periods.push_back({moves, seconds});
        return true;
    }
    bool set_increment(double seconds) {
        control_.increment = std::max(control_.increment, seconds);
        return true;
    }

    std::vector<TimeWord> words_;
    std::size_t at_ = 0;
    Control control_;
    bool in_seconds_ = false;  // the last time was in seconds
};

}  // namespace

TimeClass time_class_of(std::string_view value, bool on_server) {
    value = base::trimmed(value, chess::fen_text::kBlanks);
    // No time control. On servers these are games that are played over days.
    if (value == "-") return on_server ? TimeClass::kCorrespondence : TimeClass::kUnknown;
    if (value.empty() || value == "?") return TimeClass::kUnknown;
    if (const std::optional<Control> control = read_standard(value)) {
        if (!on_server && may_be_minutes(*control, value)) return TimeClass::kUnknown;
        return class_of(*control);
    }
    std::optional<std::vector<TimeWord>> words = words_of(value);
    if (!words) return TimeClass::kUnknown;
    const std::optional<Control> control = WrittenTime(std::move(*words)).read();
    return control ? class_of(*control) : TimeClass::kUnknown;
}

bool names_server(std::string_view site) {
    if (site.find("://") != std::string_view::npos) return true;
    const std::string name = base::fold(site);
    return name.find("lichess") != std::string::npos || name.find("chess com") != std::string::npos;
}

}  // namespace fendex::replay
