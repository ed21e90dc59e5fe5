// The shapes of the API's answers, for its description. Constant.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ask/schema.hpp"

namespace fendex::serve::api {

using ask::Schema;
using ask::SchemaMember;

std::span<const Schema> schemas();

/// Appends a type of SchemaMember as JSON Schema.
void append_type(std::string_view type, std::string_view help, std::string& out);
/// Appends the JSON Schema of an object with these members and no others.
void append_schema(std::span<const SchemaMember> members, std::string& out);

}  // namespace fendex::serve::api
