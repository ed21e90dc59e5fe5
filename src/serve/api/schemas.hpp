// The shapes of the API's answers, for its description. Constant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fendex::serve::api {

/// A member of an object. The name of one that may be absent ends with "?".
struct SchemaMember {
    std::string name;
    /// integer, number, boolean, string, any; the name of a schema; [T]: an array; {T}: an object
    /// with members of any names; 'a'|'b': one of these texts. T?: or null.
    std::string type;
    std::string help = {};
};

struct Schema {
    std::string name;
    std::vector<SchemaMember> members;
};

std::span<const Schema> schemas();

/// Writes a type of SchemaMember as JSON Schema.
void append_type(std::string_view type, std::string_view help, std::string& out);
/// Writes the JSON Schema of an object, which has no other members.
void append_schema(std::span<const SchemaMember> members, std::string& out);

}  // namespace fendex::serve::api
