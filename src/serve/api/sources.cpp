#include "serve/api/sources.hpp"

#include <charconv>

#include "ask/rows.hpp"
#include "serve/http/answer.hpp"

namespace fendex::serve::api {

namespace {

bool read_number(std::string_view text, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

GameRef game_ref_of(const std::string& text, const Databases& databases) {
    std::string_view rest = text;
    std::uint64_t database = 1;
    const std::size_t colon = rest.find(':');
    bool valid = true;
    if (colon != std::string_view::npos) {
        valid = read_number(rest.substr(0, colon), database) && database != 0;
        rest.remove_prefix(colon + 1);
    }
    GameRef ref;
    if (!valid || !read_number(rest, ref.game)) {
        throw Refusal{404, "no_such_game",
                      "'" + text +
                          "' names no game: a number, or 2:17 for game 17 of the second "
                          "database"};
    }
    ref.database = database - 1;
    if (ref.database >= databases.size()) {
        throw Refusal{404, "no_such_game",
                      "there is no database " + std::to_string(database) + ", only " +
                          std::to_string(databases.size())};
    }
    return ref;
}

}  // namespace fendex::serve::api
