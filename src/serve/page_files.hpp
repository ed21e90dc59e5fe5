// The files of the page, as the build embeds them (embed_page.mjs). They live as long as the
// program.
#pragma once

#include <span>
#include <string_view>

namespace fendex::serve {

struct PageFile {
    std::string_view name;     // "index.html", "assets/main-K2J4.js"
    std::string_view gzipped;  // its content
    std::string_view digest;   // of the content
};

/// Returns the files; none if the program was built without the page.
[[nodiscard]] std::span<const PageFile> page_files();
/// Returns why there is no page; empty if there is one.
[[nodiscard]] std::string_view why_no_page();

}  // namespace fendex::serve
