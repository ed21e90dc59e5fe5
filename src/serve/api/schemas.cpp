#include "serve/api/schemas.hpp"

#include <algorithm>
#include <initializer_list>

#include "base/json.hpp"
#include "emit/game_rows.hpp"

namespace fendex::serve::api {

namespace {

using Members = std::vector<SchemaMember>;
using Schemas = std::vector<Schema>;

template <typename Each>
std::vector<Each> joined(std::initializer_list<std::vector<Each>> groups) {
    std::vector<Each> all;
    for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
    return all;
}

// Members of several schemas.

Members game_ref() {
    return {{"database?", "string", "if several databases are served"},
            {"game_id", "integer"},
            {"ref", "string", "names the game in addresses: games/{ref}"}};
}

Members players() { return {{"white", "string?"}, {"black", "string?"}}; }

Members result() { return {{"result", "'1-0'|'0-1'|'1/2-1/2'|'*'"}}; }

Members game_columns() {
    Members members;
    for (const emit::GameColumn& column : emit::game_columns()) {
        members.push_back(
            {std::string(column.name), std::string(column.type), std::string(column.help)});
    }
    return members;
}

Members results() {
    return {{"white", "integer", "White's wins"},
            {"draws", "integer"},
            {"black", "integer"},
            {"games", "integer"}};
}

Members score() {
    return {{"games", "integer"},
            {"wins", "integer"},
            {"draws", "integer"},
            {"losses", "integer"},
            {"score", "number?", "in percent"}};
}

Members position() { return {{"fen", "string"}, {"epd", "string"}, {"key", "string"}}; }

Schemas basic_schemas() {
    return {
        {"Error", {{"error", "ErrorDetails"}}},
        {"ErrorDetails",
         {{"code", "string", "for programs"},
          {"message", "string", "for people"},
          {"field", "string?", "the parameter that is wrong"}}},
        {"Count", {{"games", "integer"}}},
        {"HitCount", {{"games", "integer"}, {"occurrences", "integer"}}},
    };
}

Schemas position_schemas() {
    return {
        {"Position", joined({position(),
                             {{"variant", "string"},
                              {"dialects", "{string}", "the FEN in the other dialects"},
                              {"status", "string", "ongoing, check, checkmate, stalemate ..."},
                              {"side", "'white'|'black'"},
                              {"check", "boolean"},
                              {"legal_moves", "integer", "how many there are"},
                              {"result", "'1-0'|'0-1'|'1/2-1/2'|'*'"},
                              {"fifty_moves", "boolean"},
                              {"seventy_five_moves", "boolean"},
                              {"insufficient_material", "boolean"},
                              {"turn", "'white'|'black'", "the same as side"},
                              {"pockets", "Pockets?", "in Crazyhouse"},
                              {"checks", "ChecksGiven?", "in Three-check"},
                              {"opening", "Opening?"},
                              {"start", "string", "the FEN before the line"},
                              {"line", "[PlayedMove]", "the moves of play and moves"},
                              {"legal", "[LegalMove]"}}})},
        {"Pockets", {{"white", "string", "QRBNP"}, {"black", "string"}}},
        {"ChecksGiven", {{"white", "integer"}, {"black", "integer"}}},
        {"Opening", {{"eco", "string"}, {"name", "string"}}},
        {"PlayedMove",
         {{"san", "string"},
          {"uci", "string"},
          {"fen", "string", "after it"},
          {"opening", "Opening?", "of the position after it"}}},
        {"LegalMove",
         {{"san", "string"},
          {"uci", "string"},
          {"fen", "string", "after it"},
          {"from", "string?", "null for a drop"},
          {"to", "string", "in Chess960, castling goes to the rook"},
          {"promotion", "string?"},
          {"drop", "string?", "the dropped piece"}}},
    };
}

Schemas tree_schemas() {
    const Members named_game = joined({{{"database?", "string"},
                                        {"game_id", "integer"},
                                        {"ref", "string"},
                                        {"winner", "'white'|'black'?"}},
                                       result(),
                                       {{"white", "RatedPlayer"},
                                        {"black", "RatedPlayer"},
                                        {"year", "integer?"},
                                        {"date", "string?"}}});
    return {
        {"Tree", joined({{{"fen", "string"}},
                         results(),
                         {{"occurrences", "integer"},
                          {"moves", "[TreeMove]"},
                          {"ended", "Results", "games that ended here"},
                          {"topGames", "[GameFromHere]"},
                          {"recentGames", "[GameFromHere]"},
                          {"opening", "Opening?"}}})},
        {"Results", results()},
        {"TreeMove", joined({{{"uci", "string", "castling as king takes rook"}, {"san", "string"}},
                             results(),
                             {{"averageRating", "integer?"},
                              {"performance", "integer?"},
                              {"last_year", "integer?"},
                              {"reached", "integer", "games that got to the position by any moves"},
                              {"opening", "Opening?"},
                              {"topGames", "[NamedGame]"},
                              {"played", "string", "UCI as in a position's legal moves"}}})},
        {"NamedGame", named_game},
        {"GameFromHere",
         joined({{{"uci", "string?", "what was played here; null: the game ended"}}, named_game})},
        {"RatedPlayer", {{"name", "string?"}, {"rating", "integer?"}}},
    };
}

Schemas game_schemas() {
    return {
        {"GameRow", joined({game_ref(), game_columns(), {{"plies", "integer"}}})},
        {"Hit", joined({game_ref(),
                        {{"ply", "integer"}, {"plies", "[integer]"}},
                        game_columns(),
                        {{"san", "string?", "the next move"},
                         {"uci", "string?"},
                         {"variation?", "boolean", "the hit is in a variation"},
                         {"line?", "string?", "the moves of the variation"}}})},
        {"Game", joined({game_ref(),
                         game_columns(),
                         {{"plies", "integer"},
                          {"variant", "string"},
                          {"tags", "{string}"},
                          {"fen", "string?", "of the start; null if the game cannot be replayed"},
                          {"moves", "[string]?", "SAN"},
                          {"comment", "string?", "before the first move"},
                          {"line", "[GameMove]?"},
                          {"errors?", "[ImportError]"}}})},
        {"GameMove",
         joined({{{"ply", "integer"}, {"san", "string"}, {"uci", "string"}},
                 position(),
                 {{"clock", "number?", "seconds"},
                  {"emt", "number?", "seconds that the move took"},
                  {"eval", "string?", "0.31, or #-3 for mate"},
                  {"comment", "string?"},
                  {"nags", "[integer|string]", "numbers; glyphs without a number as texts"},
                  {"variations", "[Variation]", "that replace this move"},
                  {"occurrence?", "integer", "of the position in the game"},
                  {"reached?", "integer", "games that reached the position"}}})},
        {"Variation",
         {{"ply", "integer", "of its first move"}, {"comment", "string?"}, {"line", "[GameMove]"}}},
        {"ImportError",
         {{"line", "integer"},
          {"ply", "integer?"},
          {"severity", "'error'|'warning'"},
          {"reason", "string"},
          {"text", "string"}}},
    };
}

Schemas repetition_schemas() {
    return {
        {"Repetition", joined({game_ref(),
                               {{"key", "string"},
                                {"fen", "string"},
                                {"count", "integer"},
                                {"plies", "[integer]"},
                                {"third_ply", "integer?"},
                                {"fifth_ply", "integer?"},
                                {"played_on", "integer?"}},
                               game_columns(),
                               {{"claimant", "'white'|'black'?"},
                                {"ended", "boolean?"},
                                {"checks", "'white'|'black'|'both'?"},
                                {"announcer?", "'white'|'black'?"},
                                {"announced_ply?", "integer?"},
                                {"announced_move?", "string?"},
                                {"announced_plies?", "[integer]?"}}})},
    };
}

Schemas player_schemas() {
    return {
        {"PlayerRow",
         {{"name", "string"},
          {"games", "integer"},
          {"white", "integer"},
          {"black", "integer"},
          {"first_year", "integer?"},
          {"last_year", "integer?"}}},
        {"Player",
         {{"names", "[NameGames]", "the player"},
          {"alike", "[NameGames]", "not counted, but perhaps the same player"},
          {"against", "string?"},
          {"white", "Score"},
          {"black", "Score"},
          {"years", "[YearScore]"},
          {"opponents", "[OpponentsScore]", "by rating"},
          {"ratings", "[MonthRating]"},
          {"openings", "[OpeningScore]"}}},
        {"NameGames", {{"name", "string"}, {"games", "integer"}}},
        {"Score", score()},
        {"YearScore", joined({{{"year", "integer?"}}, score()})},
        {"OpponentsScore", joined({{{"from", "integer?"}}, score()})},
        {"MonthRating",
         {{"month", "string", "2004-05"}, {"rating", "integer"}, {"games", "integer"}}},
        {"OpeningScore",
         joined(
             {{{"colour", "'white'|'black'"}, {"eco", "string?"}, {"name", "string?"}}, score()})},
    };
}

Schemas preparation_schemas() {
    const Members weighted =
        joined({score(), {{"last_year", "integer?"}, {"eco", "string?"}, {"opening", "string?"}}});
    return {
        {"Preparation", joined({{{"names", "[string]"}, {"color", "'white'|'black'"}},
                                score(),
                                {{"last_year", "integer?"},
                                 {"repertoire", "[PreparedMove]"},
                                 {"weak_spots", "[WeakSpot]"},
                                 {"recent", "[integer]", "games"},
                                 {"lost", "[integer]", "games"},
                                 {"recent_refs", "[string]"},
                                 {"lost_refs", "[string]"}}})},
        {"PreparedMove", joined({{{"depth", "integer"},
                                  {"san", "string"},
                                  {"own", "boolean"},
                                  {"share", "number", "in percent"}},
                                 weighted})},
        {"WeakSpot",
         joined({{{"line", "string"}, {"fen", "string"}}, weighted, {{"moves", "[OtherMove]"}}})},
        {"OtherMove", joined({{{"san", "string"}}, results(), {{"against", "PlayerResults"}}})},
        {"PlayerResults",
         {{"games", "integer"}, {"wins", "integer"}, {"draws", "integer"}, {"losses", "integer"}}},
    };
}

Schemas opening_schemas() {
    return {
        {"OpeningRow", joined({{{"eco", "string?"}, {"opening", "string?"}},
                               results(),
                               {{"score", "number?", "White's, in percent"},
                                {"average_rating", "integer?"},
                                {"first_year", "integer?"},
                                {"last_year", "integer?"}}})},
        {"NoveltyRow", joined({{{"game", "integer", "its number in the PGN"}},
                               players(),
                               {{"date", "string?"}},
                               result(),
                               {{"ply", "integer?"},
                                {"fen", "string?"},
                                {"key", "string?"},
                                {"games", "integer"},
                                {"last", "LastGame?"},
                                {"novelty", "NewMove?"},
                                {"played", "[MoveResults]"},
                                {"ended", "integer"},
                                {"last_ref", "string?", "of the latest game"},
                                {"errors", "[ImportError]"}}})},
        {"LastGame", joined({{{"database?", "string"}, {"game_id", "integer"}}, game_columns()})},
        {"NewMove", {{"ply", "integer"}, {"san", "string"}, {"uci", "string"}}},
        {"MoveResults", joined({{{"san", "string"}, {"uci", "string"}}, results()})},
    };
}

Schemas database_schemas() {
    return {
        {"Stats",
         {{"databases", "[DatabaseSummary]"},
          {"games", "integer"},
          {"plies", "integer"},
          {"version", "string", "changes with every commit"}}},
        {"DatabaseSummary",
         {{"name", "string"},
          {"id", "string"},
          {"games", "integer"},
          {"plies", "integer"},
          {"positions", "integer"},
          {"distinct_positions?", "integer", "not of a cluster"},
          {"players", "integer"},
          {"sources", "integer"},
          {"errors", "integer"},
          {"warnings", "integer"},
          {"segments?", "integer", "not of a cluster"},
          {"variation_segments?", "integer", "not of a cluster"},
          {"postings?", "integer", "not of a cluster"},
          {"unindexed_games?", "integer", "not of a cluster"},
          {"annotated_games?", "integer", "not of a cluster"},
          {"annotation_bytes?", "integer", "not of a cluster"},
          {"bytes?", "integer", "not of a cluster"},
          {"free_bytes?", "integer", "not of a cluster"},
          {"bytes_per_ply?", "number", "not of a cluster"},
          {"write_amplification?", "number", "not of a cluster"},
          {"fingerprint", "string"},
          {"ply_rows?", "string", "not of a cluster"},
          {"variants", "{integer}"}}},
    };
}

void add_type(std::string_view type, json::Object& object);

/// Adds the choices 'a'|'b' as an enum.
void add_choices(std::string_view type, bool nullable, json::Object& object) {
    std::string choices = "[";
    while (!type.empty()) {
        const std::string_view choice = type.substr(0, type.find('|'));
        if (choices.size() > 1) choices += ',';
        json::append_text(choice.substr(1, choice.size() - 2), choices);
        type.remove_prefix(std::min(choice.size() + 1, type.size()));
    }
    object.add("enum", json::Raw{choices + (nullable ? ",null]" : "]")});
}

void add_type(std::string_view type, json::Object& object) {
    const bool nullable = type.ends_with('?');
    if (nullable) type.remove_suffix(1);
    const auto add_kind = [&](std::string_view kind) {
        std::vector<std::string_view> kinds{kind};
        for (std::size_t bar; (bar = kinds.back().find('|')) != std::string_view::npos;) {
            kinds.push_back(kinds.back().substr(bar + 1));
            kinds[kinds.size() - 2].remove_suffix(kinds.back().size() + 1);
        }
        if (nullable) kinds.push_back("null");
        if (kinds.size() == 1) return object.add("type", kind);
        object.add("type", kinds);
    };
    const std::string_view inner = type.substr(1, type.size() - 2);
    if (type == "any") return;
    if (type.front() == '\'') return add_choices(type, nullable, object);
    if (type.front() == '[') {
        add_kind("array");
        object.add_object("items", [&](json::Object& items) { add_type(inner, items); });
    } else if (type.front() == '{') {
        add_kind("object");
        object.add_object("additionalProperties",
                          [&](json::Object& each) { add_type(inner, each); });
    } else if (type.front() >= 'a') {
        add_kind(type);
    } else if (!nullable) {
        object.add("$ref", "#/components/schemas/" + std::string(type));
    } else {
        const std::vector<std::string> either{std::string(type), "null"};
        object.add_objects("anyOf", either, [](json::Object& each, const std::string& kind) {
            add_type(kind, each);
        });
    }
}

}  // namespace

std::span<const Schema> schemas() {
    static const Schemas all = joined(
        {basic_schemas(), position_schemas(), tree_schemas(), game_schemas(), repetition_schemas(),
         player_schemas(), preparation_schemas(), opening_schemas(), database_schemas()});
    return all;
}

void append_type(std::string_view type, std::string_view help, std::string& out) {
    json::append_object(out, [&](json::Object& object) {
        add_type(type, object);
        if (!help.empty()) object.add("description", help);
    });
}

void append_schema(std::span<const SchemaMember> members, std::string& out) {
    const auto name_of = [](const SchemaMember& member) {
        std::string_view name = member.name;
        if (name.ends_with('?')) name.remove_suffix(1);
        return name;
    };
    std::vector<std::string_view> required;
    for (const SchemaMember& each : members) {
        if (!each.name.ends_with('?')) required.push_back(each.name);
    }
    json::append_object(out, [&](json::Object& object) {
        object.add("type", "object");
        object.add_object("properties", [&](json::Object& properties) {
            for (const SchemaMember& each : members) {
                std::string type;
                append_type(each.type, each.help, type);
                properties.add(name_of(each), json::Raw{type});
            }
        });
        object.add("required", required);
        object.add("additionalProperties", false);
    });
}

}  // namespace fendex::serve::api
