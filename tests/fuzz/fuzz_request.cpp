// The text of a request, from its bytes to the bytes of its answer, with all routes over a small
// database: whatever arrives is answered, and never with an internal error.
//
// The first byte says how many bytes arrive at once; 0: all.
#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <nlohmann/json.hpp>

#include "fuzz.hpp"
#include "ingest/importer.hpp"
#include "scratch.hpp"
#include "serve/api/api.hpp"
#include "serve/explorer/explorer.hpp"
#include "serve/http/exchange.hpp"
#include "serve/page.hpp"
#include "support/damage_file.hpp"

namespace {

using namespace fendex;
namespace http = boost::beast::http;

constexpr int kMostPieces = 20;

serve::Databases& databases() {
    static serve::Databases all = [] {
        const std::string path = fuzz::scratch("request.db");
        const std::string pgn = fuzz::scratch("request.pgn");
        fuzz::write_all(pgn, test::archive_with_everything(20));
        ingest::ImportOptions options;
        options.annotations = options.variations = true;
        ingest::import_files(path, {pgn}, options);
        return serve::Databases({path});
    }();
    return all;
}

serve::ServerState& server() {
    static serve::Router router = [] {
        std::vector<serve::Route> routes = serve::page_routes();
        for (auto& family : {serve::explorer_routes({databases(), databases(), databases()}),
                             serve::api_routes(databases())}) {
            routes.insert(routes.end(), family.begin(), family.end());
        }
        return serve::Router(std::move(routes));
    }();
    static serve::ServerState state(
        [] {
            serve::ServerOptions options;
            options.sums = options.scans = {1, 1};
            options.body_bytes = 10'000;
            return options;
        }(),
        router);
    return state;
}

/// Returns false if the text is no request, or not all of one. What is refused in its head is
/// searched for the page that asked.
bool arrives(serve::Exchange& exchange, std::string_view text, std::size_t at_once) {
    std::size_t there = 0;
    while (!exchange.arriving.is_done()) {
        boost::system::error_code error = http::error::need_more;
        if (there > 0) {
            text.remove_prefix(exchange.arriving.put({text.data(), there}, error));
            there = std::min(there, text.size());
        }
        if (error == http::error::need_more) {
            if (there == text.size()) return false;
            there = std::min(there + at_once, text.size());
        } else if (error) {
            if (!exchange.arriving.is_header_done()) exchange.arriving.search(text);
            return false;
        }
    }
    return true;
}

void answer(serve::Exchange& exchange, serve::Answer answer, bool goes_on) {
    fuzz::require(answer.status != 500);
    if (answer.type == serve::kJson && answer.status == 200 && answer.encoding.empty()) {
        fuzz::require(nlohmann::json::accept(answer.body));
    }
    bool keep_alive = true;
    std::string head;
    std::string body;
    exchange.begin_answer(std::move(answer), goes_on, "now", keep_alive, head, body);
    fuzz::require(head.ends_with("\r\n\r\n") && head.find("\r\n\r\n") == head.size() - 4);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    const std::string_view text = fuzz::text_of(data + 1, size - 1);
    const serve::Peer peer{"127.0.0.1", data[0] % 2 == 0};
    serve::Exchange exchange(server(), peer);
    if (!arrives(exchange, text, data[0] == 0 ? text.size() : data[0])) {
        answer(exchange, exchange.refused({400, "bad_request", "this is not HTTP"}), false);
        return 0;
    }
    if (const auto why = exchange.head_refusal()) {
        answer(exchange, exchange.refused(*why), false);
        return 0;
    }
    auto planned = exchange.plan();
    if (serve::Answer* const known = std::get_if<serve::Answer>(&planned)) {
        answer(exchange, std::move(*known), false);
        return 0;
    }
    serve::Job& job = *std::get<std::shared_ptr<serve::Job>>(planned);
    job.run();
    if (job.failure) {
        answer(exchange, exchange.failed(job.failure), false);
        return 0;
    }
    answer(exchange, std::move(job.answer), job.goes_on);
    for (int i = 0; i < kMostPieces && job.goes_on && !job.failure; ++i) {
        job.pull();
        std::string piece;
        exchange.next_piece(std::move(job.piece), !job.goes_on, piece);
    }
    fuzz::require(!job.failure);
    return 0;
}
