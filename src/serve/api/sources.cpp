#include "serve/api/sources.hpp"

#include <charconv>
#include <exception>

#include "serve/http/answer.hpp"

namespace fendex::serve::api {

namespace {

bool read_number(std::string_view text, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Sources::Sources(Databases& databases, const query::GameFilter& filter, const std::stop_token& stop)
    : several_(databases.size() > 1) {
    std::exception_ptr missing;  // thrown if no database has the source
    for (OpenDatabase& open : databases.open()) {
        try {
            sources_.emplace_back(std::move(open), filter, stop);
        } catch (const query::FilterError& error) {
            if (error.field() != "source") throw;
            if (!missing) missing = std::current_exception();
        }
    }
    if (sources_.empty() && missing) std::rethrow_exception(missing);
}

std::vector<store::StoreReader*> Sources::readers() {
    std::vector<store::StoreReader*> readers;
    for (Source& source : sources_) readers.push_back(&*source.reader);
    return readers;
}

std::string ref_prefix(std::size_t database) {
    return database == 0 ? std::string() : std::to_string(database + 1) + ':';
}

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

void add_game_ref(const Source& source, bool several, store::GameId game, json::Object& object) {
    if (several) object.add("database", source.name);
    object.add("game_id", game);
    object.add("ref", ref_prefix(source.index) + std::to_string(game));
}

void add_import_error(const store::ImportError& error, json::Object& object) {
    object.add("line", error.line);
    object.add("ply", error.ply);
    object.add("severity", error.warning ? "warning" : "error");
    object.add("reason", error.reason);
    object.add("text", error.text);
}

}  // namespace fendex::serve::api
