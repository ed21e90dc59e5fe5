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

/// Appends rows as lines until a piece is full. Returns false after the last row.
bool append_piece(Rows& rows, std::string& out) {
    const std::size_t begin = out.size();
    while (out.size() - begin < kPieceBytes) {
        if (!rows.next(out)) return false;
        out += '\n';
    }
    return true;
}

std::string cursor_text(const Rows::Place& place) {
    return std::to_string(place.group) + '.' + std::to_string(place.after);
}

Rows::Place place_of(const std::string& cursor) {
    Rows::Place place;
    const char* const end = cursor.data() + cursor.size();
    const auto group = std::from_chars(cursor.data(), end, place.group);
    if (group.ec == std::errc() && group.ptr != end && *group.ptr == '.') {
        const auto after = std::from_chars(group.ptr + 1, end, place.after);
        if (after.ec == std::errc() && after.ptr == end && place.after < kEndOfPlaces) return place;
    }
    throw Refusal{400, "bad_cursor",
                  "'" + cursor + "' is no cursor: give the 'next' of an earlier page", "cursor"};
}

Answer stream(std::shared_ptr<Rows> rows) {
    Answer answer;
    answer.type = kJsonLines;
    if (append_piece(*rows, answer.body)) {
        answer.more = [rows = std::move(rows)](std::string& out) mutable {
            if (append_piece(*rows, out)) return true;
            rows.reset();  // returns the readers
            return false;
        };
    }
    return answer;
}

Answer page(Rows& rows, std::size_t limit) {
    Answer answer;
    std::string& out = answer.body;
    out += "{\"items\":[";
    std::optional<Rows::Place> next;
    for (std::size_t row = 0;; ++row) {
        const Rows::Place place = rows.place();
        const std::size_t end = out.size();
        if (row != 0) out += ',';
        if (!rows.next(out)) {
            out.resize(end);
            break;
        }
        if (row == limit) {  // the first row of the next page
            out.resize(end);
            next = place;
            break;
        }
    }
    out += "],\"next\":";
    json::append_value(next ? std::optional(cursor_text(*next)) : std::nullopt, out);
    out += ",\"total\":";
    json::append_value(rows.total(), out);
    out += "}\n";
    return answer;
}

}  // namespace

Parameters page_parameters() {
    ParameterSpec limit = number_parameter(
        "limit", "rows of a page; without it, and with Accept: application/x-ndjson, all rows", 1);
    limit.high = kLargestPage;
    return {limit, {"cursor", "the 'next' of the page before"}};
}

Task list_task(const Call& call, Cost page_cost, OpenRows open) {
    const bool streamed =
        call.find("limit") == nullptr && call.request->accept.find(kJsonLines) != std::string::npos;
    PageRequest asked;
    asked.limit = streamed ? kAllRows : number_of(call, "limit").value_or(kUsualPage);
    if (const std::string* const cursor = call.find("cursor")) asked.from = place_of(*cursor);
    Task task;
    task.cost = streamed ? Cost::kScan : page_cost;
    task.run = [=, open = std::move(open)](std::stop_token stop) {
        std::shared_ptr<Rows> rows = open(asked, std::move(stop));
        return streamed ? stream(std::move(rows)) : page(*rows, asked.limit);
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
