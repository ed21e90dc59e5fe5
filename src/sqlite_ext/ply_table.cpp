#include "sqlite_ext/ply_table.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "chess/variant_names.hpp"
#include "codec/posting.hpp"
#include "sqlite_ext/plan.hpp"

namespace fendex::sqlite_ext {

namespace {

struct PlyColumn {
    enum : int { kGameId, kPly, kSan, kUci, kKey, kFen, kEpd, kOccurrence };
};

/// Uses of constraints after those of the game number (GameUse). Each has one argument of the plan,
/// in this order.
enum Use : unsigned {
    kNoUse = 0,
    kKeyEqual = 1U << 3,
    kEpdEqual = 1U << 4,
    kFenEqual = 1U << 5,
    kPlyEqual = 1U << 6,
    kPlyFrom = 1U << 7,
    kPlyTo = 1U << 8,
};
constexpr unsigned kUses = 9;
/// A bit of the plan without an argument: the order of rows is that of keys.
constexpr unsigned kInKeyOrder = 1U << kUses;
constexpr unsigned kByPosition = kKeyEqual | kEpdEqual | kFenEqual;

/// The most games that are read ahead.
constexpr std::size_t kReadAhead = 256;

/// Returns the use of a constraint, or kNoUse.
unsigned use_of(sqlite3_index_info& info, int i) {
    const auto& constraint = info.aConstraint[i];
    const bool equal = constraint.op == SQLITE_INDEX_CONSTRAINT_EQ;
    const bool from =
        constraint.op == SQLITE_INDEX_CONSTRAINT_GT || constraint.op == SQLITE_INDEX_CONSTRAINT_GE;
    const bool to =
        constraint.op == SQLITE_INDEX_CONSTRAINT_LT || constraint.op == SQLITE_INDEX_CONSTRAINT_LE;
    // Texts are looked up byte by byte, so a collation that ignores case or blanks cannot be used.
    const auto exact = [&] { return std::strcmp(sqlite3_vtab_collation(&info, i), "BINARY") == 0; };
    switch (constraint.iColumn) {
        case PlyColumn::kGameId: return game_use(constraint);
        case PlyColumn::kPly: return equal ? kPlyEqual : from ? kPlyFrom : to ? kPlyTo : kNoUse;
        case PlyColumn::kKey: return equal ? kKeyEqual : kNoUse;
        case PlyColumn::kEpd: return equal && exact() ? kEpdEqual : kNoUse;
        case PlyColumn::kFen: return equal && exact() ? kFenEqual : kNoUse;
        default: return kNoUse;
    }
}

/// Estimates with 85 plies per game and a fixed number of games: only the order of the costs
/// matters.
void estimate(unsigned uses, sqlite3_index_info& info) {
    double rows = 1e8;
    if ((uses & kGameEqual) != 0) {
        rows = (uses & kPlyEqual) != 0 ? 1 : 85;
        if ((uses & kPlyEqual) != 0) info.idxFlags |= SQLITE_INDEX_SCAN_UNIQUE;
        info.estimatedCost = 100;
    } else if ((uses & kByPosition) != 0) {
        rows = 10;
        info.estimatedCost = 300;
    } else {
        if ((uses & kGameFrom) != 0) rows /= 4;
        if ((uses & kGameTo) != 0) rows /= 4;
        info.estimatedCost = rows;
        if ((uses & kPlyEqual) != 0) rows /= 85;
        if ((uses & (kPlyFrom | kPlyTo)) != 0) rows /= 2;
        info.estimatedCost = (info.estimatedCost + rows) / 2;
    }
    info.estimatedRows = static_cast<sqlite3_int64>(rows);
}

/// Returns whether the query has DISTINCT. SQLite finds equal rows in another way then, and the
/// order of games is the usual one.
bool is_distinct(sqlite3_index_info& info) {
    constexpr int kFirstThatSays = 3'038'000;
    return sqlite3_libversion_number() >= kFirstThatSays && sqlite3_vtab_distinct(&info) > 1;
}

/// Returns whether rows ordered by key, game and ply satisfy the ORDER BY of the query, which reads
/// no other columns.
bool in_key_order(sqlite3_index_info& info) {
    constexpr int kOrder[] = {PlyColumn::kKey, PlyColumn::kGameId, PlyColumn::kPly};
    constexpr sqlite3_uint64 kRead =
        1U << PlyColumn::kGameId | 1U << PlyColumn::kPly | 1U << PlyColumn::kKey;
    if (info.nOrderBy == 0 || (info.colUsed & ~kRead) != 0 || is_distinct(info)) return false;
    for (int i = 0; i < info.nOrderBy; ++i) {
        // All three are unique, so later terms do not matter.
        if (i == std::ssize(kOrder)) break;
        if (info.aOrderBy[i].desc != 0 || info.aOrderBy[i].iColumn != kOrder[i]) return false;
    }
    return true;
}

/// The name of the plan in EXPLAIN QUERY PLAN.
const char* name_of(unsigned uses) {
    if ((uses & kInKeyOrder) != 0) return "order of keys";
    if ((uses & kGameEqual) != 0) return (uses & kPlyEqual) != 0 ? "game_id and ply" : "game_id";
    if ((uses & kKeyEqual) != 0) return "key";
    if ((uses & kEpdEqual) != 0) return "epd";
    if ((uses & kFenEqual) != 0) return "fen";
    if ((uses & (kGameFrom | kGameTo)) != 0) return "game_id range";
    return "all games";
}

/// Returns the question for rows whose FEN or EPD is this text, which may stand for a different
/// position in each variant.
query::Question question_of_text(std::string_view text) {
    query::Question question;
    for (const chess::Variant variant : chess::known_variants()) {
        if (variant == chess::Variant::kChess960) continue;  // has the same keys as standard chess
        const auto position = chess::any_position(chess::parse_any_fen(text, variant));
        if (!position) continue;
        const std::uint64_t key = position->key();
        const auto same = [&](const query::Question::Target& each) { return each.key == key; };
        if (std::ranges::none_of(question.targets, same)) {
            question.targets.push_back({key, std::nullopt, false});
        }
    }
    return question;
}

}  // namespace

int PlyTable::best_index(sqlite3_index_info& info) {
    int chosen[kUses];
    std::ranges::fill(chosen, -1);
    for (int i = 0; i < info.nConstraint; ++i) {
        if (info.aConstraint[i].usable == 0) continue;
        const unsigned use = use_of(info, i);
        for (unsigned u = 0; u < kUses; ++u) {
            if (use == 1U << u && chosen[u] < 0) chosen[u] = i;
        }
    }
    // Search by one thing only: a game, else a position, else a range of games. SQLite checks the
    // rest.
    const auto drop = [&](unsigned first, unsigned last) {
        std::fill(chosen + first, chosen + last + 1, -1);
    };
    if (chosen[0] >= 0) drop(1, 5);
    for (unsigned u = 3; u <= 5; ++u) {
        if (chosen[u] >= 0) drop(u + 1, 5);
    }
    unsigned uses = 0;
    int arguments = 0;
    for (unsigned u = 0; u < kUses; ++u) {
        if (chosen[u] < 0) continue;
        uses |= 1U << u;
        info.aConstraintUsage[chosen[u]].argvIndex = ++arguments;
    }
    info.orderByConsumed = in_game_order(info, (uses & kGameEqual) != 0) ? 1 : 0;
    if ((uses & (kGameEqual | kByPosition)) == 0 && in_key_order(info)) {
        uses |= kInKeyOrder;
        info.orderByConsumed = 1;
    }
    info.idxNum = static_cast<int>(uses);
    info.idxStr = const_cast<char*>(name_of(uses));  // not freed: needToFreeIdxStr stays 0
    estimate(uses, info);
    return SQLITE_OK;
}

void PlyTable::filter(int plan, std::span<sqlite3_value*> arguments) {
    const auto uses = static_cast<unsigned>(plan);
    ids_ = {};
    ids_.first = 1;
    plies_ = {};
    plies_.first = 0;
    by_position_ = (uses & kByPosition) != 0;
    eof_ = true;
    walk_.reset();
    hits_.reset();
    by_key_.reset();
    query::Question question;
    std::size_t next = 0;
    for (unsigned use = 1; use < 1U << kUses; use <<= 1) {
        if ((uses & use) == 0) continue;
        sqlite3_value* value = arguments[next++];
        switch (use) {
            case kGameEqual: ids_.equal(value); break;
            case kGameFrom: ids_.at_least(value); break;
            case kGameTo: ids_.at_most(value); break;
            case kPlyEqual: plies_.equal(value); break;
            case kPlyFrom: plies_.at_least(value); break;
            case kPlyTo: plies_.at_most(value); break;
            case kKeyEqual: {
                IntegerRange keys;
                keys.equal(value);
                if (!keys.empty()) {
                    question = query::Question::of_key(static_cast<std::uint64_t>(keys.first));
                }
                break;
            }
            default: question = question_of_text(text_of(value)); break;
        }
    }
    if (ids_.empty() || plies_.empty() || (by_position_ && question.targets.empty())) return;
    eof_ = false;
    if (by_position_) {
        session_.reader();  // refreshes it for this statement
        hits_.emplace(search_, std::move(question));
        hit_ply_ = 0;
        hit_.plies.clear();
        settle_on_hit();
        return;
    }
    if ((uses & kInKeyOrder) != 0) return sort_by_key();
    games_read_ = 0;
    game_ = 0;
    read_ahead_ = 1;
    last_games_ = false;
    read_games();
    settle();
}

/// Calls visit(game, moves), which returns whether to go on, for the games from ids_.first to
/// ids_.last. The moves are null for a game that has no positions.
template <typename Visit>
void PlyTable::for_each_game(Visit visit) {
    session_.reader().for_each_moves(
        static_cast<store::GameId>(ids_.first),
        [&](store::GameId id, const store::StoredMoves& moves) {
            if (static_cast<std::int64_t>(id) > ids_.last) return false;
            if (moves.facts.plies > codec::Posting::kMaxPly) {
                throw store::DamageError("damaged database: game " + std::to_string(id) + " has " +
                                         std::to_string(moves.facts.plies) + " plies");
            }
            return visit(id, replay::has_positions(moves) ? &moves : nullptr);
        });
}

/// Replays all games and goes to the first row.
void PlyTable::sort_by_key() {
    by_key_.emplace();
    for_each_game([&](store::GameId id, const store::StoredMoves* moves) {
        if (moves != nullptr) by_key_->add(id, *moves, plies_.first, plies_.last);
        return true;
    });
    by_key_->begin();
    enter_sorted();
}

void PlyTable::enter_sorted() {
    eof_ = by_key_->at_end();
    if (eof_) return;
    id_ = by_key_->game();
    ply_ = by_key_->ply();
}

/// Reads games from ids_.first on; each call reads more games than the last one.
void PlyTable::read_games() {
    games_read_ = 0;
    game_ = 0;
    if (last_games_) return;
    last_games_ = true;
    for_each_game([&](store::GameId id, const store::StoredMoves* moves) {
        if (moves != nullptr) {
            if (games_.size() == games_read_) games_.emplace_back();
            games_[games_read_].id = id;
            games_[games_read_].moves = *moves;
            ++games_read_;
        }
        last_games_ = static_cast<std::int64_t>(id) == ids_.last;
        if (!last_games_) ids_.first = static_cast<std::int64_t>(id) + 1;
        return games_read_ < read_ahead_ && !last_games_;
    });
    last_games_ = last_games_ || games_read_ < read_ahead_;
    read_ahead_ = std::min(kReadAhead, 2 * read_ahead_);
}

/// Goes to the first wanted ply of this game, or of the next game that has one.
void PlyTable::settle() {
    while (true) {
        for (; game_ < games_read_; ++game_) {
            const Game& game = games_[game_];
            if (plies_.first > static_cast<std::int64_t>(game.moves.facts.plies)) continue;
            enter(game.id, &game.moves, static_cast<std::uint32_t>(plies_.first));
            return;
        }
        if (last_games_) break;
        read_games();
    }
    eof_ = true;
}

/// Goes to the next wanted ply of a hit, starting with this one.
void PlyTable::settle_on_hit() {
    while (true) {
        for (; hit_ply_ < hit_.plies.size(); ++hit_ply_) {
            const std::uint32_t ply = hit_.plies[hit_ply_];
            if (ply < plies_.first || ply > plies_.last) continue;
            if (hit_.game == id_ && walk_) {
                ply_ = ply;
            } else {
                enter(hit_.game, nullptr, ply);
            }
            return;
        }
        hit_ply_ = 0;
        if (!hits_->next(hit_)) break;
    }
    eof_ = true;
}

void PlyTable::enter(store::GameId game, const store::StoredMoves* moves, std::uint32_t ply) {
    id_ = game;
    moves_ = moves;
    ply_ = ply;
    walk_.reset();
    occurrences_.reset();
}

void PlyTable::next() {
    if (by_key_) {
        by_key_->advance();
        enter_sorted();
    } else if (by_position_) {
        ++hit_ply_;
        settle_on_hit();
    } else if (ply_ < moves_->facts.plies && static_cast<std::int64_t>(ply_) < plies_.last) {
        ++ply_;
    } else {
        ++game_;
        settle();
    }
}

const store::StoredMoves& PlyTable::moves() {
    if (moves_ == nullptr) {
        if (!session_.reader().moves(id_, hit_moves_)) {
            store::throw_no_game(id_);
        }
        moves_ = &hit_moves_;
    }
    return *moves_;
}

/// Replays up to the row's position. before_ and move_ are the position and move before it, unless
/// the row is the start.
const replay::AnyWalk& PlyTable::walk() {
    if (!walk_) walk_.emplace(id_, moves());
    while (walk_->ply() < ply_) {
        if (walk_->at_end()) {
            walk_->require_intact();
            throw store::DamageError("damaged database: game " + std::to_string(id_) +
                                     " has no ply " + std::to_string(ply_));
        }
        if (walk_->ply() + 1 == ply_) {
            before_ = walk_->position();
            move_ = walk_->next_move();
        }
        walk_->advance();
    }
    return *walk_;
}

void PlyTable::column(sqlite3_context* context, int number) {
    char fen[chess::kMaxFenLength];
    const auto written = [&](const char* end) {
        set_result(context, std::string_view(fen, static_cast<std::size_t>(end - fen)));
    };
    switch (number) {
        case PlyColumn::kGameId: return set_result(context, id_);
        case PlyColumn::kPly: return set_result(context, ply_);
        case PlyColumn::kSan:
        case PlyColumn::kUci:
            if (ply_ == 0) return;
            walk();
            text_.clear();
            if (number == PlyColumn::kSan) {
                chess::append_san(before_, move_, text_);
            } else {
                chess::append_uci(before_, move_, moves().facts.variant, text_);
            }
            return set_result(context, text_);
        case PlyColumn::kKey:
            if (by_key_) return set_result(context, by_key_->key());
            return set_result(context,
                              walk().visit([](const auto& at) { return at.position().key(); }));
        case PlyColumn::kFen:
            return written(walk().visit([&](const auto& at) {
                return chess::write_fen(at.position(), chess::FenDialect::kStandard, fen);
            }));
        case PlyColumn::kEpd:
            return written(
                walk().visit([&](const auto& at) { return chess::write_epd(at.position(), fen); }));
        case PlyColumn::kOccurrence:
            if (!occurrences_) occurrences_.emplace(session_.reader().repetitions(id_));
            return set_result(context, occurrences_->at(ply_));
        default: return;
    }
}

/// Unique, because no game is longer than codec::Posting::kMaxPly.
std::int64_t PlyTable::rowid() const {
    return static_cast<std::int64_t>(id_ << codec::Posting::kPlyBits | ply_);
}

}  // namespace fendex::sqlite_ext
