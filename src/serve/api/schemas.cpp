#include "serve/api/schemas.hpp"

#include "ask/questions.hpp"
#include "base/cut.hpp"
#include "base/json.hpp"

namespace fendex::serve::api {

namespace {

using namespace ask;

Schemas basic_schemas() {
    return {
        {"Error", {{"error", "ErrorDetails"}}},
        {"ErrorDetails",
         {{"code", "string", "for programs"},
          {"message", "string", "for people"},
          {"field", "string?", "the parameter that is wrong"},
          {"detail", "string?", "the part of it that is wrong: side, castling ... of a FEN"},
          {"text", "string?", "the word of it that is wrong"}}},
    };
}

Schemas position_schemas() {
    return {
        {"Position", all_members({position_members(),
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

Schemas game_schemas() {
    return {
        {"Game",
         all_members({game_ref_members(),
                      game_column_members(),
                      {{"plies", "integer"},
                       {"variant", "string"},
                       {"tags", "{string}"},
                       {"fen", "string?", "of the start; null if the game cannot be replayed"},
                       {"moves", "[string]?", "SAN"},
                       {"record_evals", "[Verdict?]?",
                        "of the positions after the moves, from records; null if none is known"},
                       {"comment", "string?", "before the first move"},
                       {"line", "[GameMove]?"},
                       {"errors?", "[ImportError]"}}})},
        {"GameMove",
         all_members({{{"ply", "integer"}, {"san", "string"}, {"uci", "string"}},
                      position_members(),
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
          {"joined_names", "integer"},
          {"sources", "integer"},
          {"errors", "integer"},
          {"warnings", "integer"},
          {"segments?", "integer", "not of a cluster"},
          {"variation_segments?", "integer", "not of a cluster"},
          {"postings?", "integer", "not of a cluster"},
          {"unindexed_games?", "integer", "not of a cluster"},
          {"annotated_games?", "integer", "not of a cluster"},
          {"annotation_bytes?", "integer", "not of a cluster"},
          {"records", "integer", "positions with evaluations"},
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
        const std::string_view choice = base::cut(type, '|');
        if (choices.size() > 1) choices += ',';
        json::append_text(choice.substr(1, choice.size() - 2), choices);
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
    static const Schemas all = [] {
        Schemas joined;
        const auto add = [&](const Schemas& some) {
            joined.insert(joined.end(), some.begin(), some.end());
        };
        for (const Schemas& own :
             {basic_schemas(), position_schemas(), game_schemas(), database_schemas()}) {
            add(own);
        }
        for (const QuestionKind& kind : questions()) add(kind.schemas);
        return joined;
    }();
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
