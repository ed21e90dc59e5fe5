#include "serve/routes.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/json.hpp"
#include "base/stop_check.hpp"
#include "query/game_filter.hpp"
#include "store/store_error.hpp"

namespace fendex::serve {

namespace {

/// Matches a path with a route's; `named` gets the parts that {} stand for.
bool fits(std::string_view pattern, const std::vector<std::string>& path,
          std::vector<std::string>& named) {
    named.clear();
    std::size_t part = 0;
    while (!pattern.empty()) {
        pattern.remove_prefix(1);  // the slash
        const std::string_view wanted = pattern.substr(0, pattern.find('/'));
        pattern.remove_prefix(wanted.size());
        if (wanted.empty()) continue;
        if (part == path.size()) return false;
        const std::string& given = path[part++];
        const std::size_t open = wanted.find('{');
        if (open == std::string_view::npos) {
            if (given != wanted) return false;
            continue;
        }
        // "{game}.pgn": what follows the name must follow the value.
        const std::string_view after = wanted.substr(wanted.find('}') + 1);
        if (given.size() <= after.size() || !given.ends_with(after)) return false;
        named.push_back(given.substr(0, given.size() - after.size()));
    }
    return part == path.size();
}

void refuse_unknown_parameters(const Route& route, const Request& request) {
    for (const Parameter& given : request.parameters) {
        const auto known =
            std::find_if(route.parameters.begin(), route.parameters.end(),
                         [&](const ParameterSpec& spec) { return spec.name == given.name; });
        if (known == route.parameters.end()) {
            throw Refusal{400, "unknown_parameter",
                          "there is no parameter '" + given.name + "' here", given.name};
        }
    }
}

bool wants_json(std::string_view path) { return path.starts_with("/api"); }

}  // namespace

Task Router::plan(std::shared_ptr<const Request> request) {
    Call call{std::move(request), {}};
    bool other_method = false;
    for (const Route& route : routes_) {
        if (!fits(route.path, call.request->path, call.named)) continue;
        if (route.method != call.request->method) {
            other_method = true;
            continue;
        }
        if (route.manners == Manners::kStrict) refuse_unknown_parameters(route, *call.request);
        Task task = route.plan(call);
        task.route = route.path;
        return task;
    }
    if (other_method) throw Refusal{405, "wrong_method", "this address takes another method"};
    throw Refusal{404, "no_such_address", "there is nothing at this address"};
}

Answer Router::refused(std::string_view path, const Refusal& why) const {
    Answer answer;
    answer.status = why.status;
    if (!wants_json(path)) {
        answer.type = kText;
        answer.body = why.message + '\n';
        return answer;
    }
    json::append_line(answer.body, [&](json::Object& object) {
        object.add_object("error", [&](json::Object& error) {
            error.add("code", why.code);
            error.add("message", why.message);
            why.field.empty() ? error.add_null("field") : error.add("field", why.field);
        });
    });
    return answer;
}

Answer Router::failed(std::string_view path, std::exception_ptr why) const {
    try {
        std::rethrow_exception(why);
    } catch (const Refusal& refusal) {
        return refused(path, refusal);
    } catch (const query::FilterError& error) {
        return refused(path, {400, "bad_filter", error.what(), error.field()});
    } catch (const store::StoreError& error) {
        // These may pass without anybody mending the database.
        const bool passes = error.kind() == store::StoreError::kAbsent ||
                            error.kind() == store::StoreError::kBusy;
        return refused(path, {passes ? 503U : 500U, "database", error.what()});
    } catch (const base::Stopped&) {
        return refused(path, {503, "timeout", "the answer took too long"});
    } catch (const std::exception& error) {
        return refused(path, {500, "internal", error.what()});
    }
}

}  // namespace fendex::serve
