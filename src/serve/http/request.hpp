// A request as the services see it: parsed, percent-decoded and complete. Values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fendex::serve {

enum class Method { kGet, kPost };

struct Parameter {
    std::string name;
    std::string value;
};

struct Request {
    /// kGet for HEAD, too: the server then leaves out the answer's body.
    Method method = Method::kGet;
    /// The parts between slashes, percent-decoded: {"api", "v1", "tree"}. "/" has none.
    std::vector<std::string> path;
    /// After "?", percent-decoded, "+" as a blank, in their order.
    std::vector<Parameter> parameters;
    std::string body;
    std::string accept;  // the header

    /// Returns the first value of a parameter; null if it is absent.
    [[nodiscard]] const std::string* find(std::string_view name) const {
        for (const Parameter& each : parameters) {
            if (each.name == name) return &each.value;
        }
        return nullptr;
    }
};

}  // namespace fendex::serve
