// The errors of an import, as members of documents.
#pragma once

#include "ask/question.hpp"
#include "store/records.hpp"

namespace fendex::ask {

/// Adds the members of an import's error: line, ply, severity, reason and text.
void add_import_error(const store::ImportError& error, json::Object& object);

}  // namespace fendex::ask
