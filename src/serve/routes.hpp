// The routes of the server, as a table. Requests are answered by it, and the description of the API
// and error messages are made from it.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ask/field.hpp"
#include "ask/given.hpp"
#include "serve/http/service.hpp"

namespace fendex::serve {

/// How a family of routes treats its clients.
enum class Strictness {
    kStrict,   // parameters must fit their description; errors are JSON
    kLenient,  // ignores unknown parameters; errors are plain text, like the explorer's
};

/// A request that fits a route.
struct Call {
    std::shared_ptr<const Request> request;
    std::vector<std::string> named;  // the parts of the path for the names in braces
    ask::Given given;                // the parameters

    [[nodiscard]] const std::string* find(std::string_view name) const { return given.find(name); }
};

struct Route {
    Method method = Method::kGet;
    std::string path;     // "/api/v1/games/{game}"
    std::string summary;  // a sentence
    Strictness strictness = Strictness::kStrict;
    std::vector<ask::FieldText> parameters = {};
    std::vector<ask::FieldText> named = {};  // the parts of the path in braces
    // For the API's description:
    std::string answer = {};  // a type of its schemas, or "PGN"; for rows, that of a row
    bool is_list = false;     // answers pages, or all rows as lines
    std::string count = {};   // the answer of a list with count=true; empty: it takes no count
    bool is_lines = false;    // answers rows as lines only
    std::string body = {};    // type of the posted body: "PGN"
    /// Checks the parameters and returns the task. The table sets Task::route.
    std::function<Task(const Call&)> plan;
};

class Router : public Service {
  public:
    explicit Router(std::vector<Route> routes) : routes_(std::move(routes)) {}

    [[nodiscard]] const std::vector<Route>& routes() const { return routes_; }

    [[nodiscard]] Task plan(std::shared_ptr<const Request> request) override;
    [[nodiscard]] Answer refused(std::string_view path, const Refusal& why) const override;
    [[nodiscard]] Answer failed(std::string_view path, std::exception_ptr why) const override;

  private:
    std::vector<Route> routes_;
};

}  // namespace fendex::serve
