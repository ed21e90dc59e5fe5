#include "store/sqlite/sums/integrity.hpp"

#include <charconv>
#include <optional>
#include <string_view>

#include "store/sqlite/file/api.hpp"

namespace fendex::store {

namespace {

/// Returns SQLite's error code if the message says that a page could not be read. The reason is
/// then a lack of memory or a failure of the disk, because SQLite checks only pages that the file
/// has.
std::optional<int> why_unread(std::string_view message) {
    constexpr std::string_view kUnread = "unable to get the page. error code=";
    for (std::size_t at = 0; (at = message.find(kUnread, at)) != std::string_view::npos;) {
        at += kUnread.size();
        int code = 0;
        std::from_chars(message.data() + at, message.data() + message.size(), code);
        if ((code & 0xFF) != SQLITE_CORRUPT) return code;
    }
    if (message.find("failed to get page") != std::string_view::npos) return SQLITE_IOERR;
    return std::nullopt;
}

}  // namespace

std::vector<std::string> integrity_problems(const Connection& connection, unsigned limit) {
    Statement check(connection, "PRAGMA main.integrity_check(" + std::to_string(limit) + ")");
    std::vector<std::string> out;
    while (check.step()) {
        if (check.text(0) == "ok") continue;
        out.emplace_back(check.text(0));
        if (const auto why = why_unread(out.back())) {
            throw StoreError(StoreError::kOther,
                             connection.path() + ": cannot read: " + sqlite3_errstr(*why));
        }
    }
    return out;
}

}  // namespace fendex::store
