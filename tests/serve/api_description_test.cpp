#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "serve/api_client.hpp"
#include "serve/api_samples.hpp"

using fendex::serve::Answer;
using fendex::test::ApiClient;
using fendex::test::Samples;
using nlohmann::json;

namespace {

/// Checks values against the JSON Schemas of a description, as far as descriptions use JSON Schema.
class Validator {
  public:
    explicit Validator(const json& description) : description_(description) {}

    /// Returns what is wrong; empty if nothing is.
    std::string problem(const json& schema, const json& value, const std::string& path = "") const {
        for (const auto& [keyword, argument] : schema.items()) {
            std::string found = problem(keyword, argument, schema, value, path);
            if (!found.empty()) return found;
        }
        return {};
    }

  private:
    static bool is_of(const json& value, const std::string& type) {
        return type == "null"      ? value.is_null()
               : type == "integer" ? value.is_number_integer()
               : type == "number"  ? value.is_number()
               : type == "string"  ? value.is_string()
               : type == "boolean" ? value.is_boolean()
               : type == "array"   ? value.is_array()
                                   : type == "object" && value.is_object();
    }

    std::string problem(const std::string& keyword, const json& argument, const json& schema,
                        const json& value, const std::string& path) const {
        const std::string at = path + ": ";
        if (keyword == "$ref") {
            const std::string name = argument.get<std::string>().substr(1);
            return problem(description_.at(json::json_pointer(name)), value, path);
        }
        if (keyword == "type") {
            const std::vector<std::string> types =
                argument.is_array() ? argument.get<std::vector<std::string>>()
                                    : std::vector<std::string>{argument.get<std::string>()};
            for (const std::string& each : types) {
                if (is_of(value, each)) return {};
            }
            return at + value.dump() + " is not " + argument.dump();
        }
        if (keyword == "enum") {
            const bool one = std::find(argument.begin(), argument.end(), value) != argument.end();
            return one ? std::string() : at + value.dump() + " is not in " + argument.dump();
        }
        if (keyword == "anyOf" || keyword == "oneOf") {
            std::string all = at;
            unsigned fitting = 0;
            for (const json& each : argument) {
                const std::string found = problem(each, value, path);
                fitting += found.empty() ? 1U : 0U;
                all += found + "; ";
            }
            return fitting == 1 ? std::string() : all;
        }
        if (keyword == "items" && value.is_array()) {
            for (std::size_t i = 0; i < value.size(); ++i) {
                std::string found = problem(argument, value[i], path + '/' + std::to_string(i));
                if (!found.empty()) return found;
            }
            return {};
        }
        if (keyword == "required" && value.is_object()) {
            for (const json& each : argument) {
                if (!value.contains(each.get<std::string>()))
                    return at + each.dump() + " is absent";
            }
            return {};
        }
        if (keyword == "properties" && value.is_object()) {
            for (const auto& [name, inner] : argument.items()) {
                if (!value.contains(name)) continue;
                std::string found = problem(inner, value[name], path + '/' + name);
                if (!found.empty()) return found;
            }
            return {};
        }
        if (keyword == "additionalProperties" && value.is_object()) {
            for (const auto& [name, inner] : value.items()) {
                if (schema.contains("properties") && schema["properties"].contains(name)) continue;
                if (argument == false) return at + "'" + name + "' is not described";
                std::string found = problem(argument, inner, path + '/' + name);
                if (!found.empty()) return found;
            }
            return {};
        }
        const std::set<std::string> known{"description", "items",   "required",
                                          "properties",  "minimum", "additionalProperties",
                                          "maximum"};
        return known.count(keyword) != 0 ? std::string() : at + "unknown keyword " + keyword;
    }

    const json& description_;
};

/// Addresses that are asked for each path of the description.
std::map<std::string, std::vector<std::string>> samples() {
    return {{"/api/v1/position",
             {"", "?moves=1.e4 e5", "?variant=crazyhouse&moves=e4 d5 exd5 Qxd5&dialect=legal",
              "?variant=3check", "?variant=chess960", "?fen=8/8/8/8/8/5k2/5q2/5K2 w - - 0 1"}},
            {"/api/v1/tree",
             {"", "?moves=1.e4&match=board", "?player=botvinnik mikhail",
              "?fen=8/8/8/8/8/5k2/8/5K2 w - - 0 1", "?result=1-0"}},
            {"/api/v1/find",
             {"", "?moves=1.e4 e5&variations=true", "?material=R%3D1", "?sort=elo", "?count=true"}},
            {"/api/v1/games", {"", "?sort=date", "?count=true", "?min-elo=2500"}},
            {"/api/v1/games/{ref}", {"/1", "/2:3?reached=true", "/5?errors=true", "/8", "/3:2"}},
            {"/api/v1/games/{ref}.pgn", {"/1.pgn"}},
            {"/api/v1/repeats", {"", "?claims=true&min=2", "?missed=true"}},
            {"/api/v1/players", {"", "?prefix=m"}},
            {"/api/v1/names", {""}},
            {"/api/v1/joined_names", {""}},
            {"/api/v1/alike", {"", "?player=botvinnik mikhail"}},
            {"/api/v1/players/{name}", {"/m?together=true"}},
            {"/api/v1/players/{name}/prepare",
             {"/m/prepare?together=true&color=white&database=1",
              "/m/prepare?together=true&color=black&database=2"}},
            {"/api/v1/head-to-head", {"?a=a&b=b&together=true"}},
            {"/api/v1/openings", {"", "?sort=eco"}},
            {"/api/v1/events", {"", "?sort=name"}},
            {"/api/v1/evals", {"", "?moves=1.e4&dialect=legal"}},
            {"/api/v1/export.pgn", {"", "?limit=1"}},
            {"/api/v1/tree.pgn", {"", "?moves=1.e4&depth=3&min-games=1"}},
            {"/api/v1/novelty", {"", "?dialect=xfen"}},
            {"/api/v1/repertoire", {"?color=white", "?color=black&player=a"}},
            {"/api/v1/repertoire_gaps", {"?color=white", "?color=black&min-games=2"}},
            {"/api/v1/repertoire_coverage", {"?color=white", "?color=black"}},
            {"/api/v1/repertoire_contradictions", {"?color=white", "?color=black"}},
            {"/api/v1/stats", {""}},
            {"/api/openapi.json", {""}}};
}

/// A value that a parameter takes.
std::string value_for(const json& parameter) {
    static const std::map<std::string, std::string> texts{{"fen", "startpos"},
                                                          {"play", "e2e4"},
                                                          {"moves", "1.e4"},
                                                          {"variant", "standard"},
                                                          {"cursor", "0.0"},
                                                          {"since", "1850"},
                                                          {"until", "2020"},
                                                          {"eco", "A00-E99"},
                                                          {"opening-eco", "A00-E99"},
                                                          {"source", "1"},
                                                          {"tag", "White=A"},
                                                          {"white-elo", "1-3000"},
                                                          {"black-elo", "1-3000"},
                                                          {"key", "463b96181691fc9c"},
                                                          {"pattern", "8/8/8/8/8/8/8/*"},
                                                          {"material", "Q=1"},
                                                          // It goes with a position.
                                                          {"eval", "-50..50&moves=1.e4"}};
    json schema = parameter["schema"];
    if (schema["type"] == "array") schema = json(schema["items"]);
    if (schema.contains("enum")) return schema["enum"][0];
    if (schema["type"] == "integer") return std::to_string(schema["minimum"].get<int>());
    if (schema["type"] == "boolean") return "false";
    const auto known = texts.find(parameter["name"].get<std::string>());
    return known == texts.end() ? "a" : known->second;
}

/// Parameters of an operation; those that several operations have are described in components.
std::vector<json> parameters_of(const json& description, const json& operation) {
    std::vector<json> parameters;
    for (const json& each : operation["parameters"]) {
        const bool shared = each.contains("$ref");
        parameters.push_back(
            shared ? description.at(json::json_pointer(each["$ref"].get<std::string>().substr(1)))
                   : each);
    }
    return parameters;
}

std::string base_of(const std::string& path) {
    const std::size_t brace = path.find("/{");
    return path.substr(0, brace);
}

/// The text that is posted to a path. Lines of a repertoire must be without errors.
const char* body_of(const std::string& path) {
    return path.find("repertoire") == std::string::npos
               ? "[White \"A\"]\n\n1. e4 e5 2. Ke2 *\n\n[White \"B\"]\n\n1. e4 x *\n"
               : "1. e4 (1. d4) 1... e5 2. Nf3 (2. Bc4) *\n";
}

}  // namespace

TEST_CASE("Every answer of the API conforms to its description") {
    ApiClient client(
        {Samples::get().classics(), Samples::get().online(), Samples::get().repetitions()});
    const json description = client.json("/api/openapi.json");
    const Validator validator(description);
    const auto all = samples();
    for (const auto& [path, operations] : description["paths"].items()) {
        INFO(path);
        REQUIRE(all.count(path) == 1);
        const bool post = operations.contains("post");
        const json& operation = operations[post ? "post" : "get"];
        for (const std::string& target : all.at(path)) {
            for (const char* const accept : {"", "application/x-ndjson"}) {
                INFO(target);
                const Answer answer =
                    client.ask(base_of(path) + target, accept, post ? body_of(path) : "");
                INFO(answer.body.substr(0, 300));
                REQUIRE(answer.status == 200);
                const std::string type = answer.type.substr(0, answer.type.find(';'));
                const json& content = operation["responses"]["200"]["content"];
                REQUIRE(content.contains(type));
                const json& schema = content[type]["schema"];
                if (type == "application/x-chess-pgn") {
                    CHECK(schema["type"] == "string");
                } else if (type == fendex::serve::kJsonLines) {
                    for (const std::string& line : fendex::test::lines_of(answer.body)) {
                        CHECK(validator.problem(schema, json::parse(line)).empty());
                    }
                } else {
                    CHECK(validator.problem(schema, json::parse(answer.body)) == "");
                }
            }
        }
        const Answer wrong = client.ask(
            base_of(path) + all.at(path)[0] +
                (all.at(path)[0].find('?') == std::string::npos ? "?" : "&") + "nonsense=1",
            {}, post ? body_of(path) : "");
        CHECK(wrong.status == 400);
        CHECK(validator.problem({{"$ref", "#/components/schemas/Error"}},
                                json::parse(wrong.body)) == "");
    }
}

TEST_CASE("Every described parameter is accepted, and no other") {
    ApiClient client({Samples::get().classics()});
    const json description = client.json("/api/openapi.json");
    const auto all = samples();
    for (const auto& [path, operations] : description["paths"].items()) {
        const bool post = operations.contains("post");
        const json& operation = operations[post ? "post" : "get"];
        std::string required;
        for (const json& each : parameters_of(description, operation)) {
            if (each["in"] == "query" && each.contains("required")) {
                required += '&' + each["name"].get<std::string>() + '=' + value_for(each);
            }
        }
        std::string target = all.at(path)[0];
        target = base_of(path) + target.substr(0, target.find('?')) + "?";
        for (const json& each : parameters_of(description, operation)) {
            if (each["in"] == "path" || each.contains("required")) continue;
            const std::string name = each["name"];
            const Answer answer = client.ask(target + name + '=' + value_for(each) + required, {},
                                             post ? body_of(path) : "");
            INFO(target << name << '=' << value_for(each) << required << ": " << answer.body);
            // Some go only with another one.
            const bool is_alone = answer.body.find(" goes with ") != std::string::npos;
            CHECK((answer.status == 200 || answer.status == 404 || answer.status == 409 ||
                   (answer.status == 400 && is_alone)));
        }
    }
}
