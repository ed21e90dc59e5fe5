#include "serve/routes.hpp"

#include <catch2/catch.hpp>

using namespace fendex::serve;

namespace {

Route route_of(const std::string& path, Strictness strictness = Strictness::kStrict) {
    Route route;
    route.path = path;
    route.strictness = strictness;
    route.parameters = {{"limit", "how many", "integer"}};
    route.plan = [](const Call& call) {
        Task task;
        task.run = [named = call.named](std::stop_token) {
            Answer answer;
            for (const std::string& each : named) answer.body += each + ';';
            return answer;
        };
        return task;
    };
    return route;
}

std::shared_ptr<Request> request_of(std::vector<std::string> path,
                                    std::vector<Parameter> parameters = {}) {
    auto request = std::make_shared<Request>();
    request->path = std::move(path);
    request->parameters = std::move(parameters);
    return request;
}

unsigned status_of(Router& router, std::shared_ptr<const Request> request) {
    try {
        static_cast<void>(router.plan(std::move(request)));
        return 200;
    } catch (const Refusal& why) {
        return why.status;
    }
}

}  // namespace

TEST_CASE("Routes are matched part by part") {
    Router router({route_of("/"), route_of("/a/{game}.pgn"), route_of("/a/{game}")});
    CHECK(router.plan(request_of({})).route == "/");
    const Task pgn = router.plan(request_of({"a", "17.pgn"}));
    CHECK(pgn.route == "/a/{game}.pgn");
    CHECK(pgn.run({}).body == "17;");
    CHECK(router.plan(request_of({"a", "17"})).run({}).body == "17;");
    CHECK(status_of(router, request_of({"b"})) == 404);
    CHECK(status_of(router, request_of({"a"})) == 404);
    CHECK(status_of(router, request_of({"a", ".pgn"})) == 200);
    auto post = request_of({"a", "17"});
    post->method = Method::kPost;
    CHECK(status_of(router, post) == 405);
}

TEST_CASE("Unknown parameters are refused by strict routes only") {
    Router router({route_of("/strict"), route_of("/forgiving", Strictness::kLenient)});
    CHECK(status_of(router, request_of({"strict"}, {{"limit", "1"}})) == 200);
    CHECK(status_of(router, request_of({"strict"}, {{"limits", "1"}})) == 400);
    CHECK(status_of(router, request_of({"forgiving"}, {{"limits", "1"}})) == 200);
}

TEST_CASE("Errors show control characters escaped") {
    const Router router({});
    const Refusal why{404, "none", "'\x1b[31m\u009b' is nothing\nat all"};
    CHECK(router.refused("/masters/pgn/x", why).body == "'\\x1b[31m\\x9b' is nothing\nat all\n");
    CHECK(router.refused("/api/v1/games", why).body.find('\x1b') == std::string::npos);
}
