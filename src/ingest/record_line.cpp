#include "ingest/record_line.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>

#include "base/cut.hpp"
#include "base/number_of.hpp"
#include "chess/fen.hpp"
#include "chess/plain_fen.hpp"
#include "chess/san.hpp"
#include "chess/variant_names.hpp"
#include "codec/move_list.hpp"
#include "pgn/lexer.hpp"

namespace fendex::ingest {

namespace {

/// Removes a move number from the front of a word: "12.", "12...c5".
void drop_move_number(std::string_view& word) {
    const std::size_t dot = std::min(word.find_first_not_of("0123456789"), word.size());
    if (dot == 0 || dot == word.size() || word[dot] != '.') return;
    word.remove_prefix(std::min(word.find_first_not_of('.', dot), word.size()));
}

/// Appends the code of a move if the word names a legal one. Returns Move{} if not.
template <typename Board>
chess::Move pack_move(const Board& board, std::string_view word, bool reads_san,
                      codec::BitWriter& out) {
    chess::Move move;
    chess::SanError error = chess::read_uci(board, word, move);
    if (error != chess::SanError::kNone && reads_san) error = chess::read_san(board, word, move);
    if (error != chess::SanError::kNone || move == chess::Move::null()) return {};
    codec::encode_move(board, move, out);
    return move;
}

/// Takes a move in its usual form off the front of a text, and appends its code. Returns Move{} if
/// there is none.
chess::Move take_plain_move(const chess::Position& board, std::string_view& words,
                            codec::BitWriter& out) {
    constexpr std::size_t kSize = 4;
    if (words.size() < kSize || (words.size() > kSize && words[kSize] != ' ')) return {};
    const chess::Move move = codec::encode_plain_uci(board, words.substr(0, kSize), out);
    if (move != chess::Move{}) words.remove_prefix(kSize);
    return move;
}
chess::Move take_plain_move(const chess::VariantPosition&, std::string_view&, codec::BitWriter&) {
    return {};
}

/// Returns how many moves were packed.
template <typename Board>
std::size_t pack_moves(Board board, std::string_view words, bool reads_san, RecordLine& line) {
    codec::drop_idle_en_passant(board);
    std::size_t moves = 0;
    chess::Move last;
    while (true) {
        while (words.starts_with(' ')) words.remove_prefix(1);
        if (words.empty()) return moves;
        if (moves == codec::kMostPvMoves) {
            line.warn("a PV is longer than 500 moves: the rest is left out", words);
            return moves;
        }
        if (moves != 0) board.play(last);
        last = take_plain_move(board, words, line.searches.moves());
        while (last == chess::Move{}) {
            std::string_view word = base::cut_word<' '>(words);
            if (reads_san) drop_move_number(word);
            if (word.empty()) {
                if (words.empty()) return moves;
                continue;
            }
            last = pack_move(board, word, reads_san, line.searches.moves());
            if (last != chess::Move{}) break;
            line.warn("a PV has a move that is not legal: it and what follows are left out", word);
            return moves;
        }
        ++moves;
    }
}

/// Returns the number that an EPD operation has, if it is within the limits.
template <typename Number>
std::optional<Number> number_in(std::string_view text, Number least, Number most) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const std::optional<Number> number = base::number_of<Number>(text);
    return number && *number >= least && *number <= most ? number : std::nullopt;
}

/// Standard chess is not demanded: a FEN may tell that it is Crazyhouse or Three-check.
std::optional<chess::Variant> variant_to_read(chess::Variant variant) {
    return chess::has_standard_rules(variant) ? std::nullopt : std::optional(variant);
}

/// Returns the variant that an operation of an EPD tells; empty if there is none that is known.
std::optional<chess::Variant> variant_told(std::string_view epd) {
    constexpr std::string_view kOpcode = " variant ";
    const std::size_t place = epd.find(kOpcode);
    if (place == std::string_view::npos) return std::nullopt;
    epd.remove_prefix(place + kOpcode.size());
    const chess::Variant variant = chess::variant_of(epd.substr(0, epd.find(';')));
    return variant == chess::Variant::kOther ? std::nullopt : std::optional(variant);
}

bool is_variant(std::string_view name, chess::Variant variant) {
    return chess::variant_of(name) == variant;
}

/// Returns whether a word can be the name of an operation (PGN standard, section 16.2). It may be
/// longer than that section allows, and have other signs.
bool is_opcode(std::string_view word) {
    const auto is_sign = [](char c) { return c > ' ' && c <= '~' && c != ';' && c != '"'; };
    return !word.empty() && std::isalpha(static_cast<unsigned char>(word.front())) != 0 &&
           std::all_of(word.begin(), word.end(), is_sign);
}

/// Returns the text as UTF-8, in one line.
std::string as_utf8(std::string_view text) {
    std::string out = pgn::clean_text(text);
    std::replace_if(
        out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return out;
}

using Int = std::int32_t;
constexpr Int kLeastInt = -std::numeric_limits<Int>::max();
constexpr Int kMostInt = std::numeric_limits<Int>::max();

/// The operations of an EPD that are an evaluation: of the whole position, or of its nth PV.
class EvaluationOperations {
  public:
    /// Takes an operation if it is part of an evaluation.
    bool take(const chess::EpdOperation& operation, RecordLine& line) {
        if (operation.opcode == "acd") return set(operation, depth_, 0U, codec::kMostDepth, line);
        if (operation.opcode == "acn") {
            return set(operation, nodes_, std::uint64_t{0}, codec::kMostNodes, line);
        }
        const std::size_t digits = operation.opcode.find_first_of("0123456789");
        const std::string_view name = std::string_view(operation.opcode).substr(0, digits);
        if (name != "ce" && name != "dm" && name != "pv") return false;
        std::size_t pv = 1;
        if (digits != std::string::npos) {
            const auto number = number_in<std::size_t>(
                std::string_view(operation.opcode).substr(digits), 2, codec::kMostPvs);
            if (!number) return false;
            pv = *number;
        }
        if (pvs_.size() < pv) pvs_.resize(pv);
        Pv& out = pvs_[pv - 1];
        if (name == "ce") return set(operation, out.centipawns, kLeastInt, kMostInt, line);
        if (name == "dm") return set(operation, out.mate, kLeastInt, kMostInt, line);
        if (out.moves) return warn_of_second(operation, line);
        out.moves = operation;
        return true;
    }

    /// Adds the evaluation if each PV has a score; else the operations as they are.
    void add_to(RecordLine& line) {
        const bool complete =
            !pvs_.empty() && std::all_of(pvs_.begin(), pvs_.end(), [](const Pv& pv) {
                return pv.centipawns.value || pv.mate.value;
            });
        if (!complete) {
            for (const chess::EpdOperation& each : taken_) {
                codec::add_operation(each, line.operations);
            }
            for (Pv& pv : pvs_) {
                if (pv.moves) codec::add_operation(std::move(*pv.moves), line.operations);
            }
            return;
        }
        const Int sign = line.position.side_to_move() == chess::Color::kWhite ? 1 : -1;
        for (const Pv& pv : pvs_) {
            const bool is_mate = pv.mate.value.has_value();
            const Int value = is_mate ? *pv.mate.value : *pv.centipawns.value;
            const std::string_view moves = pv.moves ? pv.moves->operand : std::string_view();
            read_pv(moves, true, line).score = {is_mate, sign * value};
        }
        line.searches.add(line.position, depth_.value.value_or(0), nodes_.value.value_or(0));
    }

  private:
    template <typename Number>
    struct Value {
        std::optional<Number> value;
    };
    struct Pv {
        Value<Int> centipawns;
        Value<Int> mate;
        std::optional<chess::EpdOperation> moves;
    };

    static bool warn_of_second(const chess::EpdOperation& operation, RecordLine& line) {
        line.warn("an operation is there twice: the second is left out", operation.opcode);
        return true;
    }

    /// Takes a number if it is within the limits.
    template <typename Number>
    bool set(const chess::EpdOperation& operation, Value<Number>& out, Number least, Number most,
             RecordLine& line) {
        const auto number = number_in<Number>(operation.operand, least, most);
        if (!number) return false;
        if (out.value) return warn_of_second(operation, line);
        out.value = number;
        taken_.push_back(operation);
        return true;
    }

    Value<std::uint32_t> depth_;
    Value<std::uint64_t> nodes_;
    std::vector<Pv> pvs_;
    std::vector<chess::EpdOperation> taken_;
};

}  // namespace

codec::PackedVariation& read_pv(std::string_view words, bool reads_san, RecordLine& line) {
    codec::PackedVariation& pv = line.searches.begin_variation();
    pv.moves = line.position.visit(
        [&](const auto& board) { return pack_moves(board, words, reads_san, line); });
    line.searches.end_variation();
    return pv;
}

void add_operations(std::string_view text, RecordLine& out) {
    EvaluationOperations evaluation;
    for (chess::EpdOperation& each : chess::epd_operations(as_utf8(text))) {
        // The clocks are not part of a position, and the variant is known.
        if (each.opcode == "hmvc" || each.opcode == "fmvn") continue;
        if (each.opcode == "variant" && is_variant(each.operand, out.position.variant())) continue;
        if (evaluation.take(each, out)) continue;
        if (!is_opcode(each.opcode)) {
            out.warn(
                "an operation whose name does not begin with a letter, or has letters that are"
                " not ASCII: it is left out",
                each.opcode);
            continue;
        }
        if (each.opcode.size() + each.operand.size() > codec::kMostOperationBytes) {
            out.warn("an operation is longer than 2,048 bytes: it is left out", each.opcode);
            continue;
        }
        codec::add_operation(std::move(each), out.operations);
    }
    evaluation.add_to(out);
}

std::string read_record_fen(std::string_view fen, chess::Variant variant, RecordLine& out) {
    if (chess::has_standard_rules(variant)) {
        if (const auto plain = chess::read_plain_fen(fen)) {
            out.position = *plain;
            return {};
        }
    }
    const chess::FenResult result = chess::parse_any_fen(fen, variant_to_read(variant));
    const auto position = chess::any_position(result);
    if (!position) return std::string(result.error.field) + ": " + result.error.reason;
    out.position = *position;
    return {};
}

std::string read_epd_line(std::string_view text, chess::Variant variant, RecordLine& out) {
    const chess::FenResult result =
        chess::parse_any_fen(text, variant_to_read(variant_told(text).value_or(variant)));
    const auto position = chess::any_position(result);
    if (!position) return std::string(result.error.field) + ": " + result.error.reason;
    out.position = *position;
    add_operations(result.operations, out);
    return {};
}

}  // namespace fendex::ingest
