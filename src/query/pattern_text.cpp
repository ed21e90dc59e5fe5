#include "query/pattern_text.hpp"

#include <algorithm>
#include <vector>

namespace fendex::query {

using chess::Color;
using chess::PieceType;

namespace {

using Kinds = PatternSpec::Kinds;

/// The letters of pieces, in the order of chess::Piece.
constexpr std::string_view kPieceLetters = "pPnNbBrRqQkK";

std::string at_character(std::size_t offset) {
    return "character " + std::to_string(offset + 1) + ": ";
}

/// Reads a partial board into a spec, or says what is wrong.
class BoardParser {
  public:
    BoardParser(std::string_view text, PatternSpec& spec) : text_(text), spec_(spec) {}

    /// Empty if all is well.
    std::string parse() {
        unsigned rank = 8;
        while (true) {
            if (rank == 0) return "more than 8 ranks";
            if (std::string error = parse_rank(--rank); !error.empty()) return error;
            if (at_ == text_.size()) break;
            ++at_;  // the slash
        }
        if (rank == 0) return {};
        return std::to_string(8 - rank) + (rank == 7 ? " rank" : " ranks") +
               ", but there must be 8, with slashes between them";
    }

  private:
    std::string parse_rank(unsigned rank) {
        const std::size_t begin = at_;
        std::vector<Kinds> row;
        std::optional<std::size_t> star;  // number of squares before the star
        for (; at_ < text_.size() && text_[at_] != '/'; ++at_) {
            const char c = text_[at_];
            if (c >= '1' && c <= '8') {
                row.insert(row.end(), static_cast<std::size_t>(c - '0'), PatternSpec::kEmpty);
            } else if (c == '*') {
                if (star) return at_character(at_) + "a second * in rank " + name(rank);
                star = row.size();
            } else if (c == '[') {
                Kinds set = 0;
                if (std::string error = parse_set(set); !error.empty()) return error;
                row.push_back(set);
            } else if (const Kinds kinds = kinds_of(c); kinds != 0) {
                row.push_back(kinds);
            } else if (c == ' ' || c == '\t') {
                return at_character(at_) + "a blank; a pattern has no other fields of a FEN";
            } else {
                return at_character(at_) + quoted(text_.substr(at_, 1)) +
                       " is not a piece, digit 1 to 8, ?, !, A, a, [...] or *";
            }
            if (row.size() > 8) return "rank " + name(rank) + " has more than 8 squares";
        }
        if (star) {
            row.insert(row.begin() + static_cast<std::ptrdiff_t>(*star), 8 - row.size(),
                       PatternSpec::kAnything);
        }
        if (row.size() != 8) {
            return "rank " + name(rank) + " has " + std::to_string(row.size()) +
                   " squares, not 8: " + quoted(text_.substr(begin, at_ - begin));
        }
        std::ranges::copy(row, spec_.squares.begin() + 8 * rank);
        return {};
    }

    /// Reads a set in brackets and leaves at_ at the closing one.
    std::string parse_set(Kinds& out) {
        const std::size_t begin = at_++;
        const bool none_of = at_ < text_.size() && text_[at_] == '^';
        if (none_of) ++at_;
        for (; at_ < text_.size() && text_[at_] != ']'; ++at_) {
            const Kinds kinds = text_[at_] == '?' ? Kinds{0} : kinds_of(text_[at_]);
            if (kinds == 0) {
                return at_character(at_) + quoted(text_.substr(at_, 1)) +
                       " cannot be in brackets: pieces, A, a and ! can";
            }
            out |= kinds;
        }
        if (at_ == text_.size()) return at_character(begin) + "[ without ]";
        if (out == 0) return at_character(begin) + "nothing between the brackets";
        if (none_of) out = PatternSpec::kAnything & static_cast<Kinds>(~out);
        return {};
    }

    /// Returns 0 for an unknown letter.
    static Kinds kinds_of(char c) {
        switch (c) {
            case '?': return PatternSpec::kAnything;
            case '!': return PatternSpec::kPieces;
            case 'A': return PatternSpec::kWhite;
            case 'a': return PatternSpec::kBlack;
            default: break;
        }
        const std::size_t piece = kPieceLetters.find(c);
        return piece == std::string_view::npos ? Kinds{0}
                                               : PatternSpec::kind(static_cast<unsigned>(piece));
    }

    static std::string name(unsigned rank) { return std::to_string(rank + 1); }

    std::string_view text_;
    PatternSpec& spec_;
    std::size_t at_ = 0;
};

/// Reads material into a spec, or says what is wrong.
class MaterialParser {
  public:
    MaterialParser(std::string_view text, chess::Variant variant, PatternSpec& spec)
        : text_(text),
          spec_(spec),
          counted_(has_one_king_each(variant) ? codec::kCountedPieces : PatternSpec::kPieceKinds) {}

    /// Empty if all is well.
    std::string parse() {
        const bool opposite = take_opposite();
        const std::size_t v = text_.find_first_of("vV");
        if (v != std::string_view::npos) {
            std::string error = parse_side(Color::kWhite, 0, v);
            return error.empty() ? parse_side(Color::kBlack, v + 1, text_.size()) : error;
        }
        bool any = opposite;
        for (skip_separators(); at_ < text_.size(); skip_separators()) {
            if (std::string error = parse_condition(); !error.empty()) return error;
            any = true;
        }
        return any ? std::string() : "neither two sides, as KRPvKR, nor conditions, as 'Q=1 r>=1'";
    }

  private:
    static bool has_one_king_each(chess::Variant variant) {
        using enum chess::Variant;
        return variant != kAtomic && variant != kHorde && variant != kAntichess &&
               variant != kSuicide;
    }

    /// Takes the word "opposite" from the end of the text.
    bool take_opposite() {
        constexpr std::string_view kWord = "opposite";
        if (!text_.ends_with(kWord)) return false;
        std::string_view before = text_.substr(0, text_.size() - kWord.size());
        const std::size_t end = before.find_last_not_of(" \t,") + 1;  // 0 if nothing is before it
        if (end == before.size() && end != 0) return false;
        text_ = before.substr(0, end);
        spec_.opposite_bishops = true;
        for (const char letter : {'B', 'b'}) {
            allow(static_cast<unsigned>(kPieceLetters.find(letter)), PatternSpec::exactly(1));
        }
        return true;
    }

    /// Reads the letters of one side, including its king. The side must have exactly these pieces.
    std::string parse_side(Color color, std::size_t begin, std::size_t end) {
        std::array<unsigned, 6> numbers{};
        for (std::size_t at = begin; at < end; ++at) {
            const auto capital = static_cast<char>(text_[at] & ~0x20);
            const std::size_t letter = kPieceLetters.find(capital);
            if (letter == std::string_view::npos || letter % 2 == 0) {
                return at_character(at) + quoted(text_.substr(at, 1)) +
                       " is not one of K Q R B N P, as in KRPvKR";
            }
            ++numbers[letter / 2];
        }
        if (counted_ == codec::kCountedPieces && numbers[chess::index(PieceType::kKing)] != 1) {
            return std::string(color == Color::kWhite ? "White" : "Black") + ", " +
                   quoted(text_.substr(begin, end - begin)) + ", must have one K, as in KRPvKR";
        }
        for (unsigned type = 0; type < counted_ / 2; ++type) {
            allow(2 * type + chess::index(color), PatternSpec::exactly(numbers[type]));
        }
        return {};
    }

    /// The numbers that a condition allows: least to most, or all others if `outside` is set.
    struct Range {
        int least = 0;
        int most = 0;
        bool outside = false;
    };

    /// Reads "R>=1", or "R-r>=1".
    std::string parse_condition() {
        const std::size_t begin = at_;
        const std::size_t piece = kPieceLetters.find(text_[at_]);
        if (piece == std::string_view::npos || piece >= counted_) {
            return at_character(at_) + quoted(text_.substr(at_, 1)) +
                   " is not one of P N B R Q (White) and p n b r q (Black), as in R>=1";
        }
        ++at_;
        skip_blanks();
        const bool compares = at_ < text_.size() && text_[at_] == '-';
        if (compares) {
            ++at_;
            skip_blanks();
            const char other = kPieceLetters[piece ^ 1U];
            if (at_ == text_.size() || text_[at_] != other) {
                return at_character(at_) + quoted({&other, 1}) + " must follow " +
                       quoted(text_.substr(begin, at_ - begin)) + ", as in R-r=1";
            }
            ++at_;
            skip_blanks();
        }
        Range range;
        if (std::string error = parse_range(begin, compares, range); !error.empty()) return error;
        if (!compares) {
            allow(static_cast<unsigned>(piece), numbers_of(range));
            return {};
        }
        const auto type = static_cast<PieceType>(piece / 2);
        const bool of_white = piece % 2 == 1;
        spec_.differences.push_back({type, of_white ? range.least : -range.most,
                                     of_white ? range.most : -range.least, range.outside});
        return {};
    }

    /// Reads ">=1" after what begins at `begin`.
    std::string parse_range(std::size_t begin, bool may_be_negative, Range& out) {
        constexpr int kMost = 64;  // squares
        const std::string what = quoted(text_.substr(begin, at_ - begin));
        const std::size_t sign = at_;
        while (at_ < text_.size() &&
               std::string_view("=!<>").find(text_[at_]) != std::string_view::npos)
            ++at_;
        const std::string_view op = text_.substr(sign, at_ - sign);
        skip_blanks();
        const bool negative = may_be_negative && at_ < text_.size() && text_[at_] == '-';
        if (negative) ++at_;
        const std::size_t digits = at_;
        int number = 0;
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
            number = std::min(number * 10 + (text_[at_] - '0'), kMost);
            ++at_;
        }
        const std::size_t end = at_;
        if (negative) number = -number;
        if (op == "=" || op == "!=") {
            out = {number, number, op == "!="};
        } else if (op == "<" || op == "<=") {
            out = {-kMost, op == "<" ? number - 1 : number, false};
        } else if (op == ">" || op == ">=") {
            out = {op == ">" ? number + 1 : number, kMost, false};
        } else {
            return at_character(sign) +
                   (op.empty() ? "an operator is missing" : quoted(op) + " is not an operator") +
                   " after " + what + ": = != < <= > >=";
        }
        if (digits == end) {
            return at_character(end) + "a number is missing after " +
                   quoted(text_.substr(begin, end - begin));
        }
        return {};
    }

    static PatternSpec::Numbers numbers_of(const Range& range) {
        PatternSpec::Numbers numbers = 0;
        for (int n = std::max(range.least, 0); n <= range.most; ++n) {
            numbers |= PatternSpec::exactly(static_cast<unsigned>(n));
        }
        return range.outside ? ~numbers : numbers;
    }

    void allow(unsigned piece, std::uint64_t numbers) { spec_.numbers[piece] &= numbers; }

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    }
    void skip_separators() {
        while (at_ < text_.size() &&
               std::string_view(" \t,").find(text_[at_]) != std::string_view::npos)
            ++at_;
    }

    std::string_view text_;
    PatternSpec& spec_;
    unsigned counted_;  // kinds of pieces, as in chess::Piece; with kings if their number can vary
    std::size_t at_ = 0;
};

}  // namespace

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

PatternResult parse_pattern(const PatternText& text) {
    PatternSpec spec;
    if (text.board) {
        if (std::string error = BoardParser(*text.board, spec).parse(); !error.empty()) {
            return {std::nullopt, "pattern", std::move(error)};
        }
    }
    if (text.material) {
        if (std::string error = MaterialParser(*text.material, text.variant, spec).parse();
            !error.empty()) {
            return {std::nullopt, "material", std::move(error)};
        }
    }
    std::vector<PatternCase> cases{PatternCase(spec)};
    if (text.either_side) cases.emplace_back(spec.mirrored());
    return {PositionPattern(std::move(cases)), {}, {}};
}

}  // namespace fendex::query
