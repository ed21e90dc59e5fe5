// A file of positions to look up, FEN or EPD: each record is a position or an error, whatever it
// contains, and its operations give valid JSON and headings without escape characters.
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/json.hpp"
#include "chess/fen.hpp"
#include "cli/verbs/questions.hpp"
#include "fuzz.hpp"

using namespace fendex;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    constexpr query::Match kMatches[] = {query::Match::kExact, query::Match::kBoard,
                                         query::Match::kMirrored};
    const query::Match match = kMatches[data[0] % 3];
    const std::string_view text = fuzz::text_of(data + 1, size - 1);
    std::istringstream file{std::string(text)};
    std::cin.rdbuf(file.rdbuf());
    std::cin.clear();
    cli::FenRecords records({}, "-");
    std::int64_t number = 0;
    while (auto asked = cli::next_position(records, std::nullopt, match)) {
        ++number;
        fuzz::require(asked->position.has_value() == asked->error.empty());
        fuzz::require(asked->where.starts_with("standard input:"));
        if (asked->position) {
            const chess::AnyPosition& position = *asked->position;
            const auto again = chess::any_position(
                chess::parse_any_fen(chess::to_fen(position), position.variant()));
            fuzz::require(again && again->same_as(position));
            query::Question::of(position, match);
        }
        const cli::QuestionLabel label(number, std::move(asked->operations), cli::Format::kJson);
        std::string line;
        json::Object object(line);
        label.add_members(object);
        object.end();
        fuzz::require(nlohmann::json::accept(line));
        std::string heading;
        label.append_heading(number == 1, heading);
        fuzz::require(heading.find('\x1b') == std::string::npos);
    }
    fuzz::require(static_cast<std::size_t>(number) <= text.size());
    return 0;
}
