#include "online_tags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/utc_time.hpp"

namespace fendex::bench {

namespace {

constexpr std::uint64_t kFirstSecond = 1'704'067'200;  // 2024-01-01 00:00:00
constexpr std::uint64_t kGamesPerSecond = 35;
constexpr std::uint64_t kPlayers = 4'000'000;

struct Speed {
    std::string_view name;
    unsigned share;  // of 100 games
    unsigned seconds;
    unsigned increment;
};
constexpr Speed kSpeeds[] = {
    {"UltraBullet", 2, 15, 0}, {"Bullet", 28, 60, 0}, {"Bullet", 6, 120, 1},
    {"Blitz", 22, 180, 0},     {"Blitz", 12, 180, 2}, {"Blitz", 14, 300, 0},
    {"Rapid", 12, 600, 0},     {"Rapid", 3, 900, 10}, {"Classical", 1, 1800, 20},
};

std::string base62(std::uint64_t value) {
    constexpr std::string_view kDigits =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    std::string out(8, '0');
    for (char& c : out) {
        c = kDigits[value % kDigits.size()];
        value /= kDigits.size();
    }
    return out;
}

/// A name of syllables, often with digits: "Tomika", "korasu1987".
std::string name_of(std::uint64_t player) {
    constexpr std::string_view kSyllables[] = {"ka", "to",  "mi",  "ra",    "ne", "lo", "su", "vi",
                                               "do", "ger", "pal", "chess", "bo", "ri", "an", "el"};
    Random random(player);
    std::string out;
    for (std::uint64_t rest = player + 256; rest != 0; rest /= std::size(kSyllables)) {
        out += kSyllables[rest % std::size(kSyllables)];
    }
    if (random.one_in(2)) out.front() = static_cast<char>(out.front() - 'a' + 'A');
    if (random.one_in(2)) fmt::format_to(std::back_inserter(out), "{}", 1950 + random.below(75));
    return out;
}

}  // namespace

OnlineGame::OnlineGame(std::uint64_t seed, std::uint64_t number)
    : random_(seed * 0xA24BAED4963EE407ULL + number), number_(number), id_(random_.next()) {
    std::uint64_t share = random_.below(100);
    speed_ = 0;
    while (share >= kSpeeds[speed_].share) share -= kSpeeds[speed_++].share;
    players_[0] = any_player();
    players_[1] = any_player();
    // Players are paired with others of nearly the same rating.
    players_[1].rating = players_[0].rating - 60 + static_cast<unsigned>(random_.below(121));
    std::ranges::fill(clocks_, kSpeeds[speed_].seconds);
    difference_ = 1 + static_cast<unsigned>(random_.below(11));
    rated_ = !random_.one_in(12);
    in_time_ = !random_.one_in(3);
}

/// The product of two random numbers favours some players: a tenth of them have a third of the
/// games.
OnlineGame::Player OnlineGame::any_player() {
    const std::uint64_t number = random_.below(kPlayers) * random_.below(kPlayers) / kPlayers;
    Random own(number);
    const auto rating = 700 + own.below(600) + own.below(600) + own.below(600) + own.below(400);
    return {number, static_cast<unsigned>(rating)};
}

void OnlineGame::append_tags(std::string_view result, std::string_view opening,
                             std::string& out) const {
    const Speed& speed = kSpeeds[speed_];
    const std::string time = base::utc_time(static_cast<std::int64_t>(
        kFirstSecond + number_ / kGamesPerSecond));  // 2024-01-01T00:00:00Z
    std::string date = time.substr(0, 10);
    std::ranges::replace(date, '-', '.');
    const int change = static_cast<int>(difference_) * (result == "1-0" ? 1 : -1);
    const std::size_t blank = std::min(opening.find(' '), opening.size());
    const auto to = std::back_inserter(out);
    fmt::format_to(to, "[Event \"{} {} game\"]\n[Site \"https://lichess.org/{}\"]\n",
                   rated_ ? "Rated" : "Casual", speed.name, base62(id_));
    fmt::format_to(to, "[Date \"{}\"]\n[Round \"-\"]\n[White \"{}\"]\n[Black \"{}\"]\n", date,
                   name_of(players_[0].number), name_of(players_[1].number));
    fmt::format_to(to, "[Result \"{}\"]\n[UTCDate \"{}\"]\n[UTCTime \"{}\"]\n", result, date,
                   time.substr(11, 8));
    fmt::format_to(to, "[WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n", players_[0].rating,
                   players_[1].rating);
    if (rated_) {
        fmt::format_to(to, "[WhiteRatingDiff \"{:+}\"]\n[BlackRatingDiff \"{:+}\"]\n", change,
                       -change);
    }
    fmt::format_to(to, "[ECO \"{}\"]\n[Opening \"{}\"]\n", opening.substr(0, blank),
                   opening.substr(std::min(blank + 1, opening.size())));
    fmt::format_to(to, "[TimeControl \"{}+{}\"]\n[Termination \"{}\"]\n\n", speed.seconds,
                   speed.increment, in_time_ ? "Normal" : "Time forfeit");
}

void OnlineGame::append_clock(std::uint32_t ply, std::string& out) {
    const Speed& speed = kSpeeds[speed_];
    unsigned& clock = clocks_[ply % 2];
    if (ply >= 2) {
        const auto used = static_cast<unsigned>(random_.below(1 + speed.seconds / 30)) / 2 +
                          static_cast<unsigned>(random_.below(2));
        clock = std::max(clock, used + 1) - used + speed.increment;
    }
    fmt::format_to(std::back_inserter(out), "{{ [%clk {}:{:02}:{:02}] }}", clock / 3600,
                   clock / 60 % 60, clock % 60);
}

}  // namespace fendex::bench
