#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/seeded.hpp"
#include "serve/api_client.hpp"
#include "serve/api_samples.hpp"
#include "support/test_size.hpp"

using fendex::serve::Answer;

using fendex::serve::Request;
using fendex::serve::Route;
using fendex::test::ApiClient;
using fendex::test::Samples;

namespace {

/// Makes values that are right, nearly right, or nonsense.
class Values {
  public:
    std::string of(const fendex::ask::FieldText& spec) {
        if (one_in(3) && !spec.choices.empty()) return spec.choices[number(spec.choices.size())];
        if (one_in(3)) return kTexts[number(std::size(kTexts))];
        if (one_in(2)) return changed(kTexts[number(std::size(kTexts))]);
        std::string text(number(40), ' ');
        for (char& c : text) c = static_cast<char>(number(256));
        return text;
    }
    std::size_t number(std::size_t below) { return numbers_.below(below); }
    bool one_in(std::size_t times) { return number(times) == 0; }

  private:
    static constexpr const char* kTexts[] = {
        "",
        "0",
        "1",
        "2",
        "-1",
        "20",
        "18446744073709551616",
        "9223372036854775807",
        "1.5",
        "0.3",
        "18446744073709551615.18446744073709551615",
        "true",
        "false",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[QNp] w KQkq - 0 1",
        "8/P1k5/8/8/8/8/8/4K3 w - - 99 1000",
        "e2e4,e7e5",
        "e2e4,P@e5",
        "0000",
        "e1g1",
        "1.e4 c5 2.Nf3 d6",
        "1.e4 {comment} (1.d4) e5 $1",
        "crazyhouse",
        "chess960",
        "other",
        "horde",
        "*/8/8/8/8/8/8/*",
        "?1?1?1?1/8/8/8/8/8/8/[^Pp]*",
        "KRPvKR",
        "Q=1 R>=1 q=0",
        "463b96181691fc9c",
        "Morphy",
        "m",
        "Event=x",
        "2004-11",
        "????.\?\?.\?\?",
        "B90-B99",
        "2500-",
        "classics.pgn",
        "%00",
        "\xff\xfe"};

    std::string changed(std::string text) {
        if (text.empty()) return text;
        const std::size_t at = number(text.size());
        switch (number(3)) {
            case 0: text[at] = static_cast<char>(number(256)); break;
            case 1: text.erase(at, 1 + number(4)); break;
            default: text.insert(at, text.substr(number(text.size())));
        }
        return text;
    }

    fendex::base::SeededNumbers numbers_{16};
};

std::shared_ptr<Request> request_to(const Route& route, Values& values) {
    auto request = std::make_shared<Request>();
    request->method = route.method;
    std::size_t begin = 1;
    while (begin < route.path.size()) {
        const std::size_t end = std::min(route.path.find('/', begin), route.path.size());
        const std::string part = route.path.substr(begin, end - begin);
        begin = end + 1;
        if (part[0] != '{') {
            request->path.push_back(part);
        } else {
            request->path.push_back(values.of({}) + part.substr(part.find('}') + 1));
        }
    }
    for (const fendex::ask::FieldText& spec : route.parameters) {
        if (!spec.required && !values.one_in(route.parameters.size() / 2 + 1)) continue;
        request->parameters.push_back({spec.name, values.of(spec)});
    }
    if (route.method == fendex::serve::Method::kPost) {
        while (!values.one_in(4)) request->body += values.of({}) + "\n";
    }
    if (values.one_in(2)) request->accept = fendex::serve::kJsonLines;
    return request;
}

std::string words_of(const Request& request) {
    std::string out;
    for (const std::string& part : request.path) out += '/' + part;
    for (const auto& [name, value] : request.parameters) out += ' ' + name + '=' + value;
    return out;
}

}  // namespace

TEST_CASE("No parameter makes the API fail", "[full]") {
    ApiClient client({Samples::get().classics(), Samples::get().repetitions()});
    Values values;
    std::size_t answered = 0;
    for (const Route& route : client.router().routes()) {
        for (int i = fendex::test::at_size(60, 600); i > 0; --i) {
            const std::shared_ptr<Request> request = request_to(route, values);
            const Answer answer = client.ask(request);
            INFO(words_of(*request) << '\n' << answer.body.substr(0, 300));
            REQUIRE((answer.status == 200 || answer.status == 400 || answer.status == 404 ||
                     answer.status == 409));
            answered += answer.status == 200 ? 1 : 0;
            if (answer.type == fendex::serve::kJson) {
                REQUIRE(nlohmann::json::accept(answer.body));
            }
        }
    }
    CHECK(answered > 20);
}
