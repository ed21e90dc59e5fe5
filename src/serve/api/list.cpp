#include "serve/api/list.hpp"

#include <charconv>
#include <utility>

namespace fendex::serve::api {

namespace {

constexpr std::uint64_t kUsualPage = 20;
constexpr std::uint64_t kLargestPage = 1000;
/// A stream is sent in pieces of about this size.
constexpr std::size_t kPieceBytes = 32 * 1024;
/// More than the rows of any list.
constexpr std::uint64_t kEndOfPlaces = std::uint64_t{1} << 53;

/// Rows that are read at once while they are streamed.
constexpr std::uint64_t kRowsAtOnce = 1024;

/// Appends rows as lines until a piece is full. Returns false after the last row.
bool append_piece(ask::Rows& rows, std::string& out) {
    const std::size_t begin = out.size();
    while (out.size() - begin < kPieceBytes) {
        const bool more = rows.read(kRowsAtOnce, [&](const std::vector<ask::Cell>& cells) {
            emit::append_json_row(rows.columns(), cells, out);
        });
        if (!more) return false;
    }
    return true;
}

std::string cursor_text(const ask::Rows::Place& place) {
    return std::to_string(place.group) + '.' + std::to_string(place.after);
}

ask::Rows::Place place_of(const std::string& cursor) {
    ask::Rows::Place place;
    const char* const end = cursor.data() + cursor.size();
    const auto group = std::from_chars(cursor.data(), end, place.group);
    if (group.ec == std::errc() && group.ptr != end && *group.ptr == '.') {
        const auto after = std::from_chars(group.ptr + 1, end, place.after);
        if (after.ec == std::errc() && after.ptr == end && place.after < kEndOfPlaces) return place;
    }
    throw Refusal{400, "bad_cursor",
                  "'" + cursor + "' is not a cursor: give the 'next' of an earlier page", "cursor"};
}

Answer page(ask::Rows& rows, std::uint64_t limit) {
    Answer answer;
    std::string& out = answer.body;
    out += "{\"items\":[";
    std::uint64_t left = limit;
    const auto append = [&](const std::vector<ask::Cell>& cells) {
        if (left-- != limit) out += ',';
        json::append_object(
            out, [&](json::Object& object) { emit::add_members(rows.columns(), cells, object); });
    };
    while (left != 0 && rows.read(left, append)) {
    }
    const ask::Rows::Place place = rows.place();
    const bool more = left == 0 && rows.skip(1) != 0;
    out += "],\"next\":";
    json::append_value(more ? std::optional(cursor_text(place)) : std::nullopt, out);
    out += ",\"total\":";
    json::append_value(rows.total(), out);
    out += "}\n";
    return answer;
}

}  // namespace

ask::Fields page_fields() {
    ask::FieldText limit = ask::number_field(
        "limit", "rows of a page; without it, and with Accept: application/x-ndjson, all rows", 1);
    limit.high = kLargestPage;
    return {limit, {"cursor", {}, "the 'next' of the page before"}};
}

Answer streamed(std::string_view type, std::function<bool(std::string&)> append) {
    Answer answer;
    answer.type = type;
    if (append(answer.body)) {
        answer.more = [append = std::move(append)](std::string& out) mutable {
            if (append(out)) return true;
            append = nullptr;  // returns the readers
            return false;
        };
    }
    return answer;
}

Task list_task(const Call& call, Cost page_cost, OpenRows open) {
    const bool streams =
        call.find("limit") == nullptr && call.request->accept.find(kJsonLines) != std::string::npos;
    ask::Page asked;
    asked.limit = streams ? ask::kAllRows : call.given.number("limit").value_or(kUsualPage);
    if (const std::string* const cursor = call.find("cursor")) asked.from = place_of(*cursor);
    Task task;
    task.cost = streams ? Cost::kScan : page_cost;
    task.run = [=, open = std::move(open)](const std::stop_token& stop) {
        std::shared_ptr<ask::Rows> rows = open(asked, stop);
        if (!streams) return page(*rows, asked.limit);
        return streamed(kJsonLines, [rows = std::move(rows)](std::string& out) {
            return append_piece(*rows, out);
        });
    };
    return task;
}

Task lines_task(std::function<ask::NextDocuments(const std::stop_token&)> open) {
    Task task;
    task.cost = Cost::kScan;
    task.run = [open = std::move(open)](const std::stop_token& stop) {
        return streamed(kJsonLines, [next = open(stop)](std::string& out) {
            return next([&](const ask::Fill& fill) { json::append_line(out, fill); });
        });
    };
    return task;
}

Task object_task(Cost cost, std::function<void(json::Object&, const std::stop_token&)> fill) {
    Task task;
    task.cost = cost;
    task.run = [fill = std::move(fill)](std::stop_token stop) {
        Answer answer;
        json::append_line(answer.body, [&](json::Object& object) { fill(object, stop); });
        return answer;
    };
    return task;
}

}  // namespace fendex::serve::api
