#include "serve/page.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "serve/page_files.hpp"

namespace fendex::serve {

namespace {

constexpr std::string_view kAssets = "assets/";

/// Returns the content type for the ending of a name.
std::string type_of(std::string_view name) {
    constexpr std::pair<std::string_view, const char*> types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".json", kJson},
        {".webmanifest", "application/manifest+json"},
        {".png", "image/png"},
        {".webp", "image/webp"},
        {".woff2", "font/woff2"},
        {".txt", kText},
    };
    for (const auto& [end, type] : types) {
        if (name.ends_with(end)) return type;
    }
    return "application/octet-stream";
}

/// Returns whether the bundler has put a hash of the content into the name. The content for such a
/// name never changes.
bool has_hash(std::string_view name) {
    const std::string_view stem = name.substr(0, name.find_last_of('.'));
    const std::string_view hash = stem.substr(std::min(stem.find_last_of('-'), stem.size()));
    return hash.size() == 9 && std::all_of(hash.begin() + 1, hash.end(), [](char c) {
               return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
           });
}

Answer answer_with(const PageFile& file) {
    Answer answer;
    answer.type = type_of(file.name);
    answer.body = file.gzipped;
    answer.encoding = "gzip";
    if (has_hash(file.name)) {
        answer.headers.emplace_back("Cache-Control", "public, max-age=31536000, immutable");
    }
    return answer;
}

Answer answer_without_page() {
    Answer answer;
    answer.type = kText;
    answer.body = "This fendex has no page: ";
    answer.body += why_no_page();
    answer.body += "\nIts API is described by /api/openapi.json\n";
    return answer;
}

Task send(std::string_view name) {
    const auto files = page_files();
    const auto file = std::find_if(files.begin(), files.end(),
                                   [&](const PageFile& each) { return each.name == name; });
    if (file == files.end()) throw Refusal{404, "no_such_file", "the page has no such file"};
    Task task;
    task.version = file->digest;
    task.run = [&file = *file](std::stop_token) { return answer_with(file); };
    return task;
}

}  // namespace

std::vector<Route> page_routes() {
    Route index;
    index.path = "/";
    index.summary = "The page for browsers.";
    // The server ignores the parameters: the page itself reads them from the address.
    index.strictness = Strictness::kLenient;
    index.plan = [](const Call&) {
        if (!page_files().empty()) return send("index.html");
        Task task;
        task.run = [](std::stop_token) { return answer_without_page(); };
        return task;
    };

    Route asset;
    asset.path = "/assets/{file}";
    asset.summary = "The scripts, styles and pictures of the page.";
    asset.strictness = Strictness::kLenient;
    asset.plan = [](const Call& call) { return send(std::string(kAssets) + call.named.front()); };
    return {std::move(index), std::move(asset)};
}

}  // namespace fendex::serve
