#include "ask/pasted_position.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "base/cut.hpp"
#include "base/trimmed.hpp"
#include "base/typeset.hpp"
#include "chess/fen.hpp"

namespace fendex::ask {

namespace {

constexpr char kAtBoard[] = "; copy the FEN from its board";

std::string give_moves(const PasteWords& words) {
    return "these are moves: give them with " + std::string(words.moves);
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

struct PastedPosition {
    std::string fen;                        // in any dialect, not checked
    std::optional<chess::Variant> variant;  // if the address names one
    std::string problem;  // if not empty: the text is not usable, and this says what to do
};

/// A web address without its fragment.
struct Address {
    std::string host;                // "lichess.org"
    std::vector<std::string> parts;  // of the path
    std::string query;               // after '?'
};

/// Reads an address of lichess.org or chess.com, with or without "https://" and "www."; returns
/// nothing for any other text.
std::optional<Address> address_of(std::string_view text) {
    if (const std::size_t scheme = text.find("://"); scheme != std::string_view::npos) {
        text.remove_prefix(scheme + 3);
    }
    text = text.substr(0, text.find('#'));
    const std::size_t host_end = std::min(text.find_first_of("/?"), text.size());
    const std::string host = lower(text.substr(0, host_end));
    Address address;
    for (const char* const known : {"lichess.org", "chess.com"}) {
        if (host == known || host.ends_with(std::string(".") + known)) address.host = known;
    }
    if (address.host.empty()) return std::nullopt;
    text.remove_prefix(host_end);
    const std::size_t query = std::min(text.find('?'), text.size());
    if (query < text.size()) address.query = text.substr(query + 1);
    std::string_view path = text.substr(0, query);
    while (!path.empty()) {
        path.remove_prefix(1);  // '/'
        const std::size_t end = std::min(path.find('/'), path.size());
        if (end > 0) address.parts.emplace_back(path.substr(0, end));
        path.remove_prefix(end);
    }
    return address;
}

/// Returns the value of a parameter, still escaped; empty if the query does not have it.
std::string parameter(const Address& address, std::string_view name) {
    std::string_view rest = address.query;
    while (!rest.empty()) {
        const std::string_view each = base::cut(rest, '&');
        if (each.starts_with(name) && each.substr(name.size()).starts_with('=')) {
            return std::string(each.substr(name.size() + 1));
        }
    }
    return {};
}

bool is_ranks(std::string_view part) {
    return part.find_first_not_of("pnbrqkPNBRQK12345678~") == std::string_view::npos;
}

/// Reads "https://lichess.org/analysis/standard/rnbq.../..._w_KQkq_-_0_1", also with /editor/.
PastedPosition lichess_position(const Address& address, const PasteWords& words) {
    const std::vector<std::string>& parts = address.parts;
    const bool has_board = !parts.empty() && (parts[0] == "analysis" || parts[0] == "editor");
    if (!has_board) {
        const std::size_t id = parts.empty() ? 0 : parts[0].size();
        const bool is_game = (id == 8 || id == 12) && parts.size() <= 2;
        if (is_game && std::all_of(parts[0].begin(), parts[0].end(),
                                   [](unsigned char c) { return std::isalnum(c) != 0; })) {
            return {{},
                    {},
                    "this is the address of a game, not of a position: import its PGN, "
                    "https://lichess.org/game/export/" +
                        parts[0].substr(0, 8) + "; or copy the FEN from its board"};
        }
        return {{}, {}, std::string("no position is in this address") + kAtBoard};
    }
    PastedPosition out;
    out.fen = parameter(address, "fen");
    std::size_t begin = 1;
    if (parts.size() > begin && parts[begin] == "pgn") {
        return {{}, {}, give_moves(words)};
    }
    if (parts.size() > begin && !is_ranks(parts[begin])) {
        const chess::Variant variant = chess::variant_of(parts[begin]);
        if (variant != chess::Variant::kOther) {
            if (lower(parts[begin]) != "fromposition") out.variant = variant;
            ++begin;
        }
    }
    for (std::size_t i = begin; i < parts.size(); ++i) {
        out.fen += (i == begin ? "" : "/") + parts[i];
    }
    if (out.fen.empty()) {
        if (parts.size() == 1)
            return {{}, {}, std::string("no position is in this address") + kAtBoard};
        out.fen = "startpos";  // of the variant
    }
    return out;
}

/// Reads "https://www.chess.com/analysis?fen=...".
PastedPosition chess_com_position(const Address& address, const PasteWords& words) {
    PastedPosition out;
    out.fen = parameter(address, "fen");
    if (!out.fen.empty()) return out;
    for (const char* const moves : {"pgn", "moveList", "moves"}) {
        if (!parameter(address, moves).empty()) {
            return {{}, {}, give_moves(words)};
        }
    }
    const bool is_game =
        std::any_of(address.parts.begin(), address.parts.end(), [](const std::string& part) {
            return part == "game" || part == "live" || part == "daily";
        });
    if (is_game) {
        return {{},
                {},
                "this is the address of a game, not of a position: download its PGN there (Share) "
                "and import it; or copy the FEN from its board"};
    }
    return {{}, {}, std::string("no position is in this address") + kAtBoard};
}

/// Extracts the FEN from a text: from quotes, from a tag pair, or after "fen" or "position fen".
/// Replaces the dashes and blanks of word processors by plain ones.
std::string plain_fen(std::string_view text) {
    const auto take = [&](std::string_view word) {
        const bool there = lower(text.substr(0, word.size())) == word;
        if (there) text = base::trimmed(text.substr(word.size()));
        return there;
    };
    text = base::trimmed(text);
    if (take("[fen ")) {
        if (text.ends_with(']')) text = base::trimmed(text.substr(0, text.size() - 1));
    } else {
        take("position ");
        if (!take("fen ")) take("fen:");
    }
    if (text.size() > 1 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0]) {
        text = base::trimmed(text.substr(1, text.size() - 2));
    }
    std::string out;
    // Operands of EPD stay unchanged.
    const std::size_t operations = std::min(text.find('"'), text.size());
    for (std::size_t i = 0; i < operations;) {
        const std::string_view rest = text.substr(i);
        if (const std::size_t blank = base::wide_blank_length(rest); blank != 0) {
            out += ' ';
            i += blank;
        } else if (const std::size_t dash = base::dash_length(rest); dash != 0) {
            out += '-';
            i += dash;
        } else {
            out += rest[0];
            ++i;
        }
    }
    out.append(text.substr(operations));
    return std::string(base::trimmed(out));
}

/// Adds a side to move with which the placement is a legal position; White if there is none. Either
/// side will do, because --match board ignores it.
std::string with_side(const std::string& placement) {
    for (const char* const side : {" w - -", " b - -"}) {
        if (chess::any_position(chess::parse_any_fen(placement + side, std::nullopt))) {
            return placement + side;
        }
    }
    return placement + " w - -";
}

/// Reads a pasted text. Text of no known form becomes the FEN, trimmed. A bare placement is
/// completed only if `match` is Match::kBoard.
PastedPosition pasted_position(const std::string& text, std::optional<chess::Variant> variant,
                               Match match, const PasteWords& words) {
    PastedPosition out;
    out.fen = plain_fen(text);
    if (const std::optional<Address> address = address_of(out.fen)) {
        out = address->host == "lichess.org" ? lichess_position(*address, words)
                                             : chess_com_position(*address, words);
        if (!out.problem.empty()) return out;
    }
    if (out.fen == "startpos") {
        out.fen = chess::to_fen(chess::AnyPosition::start_of(
            variant.value_or(out.variant.value_or(chess::Variant::kStandard))));
    } else if (out.fen.starts_with("startpos ")) {
        out.problem = give_moves(words);
    } else if (out.fen.substr(0, out.fen.find('"')).find(" moves ") != std::string::npos) {
        out.problem = "give the moves after the FEN with " + std::string(words.moves);
    } else if (match == Match::kBoard && is_placement(out.fen)) {
        out.fen = with_side(out.fen);
    }
    return out;
}

}  // namespace

bool is_placement(std::string_view text) {
    text = base::trimmed(text);
    return std::count(text.begin(), text.end(), '/') == 7 &&
           std::all_of(text.begin(), text.end(),
                       [](char c) { return c == '/' || is_ranks(std::string_view(&c, 1)); });
}

PositionText read_position(const std::string& text, std::optional<chess::Variant> variant,
                           Match match, const PasteWords& words, chess::FenMode mode) {
    PastedPosition pasted = pasted_position(text, variant, match, words);
    PositionText out;
    out.problem = std::move(pasted.problem);
    out.variant = variant ? variant : pasted.variant;
    if (!out.problem.empty()) return out;
    out.fen = chess::parse_any_fen(pasted.fen, out.variant, mode);
    out.position = chess::any_position(out.fen);
    if (!out.position) return out;
    if (out.position->of_variant() != nullptr) {
        out.variant = out.position->variant();
    } else if (out.fen.chess960) {
        out.variant = chess::Variant::kChess960;
    }
    return out;
}

}  // namespace fendex::ask
