#include "serve/explorer/game_ids.hpp"

#include <algorithm>

#include "base/number_of.hpp"
#include "clickhouse/ids.hpp"

namespace fendex::serve::explorer {

namespace {

bool is_letter_or_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool remove_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

bool remove_suffix(std::string_view& text, std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text.remove_suffix(suffix.size());
    return true;
}

/// Reads a number of at least 1. Accepts no leading zeros, so that each number has one spelling.
std::optional<std::uint64_t> number_in_id(std::string_view text) {
    return text.starts_with('0') ? std::nullopt : base::number_of<std::uint64_t>(text);
}

constexpr std::size_t kIdLength = 8;

// An id made from a number: a sign that ids of lichess.org do not have, and seven digits.
constexpr char kOwnId = '_';
constexpr std::string_view kDigits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::uint64_t kCodes = 3'521'614'606'208;  // 62 to the power of 7

/// Number of bits for the number of a game in its file. In a cluster, the number of the file that
/// was pushed stands before them.
constexpr unsigned kGameBits = 32;

/// Returns a number less than kCodes for a game, another one for each; empty if that is too large.
std::optional<std::uint64_t> code_of(const GamePlace& place, std::size_t databases) {
    const std::uint64_t number = clickhouse::number_of_game(place.game);
    const std::uint64_t file = place.game >> clickhouse::kGameBits;
    if (number >> kGameBits != 0 || file > clickhouse::kMaxOrigin) return std::nullopt;
    const std::uint64_t game = file << kGameBits | number;
    if (game > (kCodes - 1 - place.database) / databases) return std::nullopt;
    return game * databases + place.database;
}

/// Returns the game with this code; empty if there cannot be one.
std::optional<GamePlace> place_of(std::uint64_t code, std::size_t databases) {
    const std::uint64_t game = code / databases;
    const std::uint64_t number = game & ((std::uint64_t{1} << kGameBits) - 1);
    if (number == 0) return std::nullopt;
    const auto file = static_cast<clickhouse::Origin>(game >> kGameBits);
    return GamePlace{static_cast<std::size_t>(code % databases),
                     clickhouse::cluster_id(file, number)};
}

std::optional<GamePlace> coded_place(std::string_view id, std::size_t databases) {
    if (id.size() != kIdLength || databases == 0) return std::nullopt;
    std::uint64_t code = 0;
    for (const char c : id.substr(1)) {
        const std::size_t digit = kDigits.find(c);
        if (digit == std::string_view::npos) return std::nullopt;
        code = code * kDigits.size() + digit;
    }
    return place_of(code, databases);
}

}  // namespace

bool is_lichess_id(std::string_view text) {
    return text.size() == kIdLength && std::ranges::all_of(text, is_letter_or_digit);
}

std::string_view lichess_id(std::string_view site) {
    if (!remove_prefix(site, "https://")) remove_prefix(site, "http://");
    remove_prefix(site, "www.");
    if (!remove_prefix(site, "lichess.org/")) return {};
    site = site.substr(0, site.find_first_of("#?"));
    remove_suffix(site, "/");
    if (!remove_suffix(site, "/white")) remove_suffix(site, "/black");
    site.remove_prefix(site.rfind('/') + 1);
    // A player's own address of a game has four more characters.
    constexpr std::size_t kPlayersLength = 12;
    if (site.size() == kPlayersLength && std::ranges::all_of(site, is_letter_or_digit)) {
        site = site.substr(0, kIdLength);
    }
    return is_lichess_id(site) ? site : std::string_view();
}

std::string id_of(const GamePlace& place, std::size_t databases, std::string_view site) {
    if (const std::string_view id = lichess_id(site); !id.empty()) return std::string(id);
    if (auto code = code_of(place, databases)) {
        std::string id(kIdLength, kOwnId);
        for (std::size_t i = kIdLength - 1; i > 0; --i) {
            id[i] = kDigits[*code % kDigits.size()];
            *code /= kDigits.size();
        }
        return id;
    }
    return std::to_string(place.database + 1) + ':' + std::to_string(place.game);
}

std::optional<GamePlace> numbered_place(std::string_view id, std::size_t databases) {
    if (id.starts_with(kOwnId)) return coded_place(id, databases);
    const std::size_t colon = id.find(':');
    if (colon == std::string_view::npos) {
        const auto game = number_in_id(id);
        return game ? std::optional(GamePlace{0, *game}) : std::nullopt;
    }
    const auto database = number_in_id(id.substr(0, colon));
    const auto game = number_in_id(id.substr(colon + 1));
    if (!database || !game) return std::nullopt;
    return GamePlace{static_cast<std::size_t>(*database - 1), *game};
}

}  // namespace fendex::serve::explorer
