#include "serve/api/sources.hpp"

#include "base/number_of.hpp"
#include "serve/http/answer.hpp"

namespace fendex::serve::api {

ask::FieldText database_field() {
    return ask::number_field("database", "only this one of the databases, counted from 1", 1);
}

std::shared_ptr<Sources> AskedDatabases::open(const store::GameFilter& filter,
                                              const std::stop_token& stop) const {
    return std::make_shared<Sources>(databases.open(), filter, stop, only);
}

AskedDatabases asked_databases(const ask::Given& given, Databases& databases) {
    const auto number = given.number("database");
    if (!number) return {databases, std::nullopt};
    if (*number > databases.size()) {
        throw ask::QuestionError(
            "bad_parameter", "database",
            "database takes a number from 1 to " + std::to_string(databases.size()));
    }
    return {databases, *number - 1};
}

GameRef game_ref_of(const std::string& text, const Databases& databases) {
    const std::size_t colon = text.find(':');
    const bool first = colon == std::string::npos;
    const auto database =
        base::number_of<std::uint64_t>(first ? "1" : std::string_view(text).substr(0, colon));
    const auto game =
        base::number_of<std::uint64_t>(std::string_view(text).substr(first ? 0 : colon + 1));
    if (!game || database.value_or(0) == 0) {
        throw Refusal{404, "no_such_game",
                      "'" + text +
                          "' names no game: a number, or 2:17 for game 17 of the second "
                          "database"};
    }
    if (*database > databases.size()) {
        throw Refusal{404, "no_such_game",
                      "there is no database " + std::to_string(*database) + ", only " +
                          std::to_string(databases.size())};
    }
    return {*database - 1, *game};
}

}  // namespace fendex::serve::api
