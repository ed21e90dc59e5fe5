#include "fendex/given_json.hpp"

#include <algorithm>
#include <string>

#include "base/joined.hpp"
#include "fendex/fendex.hpp"

namespace fendex {

namespace {

using Json = nlohmann::json;

[[noreturn]] void fail(const std::string& name, const std::string& reason) {
    throw Error(ErrorKind::kQuestion, "\"" + name + "\" " + reason);
}

std::string member_of(const ask::FieldText& field) {
    std::string name = field.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

std::string text_of(const std::string& name, const Json& value) {
    if (!value.is_string()) fail(name, "takes a string");
    return value.get<std::string>();
}

std::string number_text(const ask::FieldText& field, const std::string& name, const Json& value) {
    if (!value.is_number_unsigned()) fail(name, "takes a whole number, 0 or more");
    const auto number = value.get<std::uint64_t>();
    if (number < field.low) fail(name, "takes " + std::to_string(field.low) + " or more");
    if (number > field.high) fail(name, "is too large");
    return std::to_string(number);
}

std::string choice_text(const ask::FieldText& field, const std::string& name, const Json& value) {
    std::string text = text_of(name, value);
    if (text.empty() ||
        std::find(field.choices.begin(), field.choices.end(), text) != field.choices.end()) {
        return text;
    }
    fail(name, "is one of \"" + base::joined("\", \"", field.choices) + "\", not \"" + text + '"');
}

void add_value(const ask::FieldText& field, const std::string& name, const Json& value,
               ask::Given& given) {
    switch (field.type) {
        case ask::FieldType::kFlag:
            if (!value.is_boolean()) fail(name, "takes true or false");
            if (value.get<bool>()) given.add(field.name, "true");
            return;
        case ask::FieldType::kNumber: return given.add(field.name, number_text(field, name, value));
        case ask::FieldType::kText: break;
    }
    std::string text =
        field.choices.empty() ? text_of(name, value) : choice_text(field, name, value);
    // An empty text is as good as no member.
    if (!text.empty()) given.add(field.name, std::move(text));
}

/// Returns whether the member is a list. A second player is the member `opponent`.
bool takes_list(const ask::FieldText& field) {
    return field.repeatable && field.name != "player" && field.name != "tag";
}

/// A value without an array is the only one.
void add_values(const ask::FieldText& field, const std::string& name, const Json& values,
                ask::Given& given) {
    if (!values.is_array()) return add_value(field, name, values, given);
    for (const Json& value : values) add_value(field, name, value, given);
}

void add_tags(const Json& tags, ask::Given& given) {
    if (!tags.is_object()) fail("tags", "takes an object of names and values");
    for (const auto& [name, value] : tags.items()) {
        if (!value.is_string()) fail("tags", "takes strings: \"" + name + "\" has another value");
        given.add("tag", name + '=' + value.get<std::string>());
    }
}

}  // namespace

ask::Given given_of(const Json& question, const ask::Fields& fields) {
    ask::Given given;
    std::vector<std::string> known{"ask"};
    const auto value_of = [&](const std::string& name) -> const Json* {
        known.push_back(name);
        const auto found = question.find(name);
        return found == question.end() || found->is_null() ? nullptr : &*found;
    };
    for (const ask::FieldText& field : fields) {
        if (field.name == "tag") {
            if (const Json* const tags = value_of("tags")) add_tags(*tags, given);
            continue;
        }
        const std::string name = member_of(field);
        if (const Json* const value = value_of(name); value != nullptr && takes_list(field)) {
            add_values(field, name, *value, given);
        } else if (value != nullptr) {
            add_value(field, name, *value, given);
        } else if (field.required) {
            fail(name, "is missing: " + field.help);
        }
        if (field.name != "player") continue;
        if (const Json* const opponent = value_of("opponent")) {
            add_value(field, "opponent", *opponent, given);
        }
    }
    for (const auto& [name, value] : question.items()) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        fail(name,
             "is not a member of this question; its members are " + base::joined(", ", known));
    }
    return given;
}

Json members_of(const std::string& text) {
    Json members;
    try {
        members = Json::parse(text);
    } catch (const Json::parse_error& error) {
        throw Error(ErrorKind::kQuestion,
                    "the question is not JSON, at byte " + std::to_string(error.byte));
    }
    if (!members.is_object()) {
        throw Error(ErrorKind::kQuestion,
                    R"(a question is an object, as in {"ask":"find","moves":"1.e4"})");
    }
    return members;
}

void add_description(const ask::FieldText& field, json::Object& object) {
    object.add("name", field.name == "tag" ? std::string("tags") : member_of(field));
    object.add("type", field.name == "tag"                     ? "object"
                       : takes_list(field)                     ? "array"
                       : field.type == ask::FieldType::kFlag   ? "boolean"
                       : field.type == ask::FieldType::kNumber ? "integer"
                                                               : "string");
    object.add("help", field.help);
    if (!field.choices.empty()) object.add("choices", field.choices);
    object.add("required", field.required);
}

}  // namespace fendex
