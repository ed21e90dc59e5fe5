// Asks the routes of the API, without a server.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "serve/api/api.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::test {

class ApiClient {
  public:
    explicit ApiClient(const std::vector<std::string>& databases,
                       serve::OpenStore open_store = store::file_store)
        : databases_(databases, std::size_t{512} << 20, std::move(open_store)),
          router_(serve::api_routes(databases_)) {}

    /// Answers "/api/v1/tree?fen=..."; %XX may stand in values. All of a stream is in the body.
    serve::Answer ask(const std::string& target, const std::string& accept = {},
                      const std::string& body = {}) {
        const auto request = std::make_shared<serve::Request>();
        request->method = body.empty() ? serve::Method::kGet : serve::Method::kPost;
        request->accept = accept;
        request->body = body;
        const std::size_t query = std::min(target.find('?'), target.size());
        for (const std::string& part : parts(target.substr(0, query), '/')) {
            if (!part.empty()) request->path.push_back(decoded(part));
        }
        if (query < target.size()) {
            for (const std::string& pair : parts(target.substr(query + 1), '&')) {
                const std::size_t sign = std::min(pair.find('='), pair.size());
                request->parameters.push_back(
                    {decoded(pair.substr(0, sign)),
                     sign < pair.size() ? decoded(pair.substr(sign + 1)) : std::string()});
            }
        }
        return ask(request);
    }
    serve::Answer ask(std::shared_ptr<const serve::Request> request) {
        try {
            serve::Answer answer = router_.plan(std::move(request)).run({});
            while (answer.more) {
                if (!answer.more(answer.body)) answer.more = nullptr;
            }
            return answer;
        } catch (const serve::Refusal& why) {
            return router_.refused("/api", why);
        } catch (...) {
            return router_.failed("/api", std::current_exception());
        }
    }
    nlohmann::json json(const std::string& target) {
        const serve::Answer answer = ask(target);
        if (answer.status != 200) throw std::runtime_error(target + ": " + answer.body);
        return nlohmann::json::parse(answer.body);
    }
    unsigned status(const std::string& target) { return ask(target).status; }

    /// The rows of a list, asked for as lines.
    std::vector<nlohmann::json> lines(const std::string& target) {
        const serve::Answer answer = ask(target, serve::kJsonLines);
        if (answer.status != 200) throw std::runtime_error(target + ": " + answer.body);
        std::vector<nlohmann::json> rows;
        for (const std::string& line : parts(answer.body, '\n')) {
            if (!line.empty()) rows.push_back(nlohmann::json::parse(line));
        }
        return rows;
    }
    serve::Router& router() { return router_; }

  private:
    static std::vector<std::string> parts(const std::string& text, char between) {
        std::vector<std::string> out;
        std::size_t begin = 0;
        while (true) {
            const std::size_t end = text.find(between, begin);
            out.push_back(text.substr(begin, end - begin));
            if (end == std::string::npos) return out;
            begin = end + 1;
        }
    }
    static std::string decoded(const std::string& text) {
        std::string out;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '%' && i + 2 < text.size()) {
                out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
                i += 2;
            } else {
                out += text[i];
            }
        }
        return out;
    }

    serve::Databases databases_;
    serve::Router router_;
};

}  // namespace fendex::test
