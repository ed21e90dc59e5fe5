#include "serve/explorer/parameters.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "ask/filter_values.hpp"
#include "base/cut.hpp"
#include "base/number_of.hpp"
#include "base/text_fold.hpp"
#include "chess/fen.hpp"
#include "chess/variant_names.hpp"
#include "store/rating_groups.hpp"

namespace fendex::serve::explorer {

namespace {

using codec::TimeClass;

constexpr std::pair<std::string_view, TimeClass> kSpeeds[] = {
    {"ultraBullet", TimeClass::kUltraBullet},
    {"bullet", TimeClass::kBullet},
    {"blitz", TimeClass::kBlitz},
    {"rapid", TimeClass::kRapid},
    {"classical", TimeClass::kClassical},
    {"correspondence", TimeClass::kCorrespondence}};
constexpr std::pair<std::string_view, codec::Mode> kModes[] = {{"rated", codec::Mode::kRated},
                                                               {"casual", codec::Mode::kCasual}};

[[noreturn]] void refuse(const char* name, std::string_view value, std::string_view why) {
    throw Refusal{400, "bad_" + std::string(name),
                  std::string(name) + ": '" + std::string(value) + "' " + std::string(why), name};
}

/// Returns the value of a parameter; null if it is absent or empty.
const std::string* value_of(const Call& call, const char* name) {
    const std::string* const value = call.find(name);
    return value == nullptr || value->empty() ? nullptr : value;
}

/// Returns the first name of a value.
template <typename Value, std::size_t kCount>
std::optional<std::string_view> name_in(const std::pair<std::string_view, Value> (&names)[kCount],
                                        Value value) {
    for (const auto& [name, named] : names) {
        if (named == value) return name;
    }
    return std::nullopt;
}

template <typename Visit>
void for_each_part(std::string_view list, Visit visit) {
    while (!list.empty()) visit(base::cut(list, ','));
}

/// Reads a list of names. Empty if the parameter is absent.
template <typename Value, std::size_t kCount>
std::optional<std::vector<Value>> read_names(
    const Call& call, const char* parameter,
    const std::pair<std::string_view, Value> (&names)[kCount]) {
    const std::string* const list = call.find(parameter);
    if (list == nullptr) return std::nullopt;
    std::vector<Value> values;
    for_each_part(*list, [&](std::string_view text) {
        const auto* const known = std::ranges::find_if(
            names, [&](const auto& each) { return base::fold(each.first) == base::fold(text); });
        if (known == std::end(names)) refuse(parameter, text, "is not one of the choices");
        values.push_back(known->second);
    });
    return values;
}

void play(chess::AnyPosition& position, std::string_view uci) {
    chess::Move move;
    if (chess::read_uci(position, uci, move) != chess::SanError::kNone ||
        move == chess::Move::null()) {
        refuse("play", uci, "is not a legal move in UCI notation");
    }
    position.play(move);
}

chess::FenResult read_fen(const std::string& text, std::optional<chess::Variant> variant) {
    return chess::parse_any_fen(text, variant, chess::FenMode::kLenient);
}

/// Reads the FEN of a position that has more pieces than a game of its variant can have. Reads it
/// as Crazyhouse, which allows more pieces. Its other rules do not matter, as no game has the
/// position.
std::optional<chess::AnyPosition> with_too_much_material(const std::string& text,
                                                         const chess::FenError& error,
                                                         chess::Variant variant) {
    if (error.field != "placement" || !chess::has_standard_rules(variant)) return std::nullopt;
    return chess::any_position(read_fen(text, chess::Variant::kCrazyhouse));
}

struct Month {
    std::uint32_t year = 0;
    std::uint32_t month = 0;  // 0: none
};

/// Reads "1987" or "1987-11".
Month read_month(const char* name, std::string_view text) {
    const std::size_t dash = std::min(text.find('-'), text.size());
    const auto year = base::number_of<std::uint32_t>(text.substr(0, dash));
    std::optional<std::uint32_t> month = 0;
    bool good = dash <= 4 && year;
    if (dash < text.size()) {
        month = base::number_of<std::uint32_t>(text.substr(dash + 1));
        good = good && text.size() <= dash + 3 && month && *month >= 1 && *month <= 12;
    }
    if (!good) refuse(name, text, "is not a year or a month: write 1987 or 1987-11");
    return {*year, *month};
}

}  // namespace

PositionRequest position_of(const Call& call) {
    std::optional<chess::Variant> variant;
    if (const std::string* const name = value_of(call, "variant")) {
        variant = chess::variant_of(*name);
        if (variant == chess::Variant::kOther) refuse("variant", *name, "is not a variant");
    }
    PositionRequest asked;
    asked.position = chess::AnyPosition::start_of(variant.value_or(chess::Variant::kStandard));
    if (const std::string* const fen = value_of(call, "fen")) {
        const chess::FenResult result = read_fen(*fen, variant);
        std::optional<chess::AnyPosition> position = chess::any_position(result);
        if (!position) {
            position = with_too_much_material(*fen, result.error,
                                              variant.value_or(chess::Variant::kStandard));
            asked.too_much_material = position.has_value();
        }
        if (!position) {
            refuse("fen", *fen,
                   "is not a position: " + std::string(result.error.field) + ": " +
                       result.error.reason);
        }
        asked.position = *position;
    }
    asked.opening = replay::opening_of(asked.position.key());
    if (const std::string* const moves = value_of(call, "play")) {
        for_each_part(*moves, [&](std::string_view uci) {
            play(asked.position, uci);
            if (const auto opening = replay::opening_of(asked.position.key())) {
                asked.opening = opening;
            }
        });
    }
    return asked;
}

std::size_t number_of(const Call& call, const char* name, std::size_t otherwise) {
    const std::string* const text = value_of(call, name);
    if (text == nullptr) return otherwise;
    const auto number = base::number_of<std::size_t>(*text);
    if (!number) refuse(name, *text, "is not a number");
    return *number;
}

bool history_is_wanted(const Call& call) {
    const std::string* const text = value_of(call, "history");
    if (text == nullptr) return false;
    const std::string folded = base::fold(*text);
    for (const std::string_view yes : {"true", "yes", "on", "1"}) {
        if (folded == yes) return true;
    }
    for (const std::string_view no : {"false", "no", "off", "0"}) {
        if (folded == no) return false;
    }
    refuse("history", *text, "is neither true nor false");
}

void read_dates(const Call& call, query::GameFilter& filter) {
    if (const std::string* const since = value_of(call, "since")) {
        const Month month = read_month("since", *since);
        if (month.year != 0) {
            filter.date.low = ask::least_date_like({month.year, month.month, 0});
        }
    }
    if (const std::string* const until = value_of(call, "until")) {
        const Month month = read_month("until", *until);
        filter.date.high =
            codec::Date(month.year, month.month == 0 ? 99 : month.month, 99).number();
    }
}

void read_speeds(const Call& call, query::GameFilter& filter) {
    filter.time_classes = read_names(call, "speeds", kSpeeds);
}

std::optional<std::string_view> name_of(codec::TimeClass speed) { return name_in(kSpeeds, speed); }
std::optional<std::string_view> name_of(codec::Mode mode) { return name_in(kModes, mode); }

void read_ratings(const Call& call, query::GameFilter& filter) {
    const std::string* const list = call.find("ratings");
    if (list == nullptr) return;
    filter.mean_elo.emplace();
    for_each_part(*list, [&](std::string_view text) {
        const auto number = base::number_of<std::uint32_t>(text);
        if (!number) refuse("ratings", text, "is not a rating");
        // Any rating inside a group names the group, as in the Lichess explorer.
        filter.mean_elo->push_back(store::ratings_of_group(codec::rating_group_of(*number)));
    });
}

void read_modes(const Call& call, query::GameFilter& filter) {
    filter.modes = read_names(call, "modes", kModes);
}

chess::Color read_player(const Call& call, query::GameFilter& filter) {
    const std::string* const player = value_of(call, "player");
    if (player == nullptr) throw Refusal{400, "bad_player", "player: is missing", "player"};
    const std::string* const color = value_of(call, "color");
    if (color == nullptr) throw Refusal{400, "bad_color", "color: is missing", "color"};
    const std::string folded = base::fold(*color);
    if (folded == "white") {
        filter.white_named = *player;
        return chess::Color::kWhite;
    }
    if (folded != "black") refuse("color", *color, "is neither white nor black");
    filter.black_named = *player;
    return chess::Color::kBlack;
}

}  // namespace fendex::serve::explorer
