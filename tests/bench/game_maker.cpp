#include "game_maker.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/ordered_pipeline.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "replay/opening_names.hpp"

namespace fendex::bench {

namespace {

using namespace chess;  // this file is mostly chess

constexpr std::size_t kLineLength = 79;
constexpr std::uint64_t kGamesPerTask = 500;
/// FIDE 9.6.2: the game ends after 75 moves of each side without capture or pawn move.
constexpr unsigned kMaxHalfmoveClock = 150;

Square any_of(Bitboard squares, Random& random) {
    for (std::uint64_t skip = random.below(count(squares)); skip != 0; --skip) {
        squares &= squares - 1;
    }
    return lowest(squares);
}

Bitboard pawn_targets(const Position& p, Square from) {
    const Color us = p.side_to_move();
    const Bitboard empty = ~p.occupied();
    const bool white = us == Color::kWhite;
    const Bitboard one = (white ? bit(from) << 8 : bit(from) >> 8) & empty;
    const Bitboard start = rank_mask(white ? 2 : 5);
    const Bitboard two = (white ? (one & start) << 8 : (one & start) >> 8) & empty;
    const Square behind = p.en_passant_square();
    const Bitboard capturable = p.pieces(~us) | (behind == kNoSquare ? 0 : bit(behind));
    return one | two | (pawn_attacks(us, from) & capturable);
}

MoveKind pawn_kind(const Position& p, Square from, Square to, Random& random) {
    if (rank_of(to) == back_rank(~p.side_to_move())) {
        return random.one_in(16) ? MoveKind::kPromoteKnight : MoveKind::kPromoteQueen;
    }
    if (to == p.en_passant_square() && file_of(to) != file_of(from)) return MoveKind::kEnPassant;
    return (from ^ to) == 16 ? MoveKind::kDoublePush : MoveKind::kNormal;
}

std::optional<Move> castling(const Position& p) {
    const Color us = p.side_to_move();
    for (const bool short_side : {true, false}) {
        const Square rook = p.castling_rook(us, short_side);
        if (rook == kNoSquare) continue;
        const Move move(p.king(us), rook, MoveKind::kCastle);
        if (p.is_legal(move)) return move;
    }
    return std::nullopt;
}

std::optional<Move> any_legal_move(const Position& p, Random& random) {
    MoveList moves;
    legal_moves(p, moves);
    if (moves.empty()) return std::nullopt;
    return moves.begin()[random.below(moves.size())];
}

/// Chooses a piece and one of the squares that it attacks. Usually the first choice is legal, so
/// that no list of moves is needed. Empty if there is no legal move.
std::optional<Move> choose_move(const Position& p, bool in_check, Random& random) {
    if (in_check) return any_legal_move(p, random);
    const Color us = p.side_to_move();
    const Bitboard own = p.pieces(us);
    const Bitboard enemies = p.pieces(~us);
    if ((p.castling_rooks() & own) != 0 && random.one_in(4)) {
        if (const std::optional<Move> move = castling(p)) return move;
    }
    for (unsigned tries = 0; tries < 12; ++tries) {
        const Square from = any_of(own, random);
        const PieceType type = type_of(p.piece_on(from));
        if (type == PieceType::kKing && count(own) > 4 && !random.one_in(4)) continue;
        Bitboard targets = type == PieceType::kPawn ? pawn_targets(p, from)
                                                    : attacks(type, from, p.occupied()) & ~own;
        if (targets == 0) continue;
        if ((targets & enemies) != 0 && random.one_in(2)) targets &= enemies;
        const Square to = any_of(targets, random);
        const bool foolish = type != PieceType::kPawn && (enemies & bit(to)) == 0 &&
                             (pawn_attacks(us, to) & p.pieces(~us, PieceType::kPawn)) != 0;
        if (foolish && !random.one_in(8)) continue;
        const Move move(
            from, to,
            type == PieceType::kPawn ? pawn_kind(p, from, to, random) : MoveKind::kNormal);
        if (p.is_legal(move)) return move;
    }
    return any_legal_move(p, random);
}

/// Movetext in the usual layout of archives: "1.e4 c5 2.Nf3", in lines. With clocks in one line, as
/// online servers have it: "1. e4 { [%clk 0:03:00] } 1... c5 { [%clk 0:03:00] }".
class Movetext {
  public:
    Movetext(std::string& out, std::string_view newline, OnlineGame* online)
        : out_(out), newline_(newline), online_(online) {}

    void move(std::uint32_t ply, std::string_view san) {
        if (online_ != nullptr) return move_with_clock(ply, san);
        char text[32];
        char* end = text;
        if (ply % 2 == 0) {
            end = std::to_chars(text, text + 16, ply / 2 + 1).ptr;
            *end++ = '.';
        }
        end = std::copy(san.begin(), san.end(), end);
        word({text, static_cast<std::size_t>(end - text)});
    }
    void word(std::string_view text) {
        if (online_ == nullptr && column_ + 1 + text.size() > kLineLength) {
            out_ += newline_;
            column_ = 0;
        } else if (column_ != 0) {
            out_ += ' ';
            ++column_;
        }
        out_ += text;
        column_ += text.size();
    }

  private:
    void move_with_clock(std::uint32_t ply, std::string_view san) {
        char number[16];
        const char* const end = std::to_chars(number, number + sizeof number, ply / 2 + 1).ptr;
        out_.append(number, static_cast<std::size_t>(end - number));
        out_ += ply % 2 == 0 ? ". " : "... ";
        out_ += san;
        out_ += ' ';
        online_->append_clock(ply, out_);
        out_ += ' ';
    }

    std::string& out_;
    std::string_view newline_;
    OnlineGame* online_;
    std::size_t column_ = 0;
};

/// True if four characters are a year from 1850 to 2049.
bool is_year(std::string_view text) {
    return text >= "1850" && text <= "2049" &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Appends text with every year in it reduced by `earlier`: the events of another season.
void append_shifted(std::string_view text, unsigned earlier, std::string& out) {
    for (std::size_t i = 0; i < text.size();) {
        if ((text[i] == '1' || text[i] == '2') && text.size() - i >= 4 &&
            is_year(text.substr(i, 4))) {
            unsigned year = 0;
            std::from_chars(text.data() + i, text.data() + i + 4, year);
            out += std::to_string(year - earlier);
            i += 4;
        } else {
            if (text[i] == '"' || text[i] == '\\') out += '\\';
            out += text[i++];
        }
    }
}

}  // namespace

const SourceGame& GameMaker::any_game(Random& random) const {
    return openings_.games()[random.below(openings_.games().size())];
}

void GameMaker::append_player(Random& random, std::string& out) const {
    const SourceGame& one = any_game(random);
    std::string_view name = random.one_in(2) ? one.white : one.black;
    std::string_view given;
    // Now and then a new name: the surname of one player, the given name of another.
    if (random.one_in(12)) {
        const std::string_view other = any_game(random).white;
        const std::size_t comma = other.find(',');
        if (comma != other.npos && name.find(',') != name.npos) {
            name = name.substr(0, name.find(','));
            given = other.substr(comma);
        }
    }
    append_shifted(name, 0, out);
    append_shifted(given, 0, out);
}

void GameMaker::append_tags(std::uint64_t number, const SourceGame& opening, Random& random,
                            std::string_view result, std::string& out) const {
    // Games of an event are consecutive, and often those of a player, as in real archives.
    const std::vector<SourceGame>& games = openings_.games();
    const SourceGame& like = games[number % games.size()];
    const auto earlier = static_cast<unsigned>(number / games.size() % 50);
    const std::string_view close = options_.crlf ? "\"]\r\n" : "\"]\n";
    const auto tag = [&](std::string_view name, std::string_view value, unsigned years = 0) {
        out += '[';
        out += name;
        out += " \"";
        append_shifted(value, years, out);
        out += close;
    };
    const bool keep_white = random.one_in(2);
    const auto player = [&](std::string_view name, std::string_view known, bool keep) {
        if (keep) return tag(name, known);
        out += '[';
        out += name;
        out += " \"";
        append_player(random, out);
        out += close;
    };
    tag("Event", like.event, earlier);
    tag("Site", like.site);
    tag("Date", like.date, earlier);
    tag("Round", like.round);
    player("White", like.white, keep_white);
    player("Black", like.black, !keep_white);
    tag("Result", result);
    tag("WhiteElo", any_game(random).white_elo);
    tag("BlackElo", any_game(random).black_elo);
    tag("ECO", opening.eco);
    out += close.substr(2);
}

std::string_view GameMaker::append_moves(const SourceGame& opening, Random& random,
                                         OnlineGame* online, std::vector<std::uint64_t>& keys,
                                         std::string& out) const {
    const SourceGame& as_long_as = any_game(random);
    const std::uint32_t length = as_long_as.plies;
    const std::uint32_t known = opening.opening_plies;
    const std::uint32_t least = std::min(known, kMinOpeningPlies);
    const std::uint32_t leave = least + static_cast<std::uint32_t>(random.below(known - least + 1));

    static const Position standard;
    Position position = standard;
    Movetext text(out, options_.crlf ? "\r\n" : "\n", online);
    std::uint32_t ply = 0;
    for (const OpeningMove& move : openings_.moves(opening).first(std::min(leave, length))) {
        text.move(ply++, move.text());
        position.play(move.move);
        if (online != nullptr) keys.push_back(position.key());
    }

    std::string san;
    std::string_view result;
    bool in_check = position.in_check();
    while (ply < length || san.ends_with('#')) {
        const std::optional<Move> move = choose_move(position, in_check, random);
        if (!move) {
            result = !in_check                                  ? "1/2-1/2"
                     : position.side_to_move() == Color::kWhite ? "0-1"
                                                                : "1-0";
            break;
        }
        san.clear();
        append_san(position, *move, san);
        text.move(ply++, san);
        position.play(*move);
        in_check = san.back() == '+' || san.back() == '#';
        if (count(position.occupied()) == 2 || position.halfmove_clock() >= kMaxHalfmoveClock) {
            result = "1/2-1/2";
            break;
        }
    }
    if (result.empty()) result = as_long_as.result;
    if (result != "1-0" && result != "0-1" && result != "1/2-1/2") result = "*";
    text.word(result);
    return result;
}

void GameMaker::append_game(std::uint64_t number, std::string& out) const {
    Random random(options_.seed * 0xD1B54A32D192ED03ULL + number);
    const SourceGame& opening = any_game(random);
    std::optional<OnlineGame> online;
    if (options_.online) online.emplace(options_.seed, number);
    std::string moves;
    std::vector<std::uint64_t> keys;
    const std::string_view result =
        append_moves(opening, random, online ? &*online : nullptr, keys, moves);
    if (online) {
        const auto name = replay::opening_of_game(keys);
        online->append_tags(result, name ? name->text : "A00 ?", out);
    } else {
        append_tags(number, opening, random, result, out);
    }
    out += moves;
    out += options_.crlf ? "\r\n\r\n" : "\n\n";
}

void make_games(const GameMaker& maker, std::uint64_t games, unsigned threads,
                const std::function<void(std::string_view text)>& take) {
    std::uint64_t next = 0;
    base::run_ordered(
        threads, 2 * threads + 2,
        [&]() -> std::optional<std::uint64_t> {
            if (next >= games) return std::nullopt;
            const std::uint64_t first = next;
            next += kGamesPerTask;
            return first;
        },
        [&](unsigned, std::uint64_t first) {
            std::string text;
            text.reserve(kGamesPerTask * 1024);
            const std::uint64_t end = std::min(games, first + kGamesPerTask);
            for (std::uint64_t number = first; number < end; ++number) {
                maker.append_game(number, text);
            }
            return text;
        },
        [&](const std::string& text) { take(text); });
}

}  // namespace fendex::bench
