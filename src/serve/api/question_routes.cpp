// The routes of questions that every surface answers: /api/v1/find, /api/v1/tree ...
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "ask/questions.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

namespace {

using ask::Given;
using ask::Plan;
using ask::QuestionKind;

Cost cost_of(ask::Cost cost) {
    switch (cost) {
        case ask::Cost::kLookUp: return Cost::kLookUp;
        case ask::Cost::kSums: return Cost::kSums;
        case ask::Cost::kScan: break;
    }
    return Cost::kScan;
}

ask::Context context_of(const Plan& plan, const AskedDatabases& asked, const std::stop_token& stop,
                        const ask::Page& page = {}) {
    return {asked.open(plan.filter, stop), stop, {.refs = true}, page};
}

Task document_task(const AskedDatabases& asked, Plan plan) {
    const Cost cost = cost_of(plan.cost);
    return object_task(
        cost, [asked, plan = std::move(plan)](json::Object& object, const std::stop_token& stop) {
            plan.document(context_of(plan, asked, stop), object);
        });
}

Task rows_task(const AskedDatabases& asked, const Call& call, Plan plan) {
    const Cost cost = cost_of(plan.cost);
    return list_task(call, cost,
                     [asked, plan = std::move(plan)](const auto& page, const auto& stop) {
                         return plan.rows(context_of(plan, asked, stop, page));
                     });
}

/// How the API asks a question, if not by its name and its fields.
struct Address {
    std::string_view question;
    std::string_view path;  // {name}: the part of the path is this field
    /// Names of parameters, and of the required fields that they set.
    std::vector<std::pair<std::string, std::string>> renamed = {};
    std::vector<std::string_view> left_out = {};  // fields
};

const std::vector<Address>& addresses() {
    static const std::vector<Address> all{
        {"prepare", "players/{name}/prepare"},
        {"player", "players/{name}", {}, {"against"}},
        {"player", "head-to-head", {{"a", "name"}, {"b", "against"}}, {"player"}}};
    return all;
}

/// "the games that reached a position" -> "The games that reached a position."
std::string sentence(std::string_view summary) {
    std::string text(summary);
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text + '.';
}

/// Sets the parameters of a route, and the parts of its path that are fields.
void describe_parameters(const QuestionKind& kind, const Address& address, Route& route) {
    for (ask::FieldText field : kind.fields) {
        if (route.path.find('{' + field.name + '}') != std::string::npos) {
            route.named.push_back(field);
            continue;
        }
        for (const auto& [parameter, of_field] : address.renamed) {
            if (field.name != of_field) continue;
            field.name = parameter;
            field.required = true;
        }
        route.parameters.push_back(field);
    }
    if (!kind.count.empty()) {
        route.parameters.push_back(ask::flag_field("count", "answer only how many there are"));
    }
    route.parameters = ask::joined({route.parameters, kind.is_list ? page_fields() : ask::Fields{},
                                    kind.has_filter ? ask::fields_of_filter() : ask::Fields{}});
    route.parameters.push_back(database_field());
    std::erase_if(route.parameters, [&](const ask::FieldText& field) {
        return std::find(address.left_out.begin(), address.left_out.end(), field.name) !=
               address.left_out.end();
    });
}

/// Returns the fields of a question that the call gives.
Given given_of(const Call& call, const Route& route, const Address& address) {
    Given given = call.given;
    for (std::size_t i = 0; i < route.named.size(); ++i) {
        given.add(route.named[i].name, call.named[i]);
    }
    for (const auto& [parameter, field] : address.renamed) {
        given.add(field, call.given.text(parameter));
    }
    return given;
}

Route route_of(const QuestionKind& kind, const Address& address, Databases& databases) {
    Route route;
    route.path = "/api/v1/" + std::string(address.path);
    route.summary = sentence(kind.summary);
    describe_parameters(kind, address, route);
    route.answer = kind.answer;
    route.is_list = kind.is_list;
    const QuestionKind* const count =
        kind.count.empty() ? nullptr : &ask::question_named(kind.count);
    if (count != nullptr) route.count = count->answer;
    Route named = route;  // without a plan
    route.plan = [&databases, &kind, count, address, named](const Call& call) {
        const Given given = given_of(call, named, address);
        const AskedDatabases asked = asked_databases(call.given, databases);
        if (count != nullptr && given.flag("count")) {
            return document_task(asked, count->plan(given));
        }
        Plan plan = kind.plan(given);
        return kind.is_list ? rows_task(asked, call, std::move(plan))
                            : document_task(asked, std::move(plan));
    };
    return route;
}

/// Returns the answer to a question as documents, also if it has rows.
ask::NextDocuments documents_of(const Plan& plan, const ask::Context& context) {
    constexpr std::uint64_t kDocumentsAtOnce = 256;
    if (plan.documents) return plan.documents(context);
    return [rows = std::shared_ptr<ask::Rows>(plan.rows(context))](
               const std::function<void(const ask::Fill&)>& visit) {
        return rows->read(kDocumentsAtOnce, [&](const std::vector<ask::Cell>& cells) {
            visit([&](json::Object& object) { emit::add_members(rows->columns(), cells, object); });
        });
    };
}

/// Returns a route whose documents come as lines, and whose field `pgn` is posted.
Route posted_route_of(const QuestionKind& kind, Databases& databases) {
    Route route;
    route.method = Method::kPost;
    route.path = "/api/v1/" + std::string(kind.name);
    route.summary = sentence(kind.summary);
    route.parameters = ask::all_fields(kind);
    std::erase_if(route.parameters,
                  [](const ask::FieldText& field) { return field.name == "pgn"; });
    route.parameters.push_back(database_field());
    route.answer = kind.answer;
    route.is_lines = true;
    route.body = "PGN";
    route.plan = [&databases, &kind](const Call& call) {
        const AskedDatabases asked = asked_databases(call.given, databases);
        return lines_task([asked, &kind, call](const std::stop_token& stop) {
            Given given = call.given;
            given.add("pgn", call.request->body);
            const Plan plan = kind.plan(given);
            return documents_of(plan, context_of(plan, asked, stop));
        });
    };
    return route;
}

}  // namespace

std::vector<Route> question_routes(Databases& databases) {
    std::vector<Route> routes;
    for (const QuestionKind& kind : ask::questions()) {
        const auto is_of_kind = [&](const Address& each) { return each.question == kind.name; };
        const bool counts =
            std::any_of(ask::questions().begin(), ask::questions().end(),
                        [&](const QuestionKind& other) { return other.count == kind.name; });
        if (counts || kind.answer.empty()) continue;
        if (std::none_of(addresses().begin(), addresses().end(), is_of_kind)) {
            const bool posted = std::any_of(kind.fields.begin(), kind.fields.end(),
                                            [](const auto& field) { return field.name == "pgn"; });
            routes.push_back(posted ? posted_route_of(kind, databases)
                                    : route_of(kind, {kind.name, kind.name}, databases));
        }
        for (const Address& address : addresses()) {
            if (is_of_kind(address)) routes.push_back(route_of(kind, address, databases));
        }
    }
    return routes;
}

}  // namespace fendex::serve::api
