#include "fendex/values.hpp"

#include <array>
#include <utility>

#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "chess/variant_names.hpp"
#include "emit/san_walk.hpp"
#include "replay/stored_walk.hpp"

namespace fendex {

namespace {

std::string text_of(const std::optional<std::string_view>& text) {
    return std::string(text.value_or(std::string_view()));
}

Score score_of(const codec::Tally& tally) {
    return {tally.games, tally.results.white(), tally.results.draws(), tally.results.black()};
}

std::optional<Opening> opening_of(const std::optional<replay::Opening>& opening) {
    if (!opening) return std::nullopt;
    return Opening{std::string(opening->eco), std::string(opening->name)};
}

TreeMove move_of(const query::TreeMove& move) {
    TreeMove out{move.san,
                 move.uci,
                 chess::to_fen(move.after),
                 score_of(move.tally),
                 move.mean_rating(),
                 move.performance(),
                 std::nullopt,
                 move.reached,
                 opening_of(move.opening)};
    if (move.tally.last_date != 0) out.last_year = move.tally.last_date.year();
    return out;
}

}  // namespace

ask::Given given_of(const Question& question) {
    constexpr std::array kMatches = {"exact", "board", "mirrored"};
    Filter filter = question.filter;
    if (!question.variant.empty()) filter.variant = question.variant;
    ask::Given given = ask::given_of(filter);
    if (!question.fen.empty()) given.add("fen", question.fen);
    if (!question.moves.empty()) given.add("moves", question.moves);
    given.add("match", kMatches.at(static_cast<std::size_t>(question.match)));
    if (question.variations) given.add("variations", "true");
    if (!question.eval.empty()) given.add("eval", question.eval);
    return given;
}

ask::Given given_of(const RepeatQuestion& question) {
    ask::Given given = ask::given_of(question.filter);
    if (!question.fen.empty()) given.add("fen", question.fen);
    given.add("min", std::to_string(question.min_count));
    for (const auto& [name, is_set] :
         {std::pair("missed", question.missed), std::pair("claims", question.claims),
          std::pair("perpetual", question.perpetual)}) {
        if (is_set) given.add(name, "true");
    }
    return given;
}

store::GameOrder order_of(Order order) {
    constexpr std::array kOrders = {"id", "date", "elo", "plies"};
    return query::game_order_of(kOrders.at(static_cast<std::size_t>(order)));
}

Game game_of(store::StoreReader& reader, store::GameId id) {
    store::GameHeader header;
    if (!reader.header(id, header)) {
        throw Error(ErrorKind::kAbsent, "there is no game " + std::to_string(id));
    }
    Game game;
    game.id = id;
    game.white = text_of(header.white);
    game.black = text_of(header.black);
    game.result = codec::result_text(header.result);
    game.date = text_of(header.date);
    game.event = text_of(header.event);
    game.site = text_of(header.site);
    game.round = text_of(header.round);
    game.eco = text_of(header.eco);
    game.white_elo = header.white_elo;
    game.black_elo = header.black_elo;
    game.plies = header.plies;
    game.variant = chess::name_of(header.variant);
    return game;
}

Hit hit_of(store::StoreReader& reader, const query::Hit& hit) {
    Hit out{game_of(reader, hit.game), hit.plies, chess::to_fen(hit.position), {}, {}, hit.line};
    if (hit.next) {
        chess::append_san(hit.position, *hit.next, out.san);
        chess::append_uci(hit.position, *hit.next, hit.variant, out.uci);
    }
    return out;
}

Tree tree_of(store::StoreReader& reader, const query::Tree& tree) {
    Tree out;
    out.fen = chess::to_fen(tree.position);
    out.score = score_of(tree.total);
    out.ended = score_of(tree.ended);
    out.opening = opening_of(tree.opening);
    for (const query::TreeMove& move : tree.moves) out.moves.push_back(move_of(move));
    for (const query::NamedGame& named : tree.top_games) {
        out.top_games.push_back({game_of(reader, named.game), named.uci});
    }
    for (const query::NamedGame& named : tree.recent_games) {
        out.recent_games.push_back({game_of(reader, named.game), named.uci});
    }
    return out;
}

Repeat repeat_of(store::StoreReader& reader, query::RepetitionAnalysis& analysis,
                 const query::RepeatedPosition& row) {
    const store::Repetition& repetition = row.repetition;
    const chess::AnyPosition position =
        analysis.position(repetition.game, repetition.plies.front());
    const auto side_of = [](const query::Claim& claim) {
        return claim.by == chess::Color::kWhite ? Side::kWhite : Side::kBlack;
    };
    Repeat out;
    out.game = game_of(reader, repetition.game);
    out.key = position.key();
    out.fen = chess::to_fen(position);
    out.plies = repetition.plies;
    out.third_ply = row.third_ply;
    out.fifth_ply = row.fifth_ply;
    out.played_on = row.played_on;
    if (row.claim) out.claimant = side_of(*row.claim);
    out.white_checks = row.white_checks;
    out.black_checks = row.black_checks;
    if (row.announced_claim) {
        out.announcer = side_of(*row.announced_claim);
        out.announced_plies = row.announced_claim->plies;
        out.announced_move = row.announced_claim->move;
    }
    return out;
}

std::vector<Ply> plies_of(store::StoreReader& reader, store::GameId id,
                          const store::StoredMoves& moves) {
    std::vector<Ply> plies;
    if (!replay::has_positions(moves)) return plies;
    const store::Occurrences occurrences(reader.repetitions(id));
    replay::with_walk(id, moves, [&](auto& walk) {
        Ply ply;
        char san[chess::kMaxSanLength];
        while (true) {
            ply.ply = walk.ply();
            ply.key = walk.position().key();
            ply.fen = chess::to_fen(walk.position());
            ply.epd = chess::to_epd(walk.position());
            ply.occurrence = occurrences.at(walk.ply());
            plies.push_back(ply);
            if (walk.at_end()) break;
            ply.uci.clear();
            chess::append_uci(walk.position(), walk.next_move(), moves.facts.variant, ply.uci);
            ply.san.assign(san, emit::write_san_and_advance(walk, san));
        }
    });
    return plies;
}

}  // namespace fendex
