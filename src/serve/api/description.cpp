#include "serve/api/description.hpp"

#include <algorithm>
#include <utility>

#include "ask/fields.hpp"
#include "base/json.hpp"
#include "serve/api/schemas.hpp"
#include "store/capability.hpp"

namespace fendex::serve::api {

namespace {

constexpr const char* kVersion = "1.0.0";

/// Adds the JSON Schema of a parameter's values.
void add_values(const ask::FieldText& spec, json::Object& schema) {
    if (spec.repeatable) {
        schema.add("type", "array");
        schema.add_object("items", [&](json::Object& items) {
            ask::FieldText once = spec;
            once.repeatable = false;
            add_values(once, items);
        });
        return;
    }
    schema.add("type", spec.type == ask::FieldType::kNumber ? "integer"
                       : spec.type == ask::FieldType::kFlag ? "boolean"
                                                            : "string");
    if (!spec.choices.empty()) schema.add("enum", spec.choices);
    if (spec.type == ask::FieldType::kNumber) {
        schema.add("minimum", spec.low);
        schema.add("maximum", spec.high);
    }
}

void add_parameter(const ask::FieldText& spec, const char* where, json::Object& object) {
    object.add("name", spec.name);
    object.add("in", where);
    if (spec.required || where == std::string_view("path")) object.add("required", true);
    object.add("description", spec.help);
    object.add_object("schema", [&](json::Object& schema) { add_values(spec, schema); });
}

/// Returns whether the parameter is a field of the filter, which components describe once.
bool is_filter(const ask::FieldText& spec) {
    static const ask::Fields filters = ask::fields_of_filter();
    return std::any_of(filters.begin(), filters.end(), [&](const ask::FieldText& filter) {
        return filter.name == spec.name && filter.help == spec.help;
    });
}

void add_parameters(const Route& route, json::Object& operation) {
    struct Placed {
        const ask::FieldText* spec;
        const char* where;
    };
    std::vector<Placed> all;
    for (const ask::FieldText& each : route.named) all.push_back({&each, "path"});
    for (const ask::FieldText& each : route.parameters) all.push_back({&each, "query"});
    operation.add_objects("parameters", all, [](json::Object& object, const Placed& each) {
        if (is_filter(*each.spec)) {
            return object.add("$ref", "#/components/parameters/" + each.spec->name);
        }
        add_parameter(*each.spec, each.where, object);
    });
}

/// Returns the JSON Schema of a route's answer.
std::string answer_schema(const Route& route) {
    std::string out;
    if (!route.is_list) {
        append_type(route.answer, {}, out);
        return out;
    }
    const std::vector<SchemaMember> page{{"items", '[' + route.answer + ']'},
                                         {"next", "string?", "the cursor of the next page"},
                                         {"total", "integer?", "rows of all pages, if known"}};
    if (route.count.empty()) {
        append_schema(page, out);
        return out;
    }
    out += "{\"oneOf\":[";
    append_schema(page, out);
    out += ',';
    append_type(route.count, "with count=true", out);
    return out + "]}";
}

/// Adds the types of a route's answer and their schemas.
void add_content(const Route& route, json::Object& content) {
    const auto add = [&](std::string_view type, std::string schema) {
        content.add_object(
            type, [&](json::Object& media) { media.add("schema", json::Raw{std::move(schema)}); });
    };
    std::string text;
    append_type("string", {}, text);
    if (route.answer == "PGN") return add("application/x-chess-pgn", text);
    if (!route.is_lines) add(kJson, answer_schema(route));
    if (!route.is_list && !route.is_lines) return;
    std::string row;
    append_type(route.answer, "one line for each", row);
    add(kJsonLines, row);
}

void add_answers(const Route& route, json::Object& responses) {
    responses.add_object("200", [&](json::Object& response) {
        response.add("description", route.summary);
        response.add_object("content", [&](json::Object& content) { add_content(route, content); });
    });
    responses.add_object("default", [](json::Object& response) {
        response.add("description", "an error");
        response.add_object("content", [](json::Object& content) {
            content.add_object(kJson, [](json::Object& media) {
                std::string schema;
                append_type("Error", {}, schema);
                media.add("schema", json::Raw{schema});
            });
        });
    });
}

void add_operation(const Route& route, json::Object& path) {
    path.add_object(route.method == Method::kPost ? "post" : "get", [&](json::Object& operation) {
        operation.add("summary", route.summary);
        add_parameters(route, operation);
        if (!route.body.empty()) {
            operation.add_object("requestBody", [&](json::Object& body) {
                body.add("required", true);
                body.add_object("content", [&](json::Object& content) {
                    content.add_object("application/x-chess-pgn", [](json::Object& media) {
                        media.add_object(
                            "schema", [](json::Object& schema) { schema.add("type", "string"); });
                    });
                });
            });
        }
        operation.add_object("responses",
                             [&](json::Object& responses) { add_answers(route, responses); });
    });
}

}  // namespace

std::string description_of(std::span<const Route> routes) {
    std::string out;
    json::append_line(out, [&](json::Object& object) {
        object.add("openapi", "3.1.0");
        object.add_object("info", [](json::Object& info) {
            info.add("title", "fendex");
            info.add("version", kVersion);
            info.add("description",
                     "Games and positions of chess databases. Lists are pages with limit and "
                     "cursor, or, with Accept: application/x-ndjson and without limit, all rows as "
                     "lines. A cluster does not answer " +
                         store::capability_names() + ": status 501.");
        });
        object.add_object("paths", [&](json::Object& paths) {
            for (const Route& route : routes) {
                paths.add_object(route.path,
                                 [&](json::Object& path) { add_operation(route, path); });
            }
        });
        object.add_object("components", [](json::Object& components) {
            components.add_object("parameters", [](json::Object& all) {
                for (const ask::FieldText& each : ask::fields_of_filter()) {
                    all.add_object(each.name, [&](json::Object& parameter) {
                        add_parameter(each, "query", parameter);
                    });
                }
            });
            components.add_object("schemas", [](json::Object& all) {
                for (const Schema& each : schemas()) {
                    std::string schema;
                    append_schema(each.members, schema);
                    all.add(each.name, json::Raw{schema});
                }
            });
        });
    });
    return out;
}

Route description_route(std::span<const Route> routes) {
    Route route;
    route.path = "/api/openapi.json";
    route.summary = "This description of the API, OpenAPI 3.1.";
    route.answer = "{any}";
    std::vector<Route> all(routes.begin(), routes.end());
    all.push_back(route);
    route.plan = [text = description_of(all)](const Call&) {
        Task task;
        task.run = [text](const std::stop_token&) {
            Answer answer;
            answer.body = text;
            return answer;
        };
        return task;
    };
    return route;
}

}  // namespace fendex::serve::api
