// Reads the members of a question of the C interface. Errors are Error(kQuestion) and name the
// member.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "ask/fields.hpp"
#include "ask/given.hpp"
#include "base/json.hpp"

namespace fendex {

/// Returns the values of the question's members as texts, named as the fields are. A member has the
/// name of its field with _ for -. It must be of the field's type; other members are errors, as are
/// missing required ones. "opponent" stands for a second player, "tags" for several tags.
[[nodiscard]] ask::Given given_of(const nlohmann::json& question, const ask::Fields& fields);

/// Reads a text as an object. Throws Error(kQuestion).
[[nodiscard]] nlohmann::json members_of(const std::string& text);

/// Adds what describes the member of a field: name, type, help, choices, whether it is required.
void add_description(const ask::FieldText& field, json::Object& object);

}  // namespace fendex
