// Lists: pages of rows with a cursor, or all rows as a stream of JSON lines. Rows are read while
// the answer is sent.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>

#include "ask/question.hpp"
#include "serve/routes.hpp"

namespace fendex::serve::api {

/// Describes limit and cursor.
ask::Fields page_fields();

/// Opens the rows that begin at a place.
using OpenRows =
    std::function<std::unique_ptr<ask::Rows>(const ask::Page&, const std::stop_token&)>;

/// Returns the task of a list. A page has the cost `page_cost`, a stream is a scan.
Task list_task(const Call& call, Cost page_cost, OpenRows open);

/// Returns an answer that is sent in pieces. append() appends the next one, and returns false after
/// the last.
Answer streamed(std::string_view type, std::function<bool(std::string&)> append);

/// Returns a task that answers with a line for each document.
Task lines_task(std::function<ask::NextDocuments(const std::stop_token&)> open);

/// Returns a task that answers with one JSON object.
Task object_task(Cost cost, std::function<void(json::Object&, const std::stop_token&)> fill);

}  // namespace fendex::serve::api
