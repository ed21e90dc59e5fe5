// GET /api/v1/position: a position and its legal moves, in every variant.
#include <algorithm>

#include "ask/fields.hpp"
#include "chess/movegen.hpp"
#include "chess/variant_movegen.hpp"
#include "query/position_json.hpp"
#include "query/tree_json.hpp"
#include "replay/opening_names.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"

namespace fendex::serve::api {

namespace {

/// Adds the member pockets: in Crazyhouse a text like "QNP" for each colour, else null.
void add_pockets(const chess::AnyPosition& position, json::Object& object) {
    const chess::VariantPosition* const variant = position.of_variant();
    if (variant == nullptr || variant->variant() != chess::Variant::kCrazyhouse) {
        return object.add_null("pockets");
    }
    const auto pocket = [&](chess::Color color) {
        std::string pieces;
        for (const char letter : {'Q', 'R', 'B', 'N', 'P'}) {
            const auto piece = chess::kFenLetters.find(letter) / 2;
            pieces.append(variant->pocket(color, static_cast<chess::PieceType>(piece)), letter);
        }
        return pieces;
    };
    object.add_object("pockets", [&](json::Object& pockets) {
        pockets.add("white", pocket(chess::Color::kWhite));
        pockets.add("black", pocket(chess::Color::kBlack));
    });
}

/// Adds the member checks: in Three-check the number that each side has given, else null.
void add_checks(const chess::AnyPosition& position, json::Object& object) {
    const chess::VariantPosition* const variant = position.of_variant();
    if (variant == nullptr || variant->variant() != chess::Variant::kThreeCheck) {
        return object.add_null("checks");
    }
    object.add_object("checks", [&](json::Object& checks) {
        checks.add("white", variant->checks_given(chess::Color::kWhite));
        checks.add("black", variant->checks_given(chess::Color::kBlack));
    });
}

/// Adds the members san and uci of a move, and fen of the position after it.
void add_played(const chess::AnyPosition& before, chess::Move move, chess::Variant variant,
                chess::FenDialect dialect, json::Object& object) {
    object.add("san", chess::to_san(before, move));
    object.add("uci", chess::to_uci(before, move, variant));
    chess::AnyPosition after = before;
    after.play(move);
    object.add("fen", chess::to_fen(after, dialect));
}

/// Adds a legal move, and the parts of its UCI.
void add_legal(const chess::AnyPosition& position, chess::Move move, chess::Variant variant,
               chess::FenDialect dialect, json::Object& object) {
    add_played(position, move, variant, dialect, object);
    const std::string uci = chess::to_uci(position, move, variant);
    const bool drop = uci[1] == '@';
    const auto letter = [&](const char* name, bool there, char value) {
        object.add(name, json::known(std::string(there, static_cast<char>(value | 0x20))));
    };
    object.add("from", json::known(drop ? std::string() : uci.substr(0, 2)));
    object.add("to", uci.substr(2, 2));
    letter("promotion", uci.size() > 4, uci.back());
    letter("drop", drop, uci.front());
}

void add_line(const ask::Line& line, chess::FenDialect dialect, json::Object& object) {
    object.add("start", chess::to_fen(line.start, dialect));
    chess::AnyPosition position = line.start;
    object.add_objects("line", line.moves, [&](json::Object& played, chess::Move move) {
        add_played(position, move, line.variant, dialect, played);
        position.play(move);
        query::add_opening(replay::opening_of(position.key()), played);
    });
}

void answer_position(const Call& call, json::Object& object) {
    const ask::Line line = ask::line_of(call.given);
    const chess::FenDialect dialect = call.given.dialect();
    query::add_position(line.end, line.variant, dialect, object);
    object.add("turn", chess::name_of(line.end.side_to_move()));
    add_pockets(line.end, object);
    add_checks(line.end, object);
    query::add_opening(replay::opening_of(line.end.key()), object);
    add_line(line, dialect, object);
    line.end.visit([&](const auto& position) {
        object.add_objects("legal", chess::legal_moves(position),
                           [&](json::Object& legal, chess::Move move) {
                               add_legal(line.end, move, line.variant, dialect, legal);
                           });
    });
}

}  // namespace

Route position_route(Databases&) {
    Route route;
    route.path = "/api/v1/position";
    route.summary = "A position in every dialect, its status, and its legal moves.";
    route.parameters = ask::joined({ask::position_fields(), {ask::dialect_field()}});
    route.answer = "Position";
    route.plan = [](const Call& call) {
        return object_task(Cost::kLookUp, [call](json::Object& object, const std::stop_token&) {
            answer_position(call, object);
        });
    };
    return route;
}

}  // namespace fendex::serve::api
