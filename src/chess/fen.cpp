// Reading FEN. The text is cut into words first, whatever separates them; then each field has a
// function of its own, which fills in its part of the setup or says what is wrong with it.
#include "chess/fen.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/cut.hpp"
#include "base/number_of.hpp"
#include "base/trimmed.hpp"
#include "chess/epd.hpp"
#include "chess/fen_text.hpp"

namespace fendex::chess {

namespace {

using fen_text::is_letter;
using fen_text::is_upper;
constexpr auto next_word = base::cut_word<' '>;

constexpr char lower(char c) { return is_upper(c) ? static_cast<char>(c + 32) : c; }

/// Returns text of unknown origin, made safe for a message.
std::string quoted(std::string_view text) {
    constexpr std::size_t kLongest = 20;
    std::string out = "'";
    for (const char c : text.substr(0, kLongest)) out += fen_text::is_printable(c) ? c : '?';
    out += text.size() > kLongest ? "...'" : "'";
    return out;
}

constexpr auto kPieceOfLetter = [] {
    std::array<Piece, 128> pieces{};
    pieces.fill(Piece::kNone);
    for (unsigned i = 0; i < kFenLetters.size(); ++i) {
        pieces[static_cast<unsigned char>(kFenLetters[i])] = static_cast<Piece>(i);
    }
    return pieces;
}();

Piece piece_of_letter(char c) {
    const auto code = static_cast<unsigned char>(c);
    return code < kPieceOfLetter.size() ? kPieceOfLetter[code] : Piece::kNone;
}

/// Returns the message for a word that is neither a field nor marked as an operation.
std::string unexpected(std::string_view word) {
    return is_letter(word[0]) ? " (an EPD operation ends with ';')" : "";
}

class FenReader {
  public:
    FenReader(FenMode mode, std::optional<Variant> variant, bool any)
        : mode_(mode), any_(any), variant_(variant) {}

    FenResult read(std::string_view text) {
        if (read_all(base::trimmed(text, fen_text::kBlanks))) finish();
        return std::move(result_);
    }

  private:
    bool fail(std::string_view field, std::string reason) {
        result_.error = {field, std::move(reason)};
        return false;
    }
    /// Handles an error in a part that lenient reading leaves out. Returns true if reading can go
    /// on without it.
    bool drop_or_fail(std::string_view field, std::string reason) {
        if (mode_ == FenMode::kStrict) return fail(field, std::move(reason));
        result_.dropped.push_back({field, std::move(reason)});
        return true;
    }

    bool read_all(std::string_view text);
    bool read_placement(std::string_view word);
    bool read_rank(std::string_view squares, unsigned rank);
    bool read_pockets(std::string_view pieces);
    bool tells_variant(std::string_view field, Variant variant);
    bool check_placement();
    bool read_side(std::string_view word);
    bool read_castling(std::string_view word);
    bool read_right(char letter);
    std::string why_no_right(char letter, Square& rook) const;
    bool read_en_passant(std::string_view word);
    bool read_checks_left(std::string_view& words);
    bool read_checks_given(std::string_view word);
    bool read_clocks(std::string_view& words, bool operations_follow);
    bool read_number(std::string_view field, std::string_view word, unsigned& number);
    void read_clock_operations();
    void finish();
    void finish_standard();
    void finish_variant(Variant variant);

    Bitboard at_home(Color c, PieceType type) const {
        return rank_mask(back_rank(c)) & squares_of(setup_, make_piece(c, type));
    }

    FenMode mode_;
    bool any_;  // variants are allowed, too
    std::optional<Variant> variant_;
    VariantSetup setup_;
    FenResult result_;
};

bool FenReader::read_all(std::string_view text) {
    if (text.empty()) return fail("fen", "empty");
    if (std::ranges::any_of(text, [](char c) { return c == '\r' || c == '\n'; })) {
        return fail("fen", "two lines");
    }
    // EPD operations are not interpreted. The first one contains one of these characters.
    const auto* const operation =
        std::ranges::find_if(text, [](char c) { return c == ';' || c == '"'; });
    const std::size_t operations = operation == text.end()
                                       ? std::string_view::npos
                                       : static_cast<std::size_t>(operation - text.begin());
    const std::string_view head = text.substr(0, operations);
    for (std::size_t i = 0; i < head.size(); ++i) {
        if (static_cast<unsigned char>(head[i]) >= 0x80) {
            return fail("fen", "non-ASCII character at column " + std::to_string(i + 1));
        }
    }
    const fen_text::PlainText plain(head);
    std::string_view rest = plain.plain();
    if (!(read_placement(next_word(rest)) && check_placement() && read_side(next_word(rest)) &&
          read_castling(next_word(rest)) && read_en_passant(next_word(rest)) &&
          read_checks_left(rest) && read_clocks(rest, operations != std::string_view::npos))) {
        return false;
    }
    if (operations != std::string_view::npos) {
        // A record with blanks is not part of a web address, so its words need no unescaping.
        const bool is_address = head.find_first_of(fen_text::kBlanks) == std::string_view::npos;
        result_.operations.append(is_address ? rest : plain.original(rest));
        result_.operations.append(text.substr(operations));
        read_clock_operations();
    }
    return true;
}

/// Reads the clocks of an EPD. It has no fields for them, but may have operations.
void FenReader::read_clock_operations() {
    for (const EpdOperation& each : epd_operations(result_.operations)) {
        const auto number = base::number_of<unsigned>(each.operand);
        if (!number || *number > kMaxClock) continue;
        if (each.opcode == "hmvc") setup_.halfmove = *number;
        if (each.opcode == "fmvn") setup_.fullmove = std::max(*number, 1U);
    }
}

/// Called for text that only FENs of `variant` have. Fails if a FEN of another variant is read.
bool FenReader::tells_variant(std::string_view field, Variant variant) {
    if (!any_ || (variant_ && *variant_ != variant)) {
        return fail(field, variant == Variant::kCrazyhouse
                               ? "pockets and promoted pieces are of Crazyhouse only"
                               : "checks are counted in Three-check only");
    }
    variant_ = variant;
    return true;
}

/// Reads "NNPPbnp", "" or "-".
bool FenReader::read_pockets(std::string_view pieces) {
    if (!tells_variant("placement", Variant::kCrazyhouse)) return false;
    if (pieces == "-") return true;
    for (const char c : pieces) {
        const Piece piece = piece_of_letter(c);
        if (piece == Piece::kNone || type_of(piece) == PieceType::kKing) {
            return fail("placement", quoted({&c, 1}) + " in a pocket");
        }
        std::uint8_t& count = setup_.pockets[index(color_of(piece))][index(type_of(piece))];
        if (++count > 16) return fail("placement", "too many pieces in a pocket");
    }
    return true;
}

bool FenReader::read_placement(std::string_view word) {
    if (const std::size_t open = word.find('['); open != std::string_view::npos) {
        if (word.back() != ']') return fail("placement", "a pocket without its ]");
        if (!read_pockets(word.substr(open + 1, word.size() - open - 2))) return false;
        word = word.substr(0, open);
    } else if (std::ranges::count(word, '/') == 8) {
        const std::size_t last = word.rfind('/');
        if (any_ && !read_pockets(word.substr(last + 1))) return false;
        if (any_) word = word.substr(0, last);
    }
    std::size_t ranks = 1;
    for (const char c : word) ranks += c == '/' ? 1U : 0U;
    if (ranks != 8) return fail("placement", "ranks: " + std::to_string(ranks) + " instead of 8");
    for (unsigned rank = 8; rank-- > 0;) {
        const std::size_t end = std::min(word.find('/'), word.size());
        if (!read_rank(word.substr(0, end), rank)) return false;
        word.remove_prefix(std::min(end + 1, word.size()));
    }
    return true;
}

bool FenReader::read_rank(std::string_view squares, unsigned rank) {
    const auto where = [&] { return " on rank " + std::to_string(rank + 1); };
    unsigned file = 0;
    bool after_digit = false;
    for (const char c : squares) {
        if (c >= '1' && c <= '8') {
            if (after_digit && mode_ == FenMode::kStrict) {
                return fail("placement", "two numbers in a row" + where());
            }
            after_digit = true;
            file += static_cast<unsigned>(c - '0');
        } else if (c == '~' && file > 0 && file <= 8 && !after_digit) {
            if (!tells_variant("placement", Variant::kCrazyhouse)) return false;
            setup_.promoted |= bit(make_square(file - 1, rank));
        } else {
            const Piece piece = piece_of_letter(c);
            if (piece == Piece::kNone) {
                return fail("placement", quoted({&c, 1}) + " is not a piece," + where());
            }
            if (file < 8) setup_.board[make_square(file, rank)] = piece;
            after_digit = false;
            ++file;
        }
    }
    if (file == 8) return true;
    return fail("placement", "squares: " + std::to_string(file) + " instead of 8" + where());
}

bool FenReader::check_placement() {
    std::optional<FenError> error = placement_error(setup_, variant_.value_or(Variant::kStandard));
    if (!error) return true;
    result_.error = std::move(*error);
    return false;
}

bool FenReader::read_side(std::string_view word) {
    if (word.empty()) return fail("side", "missing");
    if (word != "w" && word != "b") return fail("side", quoted(word) + " is neither w nor b");
    setup_.side = word == "w" ? Color::kWhite : Color::kBlack;
    return true;
}

bool FenReader::read_castling(std::string_view word) {
    if (word.empty()) return fail("castling", "missing");
    if (word == "-") return true;
    if (word.size() > 4) {
        if (!drop_or_fail("castling", "more than four letters: " + quoted(word))) return false;
        word = word.substr(0, 4);
    }
    for (const char letter : word) {
        if (!read_right(letter)) return false;
    }
    return true;
}

bool FenReader::read_right(char letter) {
    Square rook = kNoSquare;
    std::string reason = why_no_right(letter, rook);
    if (!reason.empty()) return drop_or_fail("castling", quoted({&letter, 1}) + ": " + reason);
    setup_.castling |= bit(rook);
    result_.rook_files |= lower(letter) != 'k' && lower(letter) != 'q';
    return true;
}

/// Returns why a letter is not a castling right. If it is one, sets `rook` and returns "".
std::string FenReader::why_no_right(char letter, Square& rook) const {
    const Color c = is_upper(letter) ? Color::kWhite : Color::kBlack;
    const char kind = lower(letter);
    const bool by_file = kind >= 'a' && kind <= 'h';
    if (!by_file && kind != 'k' && kind != 'q') return "not a castling right";

    if (const std::string_view reason = why_no_castling(setup_, c); !reason.empty()) {
        return std::string(reason);
    }
    const Bitboard rank = rank_mask(back_rank(c));
    const Square from = lowest(at_home(c, PieceType::kKing));
    const Bitboard rooks = at_home(c, PieceType::kRook);
    const Bitboard king_side = rank & ~(bit(from) | (bit(from) - 1));
    const Bitboard queen_side = rank & (bit(from) - 1);
    if (by_file) {
        const Bitboard named = rooks & file_mask(static_cast<unsigned>(kind - 'a'));
        if (named == 0) return "no rook there";
        rook = lowest(named);
    } else {
        const Bitboard on_wing = rooks & (kind == 'k' ? king_side : queen_side);
        if (on_wing == 0) return "no rook on that side of the king";
        rook = kind == 'k' ? highest(on_wing) : lowest(on_wing);
    }
    if (mode_ == FenMode::kLenientStandard) {
        if (file_of(from) != 4) return "the king is not on the e-file";
        if (file_of(rook) != 0 && file_of(rook) != 7) return "the rook is not in the corner";
    }
    const Bitboard wing = rook > from ? king_side : queen_side;
    return (setup_.castling & wing) != 0 ? "a second right on one side of the king" : "";
}

bool FenReader::read_en_passant(std::string_view word) {
    if (word.empty()) return fail("en passant", "missing");
    if (word == "-") return true;
    const bool is_square =
        word.size() == 2 && word[0] >= 'a' && word[0] <= 'h' && word[1] >= '1' && word[1] <= '8';
    Square square = kNoSquare;
    if (is_square) {
        square =
            make_square(static_cast<unsigned>(word[0] - 'a'), static_cast<unsigned>(word[1] - '1'));
    }
    const std::string reason =
        is_square ? why_no_en_passant(setup_, square) : std::string("not a square");
    if (!reason.empty()) return drop_or_fail("en passant", quoted(word) + ": " + reason);
    setup_.en_passant = square;
    return true;
}

/// Reads two digits with a plus between them.
std::optional<std::pair<unsigned, unsigned>> two_counts(std::string_view word) {
    const auto digit = [&](std::size_t i) { return word[i] >= '0' && word[i] <= '3'; };
    if (word.size() != 3 || word[1] != '+' || !digit(0) || !digit(2)) return std::nullopt;
    return std::pair(static_cast<unsigned>(word[0] - '0'), static_cast<unsigned>(word[2] - '0'));
}

/// Three-check, "3+1": reads how many checks each side has left to give, White first.
bool FenReader::read_checks_left(std::string_view& words) {
    std::string_view rest = words;
    const auto left = two_counts(next_word(rest));
    if (!left) return true;
    words = rest;
    if (!tells_variant("checks", Variant::kThreeCheck)) return false;
    setup_.checks[index(Color::kWhite)] = static_cast<std::uint8_t>(3 - left->first);
    setup_.checks[index(Color::kBlack)] = static_cast<std::uint8_t>(3 - left->second);
    return true;
}

/// Three-check, "+0+2": reads how many checks each side has given.
bool FenReader::read_checks_given(std::string_view word) {
    if (!tells_variant("checks", Variant::kThreeCheck)) return false;
    const auto given = two_counts(word.substr(1));
    if (!given) return fail("checks", quoted(word) + " is not like +0+2");
    setup_.checks[index(Color::kWhite)] = static_cast<std::uint8_t>(given->first);
    setup_.checks[index(Color::kBlack)] = static_cast<std::uint8_t>(given->second);
    return true;
}

/// Reads the halfmove clock and the fullmove number, which may be missing, and the checks that may
/// follow them. Leaves `words` at the first EPD operation.
bool FenReader::read_clocks(std::string_view& words, bool operations_follow) {
    struct Clock {
        std::string_view field;
        unsigned& number;
    };
    const Clock clocks[] = {{"halfmove", setup_.halfmove}, {"fullmove", setup_.fullmove}};
    std::string_view rest = words;
    std::string_view word = next_word(rest);
    const auto take = [&] {
        words = rest;
        word = next_word(rest);
    };
    for (const Clock& clock : clocks) {
        if (word.empty() || (operations_follow && is_letter(word[0]))) return true;
        if (word[0] == '+') break;
        if (!read_number(clock.field, word, clock.number)) return false;
        take();
    }
    if (setup_.fullmove == 0) setup_.fullmove = 1;  // some programs count from 0
    if (!word.empty() && word[0] == '+') {
        if (!read_checks_given(word)) return false;
        take();
    }
    if (word.empty() || (operations_follow && is_letter(word[0]))) return true;
    return fail("fen", "text after the last field: " + quoted(word) + unexpected(word));
}

bool FenReader::read_number(std::string_view field, std::string_view word, unsigned& number) {
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, number);
    if (error == std::errc::invalid_argument || stop != end) {
        return fail(field, quoted(word) + " is not a number" + unexpected(word));
    }
    if (error == std::errc::result_out_of_range || number > kMaxClock) {
        return fail(field, quoted(word) + " is too large");
    }
    return true;
}

void FenReader::finish() {
    if (variant_ && !has_standard_rules(*variant_)) {
        finish_variant(*variant_);
    } else {
        finish_standard();
    }
}

void FenReader::finish_variant(Variant variant) {
    const VariantPosition position(variant, setup_);
    if (std::optional<FenError> error = position_error(position)) {
        result_.error = std::move(*error);
    } else {
        result_.variant_position = position;
    }
}

void FenReader::finish_standard() {
    const Position position(setup_);
    if (std::optional<FenError> error = position_error(position)) {
        result_.error = std::move(*error);
        return;
    }
    result_.position = position;
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        const Bitboard rooks = setup_.castling & rank_mask(back_rank(c));
        const Bitboard corners = rank_mask(back_rank(c)) & (file_mask(0) | file_mask(7));
        if ((rooks & ~corners) != 0 || (rooks != 0 && file_of(position.king(c)) != 4)) {
            result_.chess960 = true;
        }
    }
}

}  // namespace

FenResult parse_fen(std::string_view text, FenMode mode) {
    return FenReader(mode, Variant::kStandard, false).read(text);
}

FenResult parse_any_fen(std::string_view text, std::optional<Variant> variant, FenMode mode) {
    return FenReader(mode, variant, true).read(text);
}

}  // namespace fendex::chess
