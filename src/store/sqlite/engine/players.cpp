// The players of the games that fit, counted by their codes in one scan of three columns. If few
// players are asked for, only their games are looked at.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/key_text.hpp"
#include "base/stop_check.hpp"
#include "codec/game_codes.hpp"
#include "store/column_scan.hpp"
#include "store/games_of_players.hpp"
#include "store/joined_names.hpp"
#include "store/name_index.hpp"
#include "store/named_codes.hpp"
#include "store/sqlite/engine/engine.hpp"

namespace fendex::store {

namespace {

using Codes = std::vector<std::uint32_t>;

/// First years are stored as one less.
constexpr std::uint16_t kNoYear = 0xFFFF;

/// The counts of all players by code, or of some players.
struct CountsByCode {
    struct Counts {
        std::uint32_t white = 0;
        std::uint32_t black = 0;
        std::uint32_t both = 0;  // games against the same name
        std::uint16_t first_year = kNoYear;
        std::uint16_t last_year = 0;

        [[nodiscard]] std::uint64_t games() const { return std::uint64_t{white} + black - both; }
    };
    std::vector<Counts> counts;  // by code, or by place in `codes`
    Codes codes;                 // of the players who are counted, ascending; none: all are

    void add(const ColumnScan& scan, const JoinedNames& joined);
    /// The same for the players of `codes`.
    void add_some(const ColumnScan& scan, const JoinedNames& joined);
    [[nodiscard]] std::uint64_t games(std::uint32_t code) const {
        const std::size_t place = place_of(code);
        return code > codec::kCodeInRow && place < counts.size() ? counts[place].games() : 0;
    }
    /// Returns the player's place in `counts`; not less than their number if he is not counted.
    [[nodiscard]] std::size_t place_of(std::uint32_t code) const {
        if (codes.empty()) return code;
        const auto found = std::ranges::lower_bound(codes, code);
        return found != codes.end() && *found == code
                   ? static_cast<std::size_t>(found - codes.begin())
                   : counts.size();
    }
    /// Returns a player without spellings.
    [[nodiscard]] PlayerCount player(std::uint32_t code, std::string name) const {
        const Counts& of = counts[place_of(code)];
        return {std::move(name),
                of.games(),
                of.white,
                of.black,
                static_cast<std::uint16_t>(of.first_year + 1),
                of.last_year};
    }
};

/// Some 5 ns a game: the counts of many players do not fit the processor's cache.
void CountsByCode::add(const ColumnScan& scan, const JoinedNames& joined) {
    if (counts.size() < joined.end_of_codes()) counts.resize(joined.end_of_codes());
    for (const std::size_t column : {0U, 1U}) {
        const auto values = scan.values(column);
        const std::uint32_t last = *std::ranges::max_element(values);
        if (last >= counts.size()) counts.resize(last + last / 2 + std::size_t{1});
    }
    for (const std::uint32_t place : scan.places()) {
        const std::uint32_t white = joined.canonical(scan.values(0)[place]);
        const std::uint32_t black = joined.canonical(scan.values(1)[place]);
        const auto year = static_cast<std::uint16_t>(codec::Date(scan.values(2)[place]).year());
        // 0, which is unknown, becomes the greatest number.
        const auto first = static_cast<std::uint16_t>(year - 1);
        Counts& of_white = counts[white];
        Counts& of_black = counts[black];
        ++of_white.white;
        ++of_black.black;
        of_white.both += white == black ? 1U : 0U;
        of_white.first_year = std::min(of_white.first_year, first);
        of_black.first_year = std::min(of_black.first_year, first);
        of_white.last_year = std::max(of_white.last_year, year);
        of_black.last_year = std::max(of_black.last_year, year);
    }
}

void CountsByCode::add_some(const ColumnScan& scan, const JoinedNames& joined) {
    for (const std::uint32_t game : scan.places()) {
        const std::uint32_t white = joined.canonical(scan.values(0)[game]);
        const std::uint32_t black = joined.canonical(scan.values(1)[game]);
        const auto year = static_cast<std::uint16_t>(codec::Date(scan.values(2)[game]).year());
        const auto add_one = [&](std::uint32_t player, std::uint32_t Counts::*games) {
            const std::size_t place = place_of(player);
            if (place >= counts.size()) return;
            Counts& of = counts[place];
            ++(of.*games);
            // 0, which is unknown, becomes the greatest number.
            of.first_year = std::min(of.first_year, static_cast<std::uint16_t>(year - 1));
            of.last_year = std::max(of.last_year, year);
        };
        add_one(white, &Counts::white);
        add_one(black, &Counts::black);
        if (white == black) add_one(white, &Counts::both);
    }
}

class LocalPlayers final : public Players {
  public:
    LocalPlayers(LocalReader& reader, GameFilter filter)
        : reader_(reader),
          filter_(std::move(filter)),
          joined_(JoinedNames::of(reader, NameKind::kPlayer)) {}

    std::uint64_t count(const AskedPlayers& asked, std::stop_token stop) override {
        return codes(asked, stop).size();
    }

    std::vector<PlayerCount> first(const AskedPlayers& asked, std::size_t most,
                                   std::stop_token stop) override {
        Codes ranked = codes(asked, stop);
        cut(ranked, most);
        std::vector<PlayerCount> players = named(ranked);
        std::ranges::sort(players, is_listed_before);
        if (players.size() > most) players.resize(most);
        add_spellings(players);
        return players;
    }

  private:
    /// Counts the games of all players. Kept for the snapshot if all games fit.
    void count_all(std::stop_token stop) {
        const std::string key = base::KeyText("players").text();
        const bool takes_all = filter_ == GameFilter{};
        if (takes_all) by_code_ = reader_.snapshot_cache().get<CountsByCode>(key);
        if (by_code_) return;
        using enum GameColumn;
        const auto counted = std::make_shared<CountsByCode>();
        ColumnScan scan(reader_, filter_, {kWhite, kBlack, kDate}, std::move(stop));
        while (scan.next()) counted->add(scan, *joined_);
        by_code_ = counted;
        if (takes_all) {
            reader_.snapshot_cache().put(key, counted,
                                         counted->counts.capacity() * sizeof(CountsByCode::Counts));
        }
    }

    /// Counts the games of these players.
    void count_some(const Codes& codes, const std::stop_token& stop) {
        using enum GameColumn;
        const auto counted = std::make_shared<CountsByCode>();
        counted->codes = codes;
        counted->counts.resize(codes.size());
        ColumnScan scan = scan_games_of(reader_, codes, filter_, {kWhite, kBlack, kDate}, stop);
        while (scan.next()) counted->add_some(scan, *joined_);
        by_code_ = counted;
    }

    /// Makes by_code_ have all players, or at least these. If there are none, it may stay null.
    void require_counts(const Codes* some, const std::stop_token& stop) {
        const bool has_all = by_code_ && by_code_->codes.empty();
        if (has_all || (some != nullptr && some->empty())) return;
        if (some == nullptr || !prefers_lists(reader_, *some)) {
            count_all(stop);
        } else if (!by_code_ || by_code_->codes != *some) {
            count_some(*some, stop);
        }
    }

    /// Returns the codes of the players asked for, those of names that stand for others, ascending.
    /// Counts their games.
    Codes codes(const AskedPlayers& asked, const std::stop_token& stop) {
        base::StopCheck check(stop);
        Codes out;
        if (std::holds_alternative<AllPlayers>(asked)) {
            require_counts(nullptr, stop);
            for (std::uint32_t code = 0; code < by_code_->counts.size(); ++code) {
                if (by_code_->games(code) != 0) out.push_back(code);
            }
            return out;
        }
        if (const auto* const words = std::get_if<base::NameWords>(&asked)) {
            out = codes_with_words(reader_, NameKind::kPlayer, *words, check);
        } else if (const auto* const names = std::get_if<std::vector<std::string>>(&asked)) {
            out = codes_named(reader_, NameKind::kPlayer, *names);
        } else {
            out = codes_like(reader_, NameKind::kPlayer, std::get<LikeNames>(asked), check);
        }
        require_counts(&out, stop);
        std::erase_if(out, [&](std::uint32_t code) { return by_code_->games(code) == 0; });
        return out;
    }

    /// Keeps the `most` codes with most games, and all with as many games as the last of these:
    /// their names decide.
    void cut(Codes& codes, std::size_t most) const {
        if (codes.size() <= most) return;
        if (most == 0) return codes.clear();
        const auto games = [&](std::uint32_t code) { return by_code_->games(code); };
        const auto last = codes.begin() + static_cast<std::ptrdiff_t>(most - 1);
        std::nth_element(codes.begin(), last, codes.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return games(a) > games(b); });
        const std::uint64_t least = games(*last);
        std::erase_if(codes, [&](std::uint32_t code) { return games(code) < least; });
    }

    std::vector<PlayerCount> named(const Codes& codes) {
        auto names = names_of_codes(reader_, NameKind::kPlayer, codes);
        std::vector<PlayerCount> out;
        for (std::size_t i = 0; i < codes.size(); ++i) {
            if (names[i]) out.push_back(by_code_->player(codes[i], std::move(*names[i])));
        }
        return out;
    }

    void add_spellings(std::vector<PlayerCount>& players) {
        if (joined_->empty()) return;
        Codes codes;
        std::vector<PlayerCount*> owners;
        for (PlayerCount& player : players) {
            const auto id = reader_.name_id(NameKind::kPlayer, player.name);
            if (!id) continue;
            for (const std::uint32_t code : joined_->spellings(codec::code_of_id(*id))) {
                codes.push_back(code);
                owners.push_back(&player);
            }
        }
        const auto names = names_of_codes(reader_, NameKind::kPlayer, codes);
        for (std::size_t i = 0; i < codes.size(); ++i) {
            if (names[i]) owners[i]->spellings.push_back(*names[i]);
        }
        for (PlayerCount& player : players) std::ranges::sort(player.spellings);
    }

    LocalReader& reader_;
    const GameFilter filter_;
    std::shared_ptr<const JoinedNames> joined_;
    std::shared_ptr<const CountsByCode> by_code_;
};

}  // namespace

std::unique_ptr<Players> LocalEngine::players(const GameFilter& filter, std::stop_token /*stop*/) {
    return std::make_unique<LocalPlayers>(reader_, filter);
}

}  // namespace fendex::store
