#include "serve/http/exchange.hpp"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <charconv>
#include <utility>

#include "serve/http/entity_tag.hpp"
#include "serve/http/log.hpp"
#include "serve/http/target.hpp"

namespace fendex::serve {

namespace http = boost::beast::http;

namespace {

// The name in metrics and the log for requests that fit no route.
constexpr std::string_view kNoRoute = "-";
constexpr std::string_view kMethods = "GET, HEAD, POST, OPTIONS";

/// Headers of every answer, unless the service has set a header with the same name.
constexpr std::pair<const char*, std::string_view> kUsualHeaders[] = {
    {"Cache-Control", "no-cache"},
    {"Vary", "Accept, Accept-Encoding, Origin"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Content-Security-Policy",
     "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"},
};

std::string usual_headers() {
    std::string text;
    for (const auto& [name, value] : kUsualHeaders) append_header(text, name, value);
    return text;
}

/// A request that holds its place in the budget of bodies.
struct CountedRequest {
    Request request;
    std::unique_ptr<Body> body;
};

}  // namespace

Exchange::Exchange(ServerState& server, const Peer& peer)
    : arriving(server.bodies), server_(server), peer_(peer) {
    arriving.header_limit(static_cast<std::uint32_t>(server.options.head_bytes));
    arriving.body_limit(server.options.body_bytes);
}

Asker Exchange::asker() const {
    const Head& head = arriving.head;
    const std::string_view authority = split_authority(head.target).authority;
    return {authority.empty() ? std::string_view(head.host) : authority, head.origin,
            head.fetch_site};
}

std::optional<Refusal> Exchange::head_refusal() const {
    const Head& head = arriving.head;
    if (head.hosts > 1 || (head.version == 11 && head.host.empty())) {
        return Refusal{400, "bad_host", "a request must have exactly one Host header"};
    }
    return server_.guard.refusal(asker());
}

std::variant<std::shared_ptr<Job>, Answer> Exchange::plan() {
    begun_ = Clock::now();
    try {
        Head& head = arriving.head;
        std::optional<Target> target = parse_target(split_authority(head.target).target);
        if (!target) {
            throw Refusal{400, "bad_escape", "the address has a malformed percent escape"};
        }
        if (head.verb == http::verb::options) return preflight();
        if (head.verb != http::verb::get && head.verb != http::verb::head &&
            head.verb != http::verb::post) {
            throw Refusal{405, "wrong_method", "this address takes another method"};
        }
        auto counted = std::make_shared<CountedRequest>();
        Request& request = counted->request;
        request.method = head.verb == http::verb::post ? Method::kPost : Method::kGet;
        request.path = std::move(target->path);
        request.parameters = std::move(target->parameters);
        request.accept = head.accept;
        request.body = std::move(arriving.body->text);
        counted->body = std::move(arriving.body);

        std::optional<Task> own = own_task(request);
        Task task = own ? std::move(*own)
                        : server_.service.plan(std::shared_ptr<const Request>(counted, &request));
        route_ = task.route;
        const Coding coding{accepts_gzip(head.accept_encoding), peer_.near};
        if (!task.version.empty() && request.method == Method::kGet) {
            tag_ = entity_tag(task.version, head.target, head.accept, coding);
            if (!head.if_none_match.empty() && has_tag(head.if_none_match, tag_)) {
                Answer same;
                same.status = 304;
                return same;
            }
        }
        const Cost cost = task.cost;
        auto job = std::make_shared<Job>(std::move(task), coding);
        if (cost != Cost::kLookUp &&
            !job->enter(cost == Cost::kSums ? server_.sums : server_.scans)) {
            throw Refusal{503, "busy", "the server has too much to do; try again later"};
        }
        return job;
    } catch (...) {
        return failed(std::current_exception());
    }
}

std::optional<Task> Exchange::own_task(const Request& request) const {
    if (request.method != Method::kGet || request.path.size() != 1) return std::nullopt;
    Task task;
    if (request.path[0] == "health") {
        task.route = "/health";
        task.run = [&service = server_.service](const std::stop_token&) {
            service.require_health();
            Answer answer;
            answer.body = "{\"status\":\"ok\"}\n";
            return answer;
        };
        return task;
    }
    if (request.path[0] != "metrics") return std::nullopt;
    task.route = "/metrics";
    task.cost = server_.service.cost_of_metrics();
    task.run = [&server = server_](const std::stop_token&) {
        Answer answer;
        answer.type = "text/plain; version=0.0.4; charset=utf-8";
        answer.body =
            server.metrics.text({server.connections, server.sums.taken(), server.scans.taken()});
        answer.body += server.service.metrics();
        return answer;
    };
    return task;
}

Answer Exchange::preflight() const {
    Answer answer;
    answer.status = 204;
    answer.headers.emplace_back("Allow", kMethods);
    if (server_.guard.allowed_origin(asker()).empty()) return answer;
    const Head& head = arriving.head;
    answer.headers.emplace_back("Access-Control-Allow-Methods", "GET, HEAD, POST");
    answer.headers.emplace_back("Access-Control-Max-Age", "86400");
    if (!head.requested_headers.empty()) {
        answer.headers.emplace_back("Access-Control-Allow-Headers", head.requested_headers);
    }
    if (head.private_network) {
        answer.headers.emplace_back("Access-Control-Allow-Private-Network", "true");
    }
    return answer;
}

Answer Exchange::refused(const Refusal& why) const {
    Answer answer = server_.service.refused(path_of(arriving.head.target), why);
    if (why.code == "busy") answer.headers.emplace_back("Retry-After", "5");
    if (why.status == 405) answer.headers.emplace_back("Allow", kMethods);
    return answer;
}

Answer Exchange::failed(std::exception_ptr why) const {
    try {
        std::rethrow_exception(why);
    } catch (const Refusal& refusal) {
        return refused(refusal);
    } catch (...) {
        return server_.service.failed(path_of(arriving.head.target), std::move(why));
    }
}

void Exchange::begin_answer(Answer answer, bool goes_on, std::string_view date, bool& keep_alive,
                            std::string& head, std::string& body) {
    const bool old = arriving.head.version == 10;
    const bool none = answer.status == 204 || answer.status == 304;
    framing_ = none       ? Framing::kNone
               : !goes_on ? Framing::kLength
               : old      ? Framing::kClose
                          : Framing::kChunked;
    has_body_ = !none && arriving.head.verb != http::verb::head;
    if (framing_ == Framing::kClose) keep_alive = false;
    status_ = answer.status;

    head.clear();
    append_head(head, {answer.status, none ? std::string_view() : answer.type, framing_,
                       answer.body.size(), keep_alive, old});
    append_header(head, "Date", date);
    if (!answer.encoding.empty()) append_header(head, "Content-Encoding", answer.encoding);
    if (!tag_.empty() && (status_ == 200 || status_ == 304)) append_header(head, "ETag", tag_);
    add_headers(answer, head);
    head += "\r\n";

    body.clear();
    if (!has_body_) return;
    if (goes_on) {
        next_piece(std::move(answer.body), false, body);
        return;
    }
    body = std::move(answer.body);
    bytes_ = body.size();
}

void Exchange::add_headers(const Answer& answer, std::string& out) const {
    static const std::string all_usual = usual_headers();
    if (answer.headers.empty()) {
        out += all_usual;
    } else {
        for (const auto& usual : kUsualHeaders) {
            const bool replaced = std::ranges::any_of(answer.headers, [&](const auto& given) {
                return boost::beast::iequals(given.first, usual.first);
            });
            if (!replaced) append_header(out, usual.first, usual.second);
        }
    }
    const std::string_view origin = server_.guard.allowed_origin(asker());
    if (!origin.empty()) append_header(out, "Access-Control-Allow-Origin", origin);
    // Some pages send cookies, as they do to the public explorer. The server ignores the cookies.
    if (!origin.empty() && origin != "*") {
        append_header(out, "Access-Control-Allow-Credentials", "true");
    }
    for (const auto& [name, value] : answer.headers) append_header(out, name, value);
}

void Exchange::next_piece(std::string piece, bool last, std::string& body) {
    bytes_ += piece.size();
    if (framing_ != Framing::kChunked) {
        body = std::move(piece);
        return;
    }
    body.clear();
    if (!piece.empty()) {
        char size[16];
        char* const end = std::to_chars(size, size + sizeof size, piece.size(), 16).ptr;
        body.append(size, end).append("\r\n").append(piece).append("\r\n");
    }
    if (last) body += "0\r\n\r\n";
}

void Exchange::end(unsigned status) {
    if (status == 0) status = status_;
    const auto took = Clock::now() - begun_;
    server_.metrics.count(route_.empty() ? kNoRoute : std::string_view(route_), status, bytes_,
                          took);
    if (!server_.options.log) return;
    const std::string_view path = path_of(arriving.head.target);
    log({std::chrono::system_clock::now(), peer_.address,
         !route_.empty() ? std::string_view(route_)
         : !path.empty() ? path
                         : kNoRoute,
         status, bytes_, std::chrono::duration_cast<std::chrono::microseconds>(took)});
}

}  // namespace fendex::serve
