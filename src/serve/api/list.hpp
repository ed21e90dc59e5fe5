// Lists: pages of rows with a cursor, or all rows as a stream of JSON lines. Rows are made one by
// one, while the answer is sent.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/json.hpp"
#include "serve/api/requests.hpp"
#include "serve/routes.hpp"

namespace fendex::serve::api {

/// The rows of an answer, in order. For one thread at a time.
class Rows {
  public:
    virtual ~Rows() = default;

    /// Appends the next row as a JSON object. Returns false if there is none.
    virtual bool next(std::string& out) = 0;
    /// Where the rows after the last returned one begin: two numbers for the cursor.
    struct Place {
        std::uint64_t group = 0;
        std::uint64_t after = 0;
    };
    virtual Place place() const = 0;
    /// Returns the number of all rows, if that is known.
    virtual std::optional<std::uint64_t> total() { return std::nullopt; }
};

/// The page of a list that a request names.
struct PageRequest {
    std::size_t limit = 0;  // kAllRows: no limit
    Rows::Place from;
};
inline constexpr std::size_t kAllRows = SIZE_MAX;

/// Describes limit and cursor.
Parameters page_parameters();

/// Opens the rows that begin at a place.
using OpenRows = std::function<std::unique_ptr<Rows>(const PageRequest&, std::stop_token)>;

/// Returns the task of a list. A page has the cost `page`, a stream is a scan.
Task list_task(const Call& call, Cost page, OpenRows open);

/// Returns a task that answers with one JSON object.
Task object_task(Cost cost, std::function<void(json::Object&, const std::stop_token&)> fill);

}  // namespace fendex::serve::api
