#include "serve/api/hits.hpp"

#include <memory>
#include <utility>

#include "base/hex.hpp"
#include "query/pattern_text.hpp"
#include "serve/api/game_order.hpp"

namespace fendex::serve::api {

namespace {

query::PositionPattern pattern_of(const Call& call, chess::Variant variant) {
    const std::string* const board = call.find("pattern");
    const std::string* const material = call.find("material");
    query::PatternText text;
    if (board != nullptr) text.board = *board;
    if (material != nullptr) text.material = *material;
    text.either_side = flag_of(call, "either-side");
    text.variant = variant;
    query::PatternResult result = query::parse_pattern(text);
    if (!result.pattern) {
        throw Refusal{400, "bad_pattern", result.error, std::string(result.field)};
    }
    return *std::move(result.pattern);
}

query::Question question_of_key(const std::string& text) {
    if (const auto key = base::key_of_hex(text)) return query::Question::of_key(*key);
    throw Refusal{400, "bad_key", "key takes 16 hex digits, not '" + text + "'", "key"};
}

}  // namespace

Parameters question_parameters() {
    return joined(
        {position_parameters(),
         {{"key", "the position with this Zobrist key, 16 hex digits"},
          {"pattern",
           "positions that look like this, ranks 8 to 1 as in a FEN: ? any square, ! any piece, A "
           "or a any white or black piece, [Qq] one of these, [^Pp] none of these, * the other "
           "squares of the rank"},
          {"material",
           "positions with exactly these pieces, KRPvKR, or with so many of some, Q=1 R>=1 q=0"},
          flag_parameter("either-side", "find the pattern or material with colours exchanged, too"),
          flag_parameter("variations", "look in variations, too: a row for each place"),
          match_parameter()}});
}

bool asks_pattern(const Call& call) {
    return call.find("pattern") != nullptr || call.find("material") != nullptr;
}

HitsRequest hits_request(const Call& call) {
    HitsRequest asked;
    asked.filter = filter_of(call);
    asked.order = game_order_of(call);
    asked.variations = flag_of(call, "variations");
    const bool pattern = asks_pattern(call);
    const std::string* const key = call.find("key");
    if ((pattern ? 1 : 0) + (key != nullptr ? 1 : 0) + (asks_position(call) ? 1 : 0) > 1) {
        throw Refusal{400, "bad_question",
                      "ask for a position, for a key, or for pattern and material, not for several",
                      pattern ? "pattern" : "key"};
    }
    if (asked.variations && (pattern || asked.order != query::GameOrder::kId)) {
        throw Refusal{400, "bad_question",
                      "variations goes with positions in the order of games, without sort, pattern "
                      "and material",
                      "variations"};
    }
    if (pattern) {
        if (!asked.filter.variant) asked.filter.variant = chess::Variant::kStandard;
        asked.pattern = pattern_of(call, *asked.filter.variant);
        return asked;
    }
    if (flag_of(call, "either-side")) {
        throw Refusal{400, "bad_question", "either-side goes with pattern or material",
                      "either-side"};
    }
    const query::Match match = match_of(call);
    if (key != nullptr) {
        if (match != query::Match::kExact) {
            throw Refusal{400, "bad_match", "a key has no board: match asks for a position",
                          "match"};
        }
        asked.question = question_of_key(*key);
    } else {
        asked.question = query::Question::of(line_of(call, match).end, match);
        asked.filter = asked.filter.for_position();
    }
    return asked;
}

NextHit hits_in(Source& source, const HitsRequest& asked, std::uint64_t after,
                const std::stop_token& stop) {
    if (asked.pattern) {
        auto cursor = std::make_shared<query::PatternCursor>(*source.reader, source.matcher,
                                                             *asked.pattern, stop, after);
        return [cursor](query::Hit& hit) { return cursor->next(hit); };
    }
    if (!asked.variations) {
        auto cursor =
            std::make_shared<query::HitCursor>(source.positions, *asked.question, stop, after);
        return [cursor](query::Hit& hit) { return cursor->next(hit); };
    }
    auto cursor =
        std::make_shared<query::VariationHitCursor>(source.positions, *asked.question, stop);
    query::Hit skipped;
    while (after-- != 0 && cursor->next(skipped)) {
    }
    return [cursor](query::Hit& hit) { return cursor->next(hit); };
}

}  // namespace fendex::serve::api
