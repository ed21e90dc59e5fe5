#include "query/move_text.hpp"

#include <optional>

namespace fendex::query {

namespace {

using Types = MoveCondition::Types;

/// The letters of pieces in SAN, in the order of chess::PieceType.
constexpr std::string_view kLetters = "PNBRQK";

constexpr bool is_file(char c) { return c >= 'a' && c <= 'h'; }
constexpr bool is_rank(char c) { return c >= '1' && c <= '8'; }

/// A file, a rank, both or neither.
struct Squares {
    std::optional<unsigned> file;
    std::optional<unsigned> rank;

    bool any() const { return file || rank; }
    chess::Bitboard mask() const {
        return (file ? chess::file_mask(*file) : ~chess::Bitboard{0}) &
               (rank ? chess::rank_mask(*rank) : ~chess::Bitboard{0});
    }
};

class MoveReader {
  public:
    MoveReader(std::string_view text, MoveCondition& out) : text_(text), out_(out) {}

    std::string read() {
        out_.needs_move = true;
        if (text_ == "O-O" || text_ == "0-0") return read_castling(true);
        if (text_ == "O-O-O" || text_ == "0-0-0") return read_castling(false);
        bool has_movers = false;
        if (std::string error = read_types(out_.movers, has_movers); !error.empty()) return error;
        out_.drops = false;
        const bool is_piece_alone = has_movers && at_ == text_.size();
        if (!is_piece_alone || (out_.movers & MoveCondition::type(chess::PieceType::kKing)) == 0) {
            out_.castles_short = out_.castles_long = false;
        }
        if (is_piece_alone) return {};
        if (!has_movers && next() != 'x' && next() != '@') {
            out_.movers = MoveCondition::type(chess::PieceType::kPawn);
        }
        if (std::string error = read_squares(); !error.empty()) return error;
        if (std::string error = read_promotion(); !error.empty()) return error;
        return at_ == text_.size() ? std::string() : unexpected();
    }

  private:
    char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool skip(char c) {
        if (next() != c) return false;
        ++at_;
        return true;
    }

    std::string at_character(const std::string& what) const {
        return "character " + std::to_string(at_ + 1) + ": " + what;
    }
    std::string unexpected() const {
        if (next() == '+' || next() == '#') {
            return at_character("moves are written without + and #, which are not compared");
        }
        return at_character('\'' + std::string(1, next()) +
                            "' is not expected in a move; moves are like Nf3, Rac1, xf7, [NB]xQ, "
                            "e8=Q, O-O or Nf3-g1-e2");
    }

    std::string read_castling(bool is_short) {
        out_.moves = out_.drops = false;
        (is_short ? out_.castles_long : out_.castles_short) = false;
        return {};
    }

    /// Reads pieces, if there are some here.
    std::string read_types(Types& types, bool& found) {
        found = true;
        if (skip('!')) return {};
        if (const auto one = kLetters.find(next()); one != std::string_view::npos) {
            ++at_;
            types = static_cast<Types>(1U << one);
            return {};
        }
        found = next() == '[';
        if (!found) return {};
        ++at_;
        const bool none_of = skip('^');
        Types set = 0;
        while (!skip(']')) {
            const auto one = kLetters.find(next());
            if (one == std::string_view::npos) {
                return at_ == text_.size()
                           ? at_character("a ] is missing")
                           : at_character("only K, Q, R, B, N and P can be in brackets");
            }
            set |= static_cast<Types>(1U << one);
            ++at_;
        }
        if (set == 0) return at_character("there is nothing between the brackets");
        types = none_of ? static_cast<Types>(MoveCondition::kAnyType & ~set) : set;
        return {};
    }

    Squares read_place() {
        Squares out;
        if (is_file(next())) out.file = static_cast<unsigned>(text_[at_++] - 'a');
        if (is_rank(next())) out.rank = static_cast<unsigned>(text_[at_++] - '1');
        return out;
    }

    /// Reads from where and to where, and what is captured.
    std::string read_squares() {
        const Squares first = read_place();
        if (next() == '-') return read_route(first);
        if (skip('@')) {
            if (first.any()) return at_character("a drop comes from no square");
            out_.moves = false;
            out_.drops = true;
            out_.to = read_place().mask();
            return {};
        }
        const bool captures = skip('x');
        if (captures) {
            out_.captures = MoveCondition::Captures::kOnly;
            bool named = false;
            if (std::string error = read_types(out_.victims, named); !error.empty()) return error;
        }
        const Squares second = read_place();
        const bool has_origin = captures || second.any();
        if (has_origin) out_.from = first.mask();
        out_.to = has_origin ? second.mask() : first.mask();
        return {};
    }

    std::string read_route(const Squares& first) {
        if (!first.file || !first.rank) return at_character("a route begins at a square");
        out_.from = first.mask();
        bool is_first = true;
        while (skip('-')) {
            const Squares place = read_place();
            if (!place.file || !place.rank) {
                return at_character("a route has a square here, as in Nf3-g1-e2");
            }
            if (is_first) {
                out_.to = place.mask();
            } else {
                out_.route.push_back(chess::make_square(*place.file, *place.rank));
            }
            is_first = false;
        }
        return {};
    }

    std::string read_promotion() {
        if (next() != '=') return {};
        if (!out_.route.empty()) return at_character("a route has no promotion");
        if (!out_.moves) return at_character("a drop is no promotion");
        ++at_;
        bool found = false;
        if (std::string error = read_types(out_.becomes, found); !error.empty()) return error;
        return found ? std::string() : at_character("the piece is missing, as in e8=Q");
    }

    std::string_view text_;
    MoveCondition& out_;
    std::size_t at_ = 0;
};

}  // namespace

std::string read_move_condition(std::string_view text, MoveCondition& out) {
    return MoveReader(text, out).read();
}

}  // namespace fendex::query
