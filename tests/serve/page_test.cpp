#include "serve/page.hpp"

#include <zlib.h>

#include <catch2/catch.hpp>
#include <regex>
#include <string>

#include "serve/page_files.hpp"

using namespace fendex::serve;

namespace {

std::string unpacked(const Answer& answer) {
    if (answer.encoding.empty()) return answer.body;
    std::string text(std::size_t{4} << 20, '\0');
    std::string body = answer.body;
    z_stream stream{};
    REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(body.data());
    stream.avail_in = static_cast<uInt>(body.size());
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
    text.resize(stream.total_out);
    inflateEnd(&stream);
    return text;
}

Task page_task(std::vector<std::string> path, std::vector<Parameter> parameters = {}) {
    static Router router(page_routes());
    auto request = std::make_shared<Request>();
    request->path = std::move(path);
    request->parameters = std::move(parameters);
    return router.plan(std::move(request));
}

}  // namespace

TEST_CASE("The page is served, or says why it is missing") {
    const Task task = page_task({}, {{"view", "games"}});
    CHECK(task.cost == Cost::kLookUp);
    const Answer index = task.run({});
    CHECK(index.status == 200);
    if (page_files().empty()) {
        CHECK_FALSE(why_no_page().empty());
        CHECK(index.type == kText);
        CHECK(index.body.find("/api/openapi.json") != std::string::npos);
        return;
    }
    CHECK(why_no_page().empty());
    CHECK(index.type == "text/html; charset=utf-8");
    CHECK(index.headers.empty());
    CHECK_FALSE(task.version.empty());
    CHECK(unpacked(index).starts_with("<!doctype html>"));
}

TEST_CASE("The page's files have a type and a name that depends on their content") {
    if (page_files().empty()) return;
    for (const PageFile& file : page_files()) {
        INFO(file.name);
        if (file.name == "index.html") continue;
        REQUIRE(file.name.starts_with("assets/"));
        const Task task = page_task({"assets", std::string(file.name.substr(7))});
        const Answer asset = task.run({});
        CHECK(asset.type != "application/octet-stream");
        CHECK_FALSE(unpacked(asset).empty());
        REQUIRE(asset.headers.size() == 1);
        CHECK(asset.headers[0].second.ends_with("immutable"));
    }
    CHECK_THROWS_AS(page_task({"assets", "nothing.js"}), Refusal);
    CHECK_THROWS_AS(page_task({"assets", "index.html"}), Refusal);
}

TEST_CASE("All scripts of the page together are small") {
    std::size_t bytes = 0;
    for (const PageFile& file : page_files()) {
        if (file.name.ends_with(".js")) bytes += file.gzipped.size();
    }
    CHECK(bytes <= 150'000);
}

TEST_CASE("The page loads only files that are there") {
    const std::string index = unpacked(page_task({}).run({}));
    const std::regex loaded("(?:src|href)=\"assets/([^\"]+)\"");
    for (std::sregex_iterator each(index.begin(), index.end(), loaded), end; each != end; ++each) {
        INFO((*each)[1]);
        CHECK_NOTHROW(page_task({"assets", (*each)[1]}));
    }
}
