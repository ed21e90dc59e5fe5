#include "serve/explorer/game_ids.hpp"

#include <algorithm>

#include "base/number_of.hpp"

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

}  // namespace

std::string_view lichess_id(std::string_view site) {
    if (!remove_prefix(site, "https://")) remove_prefix(site, "http://");
    remove_prefix(site, "www.");
    if (!remove_prefix(site, "lichess.org/")) return {};
    site = site.substr(0, site.find_first_of("#?"));
    remove_suffix(site, "/");
    if (!remove_suffix(site, "/white")) remove_suffix(site, "/black");
    site.remove_prefix(site.rfind('/') + 1);
    return std::ranges::all_of(site, is_letter_or_digit) ? site : std::string_view();
}

std::string id_of(const GamePlace& place, std::string_view site) {
    if (const std::string_view id = lichess_id(site); !id.empty()) return std::string(id);
    const std::string number = std::to_string(place.game);
    return place.database == 0 ? number : std::to_string(place.database + 1) + ':' + number;
}

std::optional<GamePlace> numbered_place(std::string_view id) {
    const std::size_t colon = id.find(':');
    if (colon == std::string_view::npos) {
        const auto game = number_in_id(id);
        return game ? std::optional(GamePlace{0, *game}) : std::nullopt;
    }
    const auto database = number_in_id(id.substr(0, colon));
    const auto game = number_in_id(id.substr(colon + 1));
    if (!database || *database < 2 || !game) return std::nullopt;
    return GamePlace{static_cast<std::size_t>(*database - 1), *game};
}

}  // namespace fendex::serve::explorer
