#include "fendex/json_question.hpp"

#include <algorithm>

namespace fendex {

namespace {

[[noreturn]] void fail(const std::string& name, const std::string& reason) {
    throw Error(ErrorKind::kQuestion, "\"" + name + "\" " + reason);
}

Match match_named(const std::string& name) {
    if (name.empty() || name == "exact") return Match::kExact;
    if (name == "board") return Match::kBoard;
    if (name == "mirrored") return Match::kMirrored;
    fail("match", "is \"exact\", \"board\" or \"mirrored\", not \"" + name + '"');
}

}  // namespace

JsonQuestion::JsonQuestion(const std::string& text) {
    try {
        members_ = nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        throw Error(ErrorKind::kQuestion,
                    "the question is not JSON, at byte " + std::to_string(error.byte));
    }
    if (!members_.is_object()) {
        throw Error(ErrorKind::kQuestion,
                    R"(a question is an object, as in {"ask":"find","moves":"1.e4"})");
    }
}

const nlohmann::json* JsonQuestion::member(const char* name) {
    known_.emplace_back(name);
    const auto found = members_.find(name);
    return found == members_.end() || found->is_null() ? nullptr : &*found;
}

std::string JsonQuestion::text(const char* name) {
    const nlohmann::json* const value = member(name);
    if (value == nullptr) return {};
    if (!value->is_string()) fail(name, "takes a string");
    return value->get<std::string>();
}

bool JsonQuestion::flag(const char* name) {
    const nlohmann::json* const value = member(name);
    if (value == nullptr) return false;
    if (!value->is_boolean()) fail(name, "takes true or false");
    return value->get<bool>();
}

std::optional<std::uint64_t> JsonQuestion::number(const char* name) {
    const nlohmann::json* const value = member(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number_unsigned()) fail(name, "takes a whole number, 0 or more");
    return value->get<std::uint64_t>();
}

Filter JsonQuestion::filter() {
    Filter filter;
    filter.white = text("white");
    filter.black = text("black");
    filter.player = text("player");
    filter.opponent = text("opponent");
    filter.event = text("event");
    filter.site = text("site");
    filter.eco = text("eco");
    filter.opening = text("opening");
    filter.opening_eco = text("opening_eco");
    filter.result = text("result");
    filter.since = text("since");
    filter.until = text("until");
    filter.white_elo = text("white_elo");
    filter.black_elo = text("black_elo");
    filter.time_control = text("time_control");
    filter.mode = text("mode");
    filter.termination = text("termination");
    filter.source = text("source");
    const auto small = [&](const char* name) -> std::optional<unsigned> {
        const std::optional<std::uint64_t> value = number(name);
        if (!value) return std::nullopt;
        if (*value > std::numeric_limits<unsigned>::max()) fail(name, "is too large");
        return static_cast<unsigned>(*value);
    };
    filter.min_elo = small("min_elo");
    filter.max_elo = small("max_elo");
    filter.min_plies = small("min_plies");
    filter.max_plies = small("max_plies");
    if (const nlohmann::json* const tags = member("tags")) {
        if (!tags->is_object()) fail("tags", "takes an object of names and values");
        for (const auto& [name, value] : tags->items()) {
            if (!value.is_string())
                fail("tags", "takes strings: \"" + name + "\" has another value");
            filter.tags.emplace_back(name, value.get<std::string>());
        }
    }
    return filter;
}

Question JsonQuestion::position() {
    Question question;
    question.fen = text("fen");
    question.moves = text("moves");
    question.variant = text("variant");
    question.match = match_named(text("match"));
    question.filter = filter();
    return question;
}

void JsonQuestion::require_nothing_else() const {
    for (const auto& [name, value] : members_.items()) {
        if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
        std::string names;
        for (const std::string& known : known_) names += (names.empty() ? "" : ", ") + known;
        fail(name, "is not a member of this question; its members are " + names);
    }
}

Page::Page(JsonQuestion& question) {
    offset = question.number("offset").value_or(offset);
    limit = question.number("limit").value_or(limit);
}

}  // namespace fendex
