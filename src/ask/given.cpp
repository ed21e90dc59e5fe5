#include "ask/given.hpp"

#include <algorithm>

#include "ask/filter_fields.hpp"
#include "ask/position_reason.hpp"
#include "base/number_of.hpp"
#include "chess/san.hpp"
#include "chess/variant_names.hpp"
#include "ingest/typed_line.hpp"
#include "query/game_filter.hpp"

namespace fendex::ask {

namespace {

/// Plays moves of UCI, separated by commas or blanks.
void play_uci(std::string_view moves, Line& line) {
    while (true) {
        moves.remove_prefix(std::min(moves.find_first_not_of(", "), moves.size()));
        if (moves.empty()) return;
        const std::string_view word = moves.substr(0, moves.find_first_of(", "));
        moves.remove_prefix(word.size());
        chess::Move move;
        const chess::SanError error = chess::read_uci(line.end, word, move);
        if (error != chess::SanError::kNone) {
            throw QuestionError("bad_move", "play",
                                "after ply " + std::to_string(line.moves.size()) + ": '" +
                                    std::string(word) +
                                    "': " + std::string(chess::describe(error)) +
                                    "; play takes UCI as in e2e4,e7e5, moves takes SAN",
                                {}, std::string(word));
        }
        line.moves.push_back(move);
        line.end.play(move);
    }
}

void play_typed(const std::string& moves, Line& line) {
    try {
        const ingest::TypedLine typed = ingest::play_typed_line(line.end, moves);
        line.moves.insert(line.moves.end(), typed.moves.begin(), typed.moves.end());
        line.end = typed.end;
    } catch (const ingest::TypedLineError& error) {
        throw QuestionError("bad_move", "moves", std::string("moves") + error.what(), {},
                            error.text());
    }
}

}  // namespace

const std::string* Given::find(std::string_view name) const {
    const auto found = std::find_if(values_.begin(), values_.end(),
                                    [&](const auto& each) { return each.first == name; });
    return found == values_.end() ? nullptr : &found->second;
}

std::vector<std::string_view> Given::all(std::string_view name) const {
    std::vector<std::string_view> out;
    for (const auto& [field, value] : values_) {
        if (field == name) out.emplace_back(value);
    }
    return out;
}

std::string Given::text(std::string_view name) const {
    const std::string* const text = find(name);
    return text == nullptr ? std::string() : *text;
}

std::optional<std::uint64_t> Given::number(std::string_view name) const {
    const std::string* const text = find(name);
    return text == nullptr ? std::nullopt : base::number_of<std::uint64_t>(*text);
}

store::GameFilter Given::filter() const {
    store::GameFilter filter;
    for (const auto& field : filter_fields()) {
        for (const auto& [name, value] : values_) {
            if (name == field.text.name) set_field(filter, name, value);
        }
    }
    return filter;
}

store::GameOrder Given::order() const {
    const std::string* const sort = find("sort");
    return sort == nullptr ? store::GameOrder::kId : query::game_order_of(*sort);
}

Match Given::match() const {
    const std::string* const match = find("match");
    if (match == nullptr) return Match::kExact;
    try {
        return query::match_of(*match);
    } catch (const std::invalid_argument& error) {
        throw QuestionError("bad_match", "match", error.what());
    }
}

chess::FenDialect Given::dialect() const {
    const std::string asked = text("dialect");
    for (const chess::FenDialectName& each : chess::kFenDialects) {
        if (each.name == asked) return each.dialect;
    }
    return chess::FenDialect::kStandard;
}

std::optional<chess::Variant> Given::variant() const {
    const std::string* const name = find("variant");
    if (name == nullptr) return std::nullopt;
    const chess::Variant variant = chess::variant_of(*name);
    if (variant == chess::Variant::kOther) {
        throw QuestionError("bad_variant", "variant",
                            "fendex does not know the rules of '" + *name + "'");
    }
    return variant;
}

Given given_of(const Filter& filter) {
    Given given;
    const auto add = [&](const std::string& name, const std::string& value) {
        if (!value.empty()) given.add(name, value);
    };
    for (const FilterField& field : filter_fields()) {
        if (const auto* const text = std::get_if<std::string Filter::*>(&field.member)) {
            add(field.text.name, filter.*(*text));
        } else if (const auto* const number =
                       std::get_if<std::optional<unsigned> Filter::*>(&field.member)) {
            const std::optional<unsigned>& value = filter.*(*number);
            if (value) add(field.text.name, std::to_string(*value));
        } else if (const auto* const texts =
                       std::get_if<std::vector<std::string> Filter::*>(&field.member)) {
            for (const std::string& each : filter.*(*texts)) add(field.text.name, each);
        }
    }
    add("player", filter.opponent);
    for (const auto& [name, value] : filter.tags) {
        given.add("tag", std::string(name).append(1, '=').append(value));
    }
    return given;
}

bool has_position(const Given& given) {
    return given.find("fen") != nullptr || given.find("play") != nullptr ||
           given.find("moves") != nullptr;
}

Line line_of(const Given& given, Match match, const PasteWords& words) {
    const std::optional<chess::Variant> variant = given.variant();
    Line line;
    line.variant = variant.value_or(chess::Variant::kStandard);
    line.start = chess::AnyPosition::start_of(line.variant);
    if (const std::string* const fen = given.find("fen"); fen != nullptr && !fen->empty()) {
        const PositionText read = read_position(*fen, variant, match, words);
        if (!read.position) {
            throw QuestionError("bad_fen", "fen", reason_of(*fen, read, words),
                                detail_of(*fen, read));
        }
        line.start = *read.position;
        line.variant = read.variant.value_or(chess::Variant::kStandard);
    }
    line.end = line.start;
    if (const std::string* const play = given.find("play")) play_uci(*play, line);
    const std::string* const moves = given.find("moves");
    if (moves != nullptr && !moves->empty()) play_typed(*moves, line);
    const std::string against = query::reason_against(match, line.end.variant());
    if (!against.empty()) throw QuestionError("bad_match", "match", against);
    return line;
}

}  // namespace fendex::ask
