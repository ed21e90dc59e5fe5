#include "serve/routes.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>

#include "base/edit_distance.hpp"
#include "base/joined.hpp"
#include "base/json.hpp"
#include "base/number_of.hpp"
#include "base/printable.hpp"
#include "base/stop_check.hpp"
#include "query/game_filter.hpp"
#include "store/store_error.hpp"

namespace fendex::serve {

namespace {

/// Returns whether a path fits the path of a route. `named` gets the parts for the names in braces.
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
        // In "{game}.pgn", the text after the brace must end the given part.
        const std::string_view after = wanted.substr(wanted.find('}') + 1);
        if (given.size() <= after.size() || !given.ends_with(after)) return false;
        named.push_back(given.substr(0, given.size() - after.size()));
    }
    return part == path.size();
}

[[noreturn]] void refuse_value(const Parameter& given, const std::string& wanted) {
    throw Refusal{400, "bad_parameter",
                  given.name + " takes " + wanted + ", not '" + given.value + "'", given.name};
}

void check_value(const ask::FieldText& spec, const Parameter& given) {
    if (spec.type == ask::FieldType::kNumber) {
        const auto number = base::number_of<std::uint64_t>(given.value);
        if (!number || *number < spec.low || *number > spec.high) {
            refuse_value(given, "a number from " + std::to_string(spec.low) + " to " +
                                    std::to_string(spec.high));
        }
    } else if (spec.type == ask::FieldType::kFlag) {
        if (given.value != "true" && given.value != "false") refuse_value(given, "true or false");
    } else if (!spec.choices.empty() && std::find(spec.choices.begin(), spec.choices.end(),
                                                  given.value) == spec.choices.end()) {
        refuse_value(given, "one of " + base::joined(", ", spec.choices));
    }
}

[[noreturn]] void refuse_name(const Route& route, const std::string& name) {
    std::vector<std::string> names;
    for (const ask::FieldText& spec : route.parameters) names.push_back(spec.name);
    std::string message = "there is no parameter '" + name + "' here";
    std::string known = base::suggestion(name, names);
    if (known.empty()) {
        known = ": " + (names.empty() ? "this address takes none" : base::joined(", ", names));
    }
    throw Refusal{400, "unknown_parameter", message + known, name};
}

/// Throws Refusal unless the parameters are as the route describes them.
void check_parameters(const Route& route, const Request& request) {
    for (const ask::FieldText& spec : route.parameters) {
        const auto times = std::count_if(request.parameters.begin(), request.parameters.end(),
                                         [&](const auto& each) { return each.name == spec.name; });
        if (times == 0 && spec.required) {
            throw Refusal{400, "missing_parameter", "give " + spec.name + ": " + spec.help,
                          spec.name};
        }
        if (times > 1 && !spec.repeatable) {
            throw Refusal{400, "repeated_parameter", spec.name + " may be given once", spec.name};
        }
    }
    for (const Parameter& given : request.parameters) {
        const auto spec =
            std::find_if(route.parameters.begin(), route.parameters.end(),
                         [&](const ask::FieldText& each) { return each.name == given.name; });
        if (spec == route.parameters.end()) refuse_name(route, given.name);
        check_value(*spec, given);
    }
}

unsigned status_of(const ask::QuestionError& error) {
    return error.code().starts_with("no_such_") ? 404
           : error.code() == "several_players"  ? 409
                                                : 400;
}

bool wants_json(std::string_view path) { return path.starts_with("/api"); }

}  // namespace

Task Router::plan(std::shared_ptr<const Request> request) {
    Call call{std::move(request), {}, {}};
    for (const Parameter& each : call.request->parameters) call.given.add(each.name, each.value);
    bool other_method = false;
    for (const Route& route : routes_) {
        if (!fits(route.path, call.request->path, call.named)) continue;
        if (route.method != call.request->method) {
            other_method = true;
            continue;
        }
        if (route.strictness == Strictness::kStrict) check_parameters(route, *call.request);
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
        // Escaped, because people read it on terminals and it may quote the request or a tag.
        base::append_printable_lines(why.message, answer.body);
        answer.body += '\n';
        return answer;
    }
    json::append_line(answer.body, [&](json::Object& object) {
        object.add_object("error", [&](json::Object& error) {
            error.add("code", why.code);
            error.add("message", why.message);
            error.add("field", json::known(why.field));
            error.add("detail", json::known(why.detail));
            error.add("text", json::known(why.text));
        });
    });
    return answer;
}

Answer Router::failed(std::string_view path, std::exception_ptr why) const {
    try {
        std::rethrow_exception(why);
    } catch (const Refusal& refusal) {
        return refused(path, refusal);
    } catch (const ask::QuestionError& error) {
        return refused(path, {status_of(error), error.code(), error.what(), error.field(),
                              error.detail(), error.text()});
    } catch (const query::FilterError& error) {
        return refused(path, {400, "bad_filter", error.what(), error.field()});
    } catch (const store::StoreError& error) {
        // These errors may end without a repair of the database.
        const bool passes = error.kind() == store::StoreError::kAbsent ||
                            error.kind() == store::StoreError::kBusy ||
                            error.kind() == store::StoreError::kUnreachable;
        if (error.kind() == store::StoreError::kUnsupported) {
            return refused(path, {501, "unanswered", error.what()});
        }
        return refused(path, {passes ? 503U : 500U, "database", error.what()});
    } catch (const base::Stopped&) {
        return refused(path, {503, "timeout", "the answer took too long"});
    } catch (const std::bad_alloc&) {
        return refused(path, {503, "memory", "there is not enough memory: try again later"});
    } catch (const std::exception& error) {
        return refused(path, {500, "internal", error.what()});
    }
}

}  // namespace fendex::serve
