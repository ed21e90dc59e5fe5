// Reading FEN. The text is cut into words first, whatever separates them; then each field has a
// function of its own, which fills in its part of the setup or says what is wrong with it.
#include "chess/fen.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "chess/epd.hpp"
#include "chess/variant_names.hpp"

namespace fendex::chess {

namespace {

constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
constexpr bool is_printable(char c) { return c >= ' ' && c <= '~'; }
constexpr char lower(char c) { return is_upper(c) ? static_cast<char>(c + 32) : c; }

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// The character that %XX stands for in a web address; empty where that is none of a FEN's.
std::optional<char> unescaped(std::string_view escape) {
    unsigned code = 0;
    if (escape.size() != 3 || escape[0] != '%') return std::nullopt;
    const char* const end = escape.data() + escape.size();
    if (std::from_chars(escape.data() + 1, end, code, 16).ptr != end) return std::nullopt;
    if (code > 0x7F || !is_printable(static_cast<char>(code))) return std::nullopt;
    return static_cast<char>(code);
}

/// Takes the next word off the front; empty where there is none left.
std::string_view next_word(std::string_view& text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    const std::size_t end = std::min(text.find(' ', first), text.size());
    const std::string_view word = text.substr(first, end - first);
    text.remove_prefix(end);
    return word;
}

/// Where every blank was made a plus, the pluses of Three-check's counts became blanks with them.
/// They are seen by the only double blank, before checks given ("-  0 2" is +0+2, with clocks or
/// without), and by a FEN's having eight words only with checks ("- 3 1 1 5" is 3+1). "- 3 1" may
/// be checks left or clocks, and is taken for clocks.
void restore_checks(std::string& text) {
    constexpr std::size_t kFields = 4;
    std::vector<std::string_view> words;
    std::string_view rest = text;
    while (true) {
        const std::string_view word = next_word(rest);
        const bool is_operation = words.size() >= kFields && !word.empty() && is_letter(word[0]);
        if (word.empty() || is_operation) break;
        words.push_back(word);
    }
    const std::size_t n = words.size();
    const auto begin = [&](std::size_t i) {
        return static_cast<std::size_t>(words[i].data() - text.data());
    };
    const auto are_counts = [&](std::size_t i) {
        return words[i].size() == 1 && words[i + 1].size() == 1;
    };
    if (n < kFields + 2 || n > kFields + 4) return;
    if (text.find("  ") == begin(n - 2) - 2 && are_counts(n - 2)) {
        text[begin(n - 2) - 1] = '+';
        text[begin(n - 1) - 1] = '+';
    } else if (n == kFields + 4 && are_counts(kFields)) {
        text[begin(kFields + 1) - 1] = '+';
    }
}

/// A blank for everything that separates fields, and what stood there before a web address was made
/// of it.
class PlainText {
  public:
    explicit PlainText(std::string_view text) : text_(text) {
        // A plus among other separators is none: `1+1` counts checks in Three-check, and must not
        // be taken for two clocks.
        const bool plus_separates = text.find_first_of(" \t_") == std::string_view::npos &&
                                    text.find("%20") == std::string_view::npos;
        plain_.reserve(text.size());
        for (std::size_t i = 0; i < text.size(); i += length_at(i)) {
            if (const std::optional<char> character = unescaped(text.substr(i, 3))) {
                plain_ += *character;
            } else if (text[i] == '_' || text[i] == '\t' || (text[i] == '+' && plus_separates)) {
                plain_ += ' ';
            } else {
                plain_ += text[i];
            }
        }
        if (plus_separates) restore_checks(plain_);
    }

    std::string_view plain() const { return plain_; }
    /// What the last characters of plain() were made of.
    std::string_view original(std::string_view last) const {
        std::size_t i = 0;
        for (std::size_t n = plain_.size() - last.size(); n > 0; --n) i += length_at(i);
        return text_.substr(i);
    }

  private:
    std::size_t length_at(std::size_t i) const { return unescaped(text_.substr(i, 3)) ? 3 : 1; }

    std::string_view text_;
    std::string plain_;
};

/// Text of a stranger as it may stand in a message.
std::string quoted(std::string_view text) {
    constexpr std::size_t kLongest = 20;
    std::string out = "'";
    for (const char c : text.substr(0, kLongest)) out += is_printable(c) ? c : '?';
    out += text.size() > kLongest ? "...'" : "'";
    return out;
}

std::string square_name(Square s) {
    return {static_cast<char>('a' + file_of(s)), static_cast<char>('1' + rank_of(s))};
}

std::string_view name(Color c) { return c == Color::kWhite ? "white" : "black"; }

Piece piece_of_letter(char c) {
    constexpr std::string_view kLetters = "pPnNbBrRqQkK";  // in the order of Piece
    const std::size_t i = kLetters.find(c);
    return i == std::string_view::npos ? Piece::kNone : static_cast<Piece>(i);
}

/// What to say of a word that is no field, where nothing marks it as an operation.
std::string unexpected(std::string_view word) {
    return is_letter(word[0]) ? " (an EPD operation ends with ';')" : "";
}

class FenReader {
  public:
    FenReader(FenMode mode, std::optional<Variant> variant, bool any)
        : mode_(mode), any_(any), variant_(variant) {}

    FenResult read(std::string_view text) {
        if (read_all(trimmed(text))) finish();
        return std::move(result_);
    }

  private:
    bool fail(std::string_view field, std::string reason) {
        result_.error = {field, std::move(reason)};
        return false;
    }
    /// For what lenient reading leaves out: true where reading can go on without it.
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
    bool check_material();
    bool check_kings(Color c, unsigned kings);
    bool check_pawns(Color c);
    bool read_side(std::string_view word);
    bool read_castling(std::string_view word);
    bool read_right(char letter);
    std::string why_no_right(char letter, Square& rook) const;
    bool read_en_passant(std::string_view word);
    std::string why_no_en_passant(std::string_view word, Square& square) const;
    bool read_checks_left(std::string_view& words);
    bool read_checks_given(std::string_view word);
    bool read_clocks(std::string_view& words, bool operations_follow);
    bool read_number(std::string_view field, std::string_view word, unsigned& number);
    void read_clock_operations();
    void finish();

    Bitboard squares_of(Piece piece) const;
    Square king(Color c) const { return lowest(squares_of(make_piece(c, PieceType::kKing))); }

    bool is(Variant variant) const { return variant_ == variant; }
    bool is_antichess() const { return is(Variant::kAntichess) || is(Variant::kSuicide); }
    void finish_variant();

    FenMode mode_;
    bool any_;  // also variants
    std::optional<Variant> variant_;
    VariantSetup setup_;
    FenResult result_;
};

Bitboard FenReader::squares_of(Piece piece) const {
    Bitboard squares = 0;
    for (Square s = 0; s < 64; ++s) {
        if (setup_.board[s] == piece) squares |= bit(s);
    }
    return squares;
}

bool FenReader::read_all(std::string_view text) {
    if (text.empty()) return fail("fen", "empty");
    if (text.find_first_of("\r\n") != std::string_view::npos) return fail("fen", "two lines");
    // What EPD operations say is their writer's business; the first ends with, or has, one of
    // these.
    const std::size_t operations = text.find_first_of(";\"");
    const std::string_view head = text.substr(0, operations);
    for (std::size_t i = 0; i < head.size(); ++i) {
        if (static_cast<unsigned char>(head[i]) >= 0x80) {
            return fail("fen", "non-ASCII character at column " + std::to_string(i + 1));
        }
    }
    const PlainText plain(head);
    std::string_view rest = plain.plain();
    if (!(read_placement(next_word(rest)) && check_material() && read_side(next_word(rest)) &&
          read_castling(next_word(rest)) && read_en_passant(next_word(rest)) &&
          read_checks_left(rest) && read_clocks(rest, operations != std::string_view::npos))) {
        return false;
    }
    if (operations != std::string_view::npos) {
        // Blanks show that no web address was made of the record: words stand as they were written.
        const bool is_address = head.find_first_of(kBlanks) == std::string_view::npos;
        result_.operations.append(is_address ? rest : plain.original(rest));
        result_.operations.append(text.substr(operations));
        read_clock_operations();
    }
    return true;
}

/// EPD has no fields for the clocks; it may have operations.
void FenReader::read_clock_operations() {
    for (const EpdOperation& each : epd_operations(result_.operations)) {
        const std::string_view operand = each.operand;
        unsigned number = 0;
        const char* const end = operand.data() + operand.size();
        const auto [stop, error] = std::from_chars(operand.data(), end, number);
        if (error != std::errc{} || stop != end || number > kMaxClock) continue;
        if (each.opcode == "hmvc") setup_.halfmove = number;
        if (each.opcode == "fmvn") setup_.fullmove = std::max(number, 1U);
    }
}

/// The text has something that only `variant` has.
bool FenReader::tells_variant(std::string_view field, Variant variant) {
    if (!any_ || (variant_ && *variant_ != variant)) {
        return fail(field, variant == Variant::kCrazyhouse
                               ? "pockets and promoted pieces are of Crazyhouse only"
                               : "checks are counted in Three-check only");
    }
    variant_ = variant;
    return true;
}

/// "NNPPbnp", "", "-".
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
    } else if (std::count(word.begin(), word.end(), '/') == 8) {
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
    const std::string where = " on rank " + std::to_string(rank + 1);
    unsigned file = 0;
    bool after_digit = false;
    for (const char c : squares) {
        if (c >= '1' && c <= '8') {
            if (after_digit && mode_ == FenMode::kStrict) {
                return fail("placement", "two numbers in a row" + where);
            }
            after_digit = true;
            file += static_cast<unsigned>(c - '0');
        } else if (c == '~' && file > 0 && file <= 8 && !after_digit) {
            if (!tells_variant("placement", Variant::kCrazyhouse)) return false;
            setup_.promoted |= bit(make_square(file - 1, rank));
        } else {
            const Piece piece = piece_of_letter(c);
            if (piece == Piece::kNone) {
                return fail("placement", quoted({&c, 1}) + " is no piece," + where);
            }
            if (file < 8) setup_.board[make_square(file, rank)] = piece;
            after_digit = false;
            ++file;
        }
    }
    if (file == 8) return true;
    return fail("placement", "squares: " + std::to_string(file) + " instead of 8" + where);
}

bool FenReader::check_kings(Color c, unsigned kings) {
    const std::string owner(name(c));
    if (is_antichess()) return true;
    if (is(Variant::kHorde) && c == Color::kWhite) {
        return kings == 0 || fail("placement", "white has a king, which the horde has not");
    }
    if (kings == 0 && is(Variant::kAtomic)) return true;
    if (kings == 0) return fail("placement", owner + " has no king");
    if (kings > 1) return fail("placement", owner + " has " + std::to_string(kings) + " kings");
    return true;
}

bool FenReader::check_pawns(Color c) {
    const Bitboard pawns = squares_of(make_piece(c, PieceType::kPawn));
    const bool horde = is(Variant::kHorde) && c == Color::kWhite;
    const Bitboard forbidden = horde ? rank_mask(7) : rank_mask(0) | rank_mask(7);
    if (const Bitboard wrong = pawns & forbidden; wrong != 0) {
        return fail("placement", "pawn on " + square_name(lowest(wrong)));
    }
    if (count(pawns) > 8 && !horde && !is(Variant::kCrazyhouse)) {
        return fail("placement",
                    std::string(name(c)) + " has " + std::to_string(count(pawns)) + " pawns");
    }
    return true;
}

bool FenReader::check_material() {
    unsigned all = 0;
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        unsigned pieces = 0;
        for (const Piece p : setup_.board)
            pieces += p != Piece::kNone && color_of(p) == c ? 1U : 0U;
        const Bitboard kings = squares_of(make_piece(c, PieceType::kKing));
        if (!check_kings(c, count(kings)) || !check_pawns(c)) return false;
        const bool horde = is(Variant::kHorde) && c == Color::kWhite;
        if (pieces > 16 && !horde && !is(Variant::kCrazyhouse)) {
            return fail("placement",
                        std::string(name(c)) + " has " + std::to_string(pieces) + " pieces");
        }
        all += pieces;
        for (const std::uint8_t in_hand : setup_.pockets[index(c)]) all += in_hand;
        for (const PieceType type : {PieceType::kPawn, PieceType::kKing}) {
            if ((setup_.promoted & squares_of(make_piece(c, type))) != 0) {
                return fail("placement", "a pawn or king that is marked as promoted");
            }
        }
    }
    if (is(Variant::kCrazyhouse) && all > 32) {
        return fail("placement", std::to_string(all) + " pieces on the board and in the pockets");
    }
    return true;
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

/// Why a letter names no right; empty where it names one, on `rook`.
std::string FenReader::why_no_right(char letter, Square& rook) const {
    const Color c = is_upper(letter) ? Color::kWhite : Color::kBlack;
    const char kind = lower(letter);
    const bool by_file = kind >= 'a' && kind <= 'h';
    if (!by_file && kind != 'k' && kind != 'q') return "not a castling right";

    const Bitboard rank = rank_mask(back_rank(c));
    const Bitboard kings = rank & squares_of(make_piece(c, PieceType::kKing));
    if (kings == 0) return "the king is not on its back rank";
    if (count(kings) > 1) return "several kings on the back rank";
    const Square from = lowest(kings);
    const Bitboard rooks = rank & squares_of(make_piece(c, PieceType::kRook));
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
    Square square = kNoSquare;
    std::string reason = why_no_en_passant(word, square);
    if (!reason.empty()) return drop_or_fail("en passant", quoted(word) + ": " + reason);
    setup_.en_passant = square;
    return true;
}

/// Why a word is no en passant square; empty where it is `square`.
std::string FenReader::why_no_en_passant(std::string_view word, Square& square) const {
    if (word.size() != 2 || word[0] < 'a' || word[0] > 'h' || word[1] < '1' || word[1] > '8') {
        return "not a square";
    }
    square =
        make_square(static_cast<unsigned>(word[0] - 'a'), static_cast<unsigned>(word[1] - '1'));
    if (rank_of(square) != (setup_.side == Color::kWhite ? 5U : 2U)) {
        return "not on rank " + std::string(setup_.side == Color::kWhite ? "6" : "3");
    }
    const Square pushed = square ^ 8U;
    const Square origin = square ^ 24U;
    if (setup_.board[pushed] != make_piece(~setup_.side, PieceType::kPawn)) {
        return "no " + std::string(name(~setup_.side)) + " pawn on " + square_name(pushed);
    }
    for (const Square passed : {square, origin}) {
        if (setup_.board[passed] != Piece::kNone) {
            return "the pawn cannot have come over " + square_name(passed);
        }
    }
    return "";
}

/// Two digits with a plus between them; nothing else is one.
std::optional<std::pair<unsigned, unsigned>> two_counts(std::string_view word) {
    const auto digit = [&](std::size_t i) { return word[i] >= '0' && word[i] <= '3'; };
    if (word.size() != 3 || word[1] != '+' || !digit(0) || !digit(2)) return std::nullopt;
    return std::pair(static_cast<unsigned>(word[0] - '0'), static_cast<unsigned>(word[2] - '0'));
}

/// Three-check, "3+1": the checks each side has left to give, White's first.
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

/// Three-check, "+0+2": the checks each side has given.
bool FenReader::read_checks_given(std::string_view word) {
    if (!tells_variant("checks", Variant::kThreeCheck)) return false;
    const auto given = two_counts(word.substr(1));
    if (!given) return fail("checks", quoted(word) + " is not like +0+2");
    setup_.checks[index(Color::kWhite)] = static_cast<std::uint8_t>(given->first);
    setup_.checks[index(Color::kBlack)] = static_cast<std::uint8_t>(given->second);
    return true;
}

/// Halfmove clock and fullmove number, either or both of which may be missing, and the checks that
/// may follow them. Leaves `words` at the first EPD operation.
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
    if (setup_.fullmove == 0) setup_.fullmove = 1;  // as some programs count
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
        return fail(field, quoted(word) + " is no number" + unexpected(word));
    }
    if (error == std::errc::result_out_of_range || number > kMaxClock) {
        return fail(field, quoted(word) + " is too large");
    }
    return true;
}

void FenReader::finish_variant() {
    const VariantPosition position(*variant_, setup_);
    // Atomic: who blows up the other king may leave his own in check.
    const bool blown_up = is(Variant::kAtomic) && position.is_over();
    if (!blown_up && position.is_attacked_king(~setup_.side)) {
        fail("position", std::string(name(~setup_.side)) + " is in check, and it is " +
                             std::string(name(setup_.side)) + "'s move");
        return;
    }
    if (is(Variant::kRacingKings) && position.in_check()) {
        fail("position", "a check, which Racing Kings does not allow");
        return;
    }
    result_.variant_position = position;
}

void FenReader::finish() {
    if (variant_ && !has_standard_rules(*variant_)) return finish_variant();
    const Position position(setup_);
    const Color waiting = ~setup_.side;
    if (position.attackers(king(waiting), setup_.side, position.occupied()) != 0) {
        fail("position", std::string(name(waiting)) + " is in check, and it is " +
                             std::string(name(setup_.side)) + "'s move");
        return;
    }
    result_.position = position;
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        const Bitboard rooks = setup_.castling & rank_mask(back_rank(c));
        const Bitboard corners = rank_mask(back_rank(c)) & (file_mask(0) | file_mask(7));
        if ((rooks & ~corners) != 0 || (rooks != 0 && file_of(king(c)) != 4))
            result_.chess960 = true;
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
