// The shapes of the API's answers, for its description. Constant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fendex::serve::api {

/// A member of an object. If it may be absent, its name ends with "?".
struct SchemaMember {
    std::string name;
    /// One of integer, number, boolean, string and any, or several as in integer|string; or the
    /// name of a schema; or [T], an array; or {T}, an object with members of any names; or
    /// 'a'|'b', one of these texts. T? can be null.
    std::string type;
    std::string help = {};
};

struct Schema {
    std::string name;
    std::vector<SchemaMember> members;
};

std::span<const Schema> schemas();

/// Appends a type of SchemaMember as JSON Schema.
void append_type(std::string_view type, std::string_view help, std::string& out);
/// Appends the JSON Schema of an object with these members and no others.
void append_schema(std::span<const SchemaMember> members, std::string& out);

}  // namespace fendex::serve::api
