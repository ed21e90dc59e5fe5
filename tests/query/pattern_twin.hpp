// Matches patterns in the simple way, from their text and square by square, for comparison with the
// masks and the scan. Shares no code with them.
#pragma once

#include <cctype>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "chess/fen.hpp"

namespace fendex::test {

/// Returns 64 letters, a8 first, '.' for empty squares; without pockets and marks of promoted
/// pieces.
template <typename Position>
std::string squares_of(const Position& position) {
    std::string out;
    for (const char c : chess::to_fen(position)) {
        if (out.size() == 64) break;
        if (c >= '1' && c <= '8') {
            out.append(static_cast<std::size_t>(c - '0'), '.');
        } else if (c != '/' && c != '~') {
            out += c;
        }
    }
    return out;
}

inline bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
inline bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/// The position with colours reversed.
inline std::string reversed(const std::string& squares) {
    std::string out;
    for (std::size_t rank = 8; rank-- > 0;) {
        for (const char c : squares.substr(8 * rank, 8)) {
            out += is_upper(c)   ? static_cast<char>(c - 'A' + 'a')
                   : is_lower(c) ? static_cast<char>(c - 'a' + 'A')
                                 : c;
        }
    }
    return out;
}

/// Returns whether a square's content fits a pattern's token for the square: "?", "[^Pp]", "N", "."
/// ...
inline bool fits(const std::string& token, char content) {
    if (token.front() == '[') {
        const bool none_of = token[1] == '^';
        bool listed = false;
        for (const char c : token.substr(none_of ? 2 : 1)) {
            if (c != ']' && fits(std::string(1, c), content)) listed = true;
        }
        return listed != none_of;
    }
    switch (token.front()) {
        case '?': return true;
        case '!': return content != '.';
        case 'A': return is_upper(content);
        case 'a': return is_lower(content);
        default: return token.front() == content;
    }
}

/// Returns the tokens of a valid pattern, square by square.
inline std::vector<std::string> tokens_of(const std::string& pattern) {
    std::vector<std::string> out;
    std::size_t rank_begin = 0;
    std::size_t star = std::string::npos;
    const auto end_rank = [&] {
        const std::size_t missing = rank_begin + 8 - out.size();
        if (star != std::string::npos) {
            out.insert(out.begin() + static_cast<std::ptrdiff_t>(star), missing, "?");
        }
        star = std::string::npos;
        rank_begin = out.size();
    };
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        if (c == '/') {
            end_rank();
        } else if (c == '*') {
            star = out.size();
        } else if (c == '[') {
            const std::size_t end = pattern.find(']', i);
            out.push_back(pattern.substr(i, end - i + 1));
            i = end;
        } else if (c >= '1' && c <= '8') {
            out.insert(out.end(), static_cast<std::size_t>(c - '0'), ".");
        } else {
            out.emplace_back(1, c);
        }
    }
    end_rank();
    return out;
}

inline bool board_fits(const std::vector<std::string>& tokens, const std::string& squares) {
    for (std::size_t i = 0; i < 64; ++i) {
        if (!fits(tokens[i], squares[i])) return false;
    }
    return true;
}

inline int count_of(const std::string& text, char c) {
    int n = 0;
    for (const char each : text) n += each == c ? 1 : 0;
    return n;
}

/// Returns whether each side has one bishop, on squares of different colours.
inline bool has_opposite_bishops(const std::string& squares) {
    if (count_of(squares, 'B') != 1 || count_of(squares, 'b') != 1) return false;
    const auto color = [&](char bishop) {
        const std::size_t square = squares.find(bishop);
        return (square / 8 + square % 8) % 2;
    };
    return color('B') != color('b');
}

/// Returns whether the material fits: "KRPvKR", or conditions separated by blanks; both may end
/// with "opposite".
inline bool material_fits(const std::string& material, const std::string& squares) {
    constexpr std::string_view kOpposite = "opposite";
    if (material.ends_with(kOpposite)) {
        const std::string rest = material.substr(0, material.size() - kOpposite.size());
        return has_opposite_bishops(squares) &&
               (rest.empty() || material_fits(rest.substr(0, rest.size() - 1), squares));
    }
    if (const std::size_t v = material.find('v'); v != std::string::npos) {
        for (const char c : std::string("KQRBNP")) {
            const auto small = static_cast<char>(c - 'A' + 'a');
            if (count_of(material.substr(0, v), c) != count_of(squares, c)) return false;
            if (count_of(material.substr(v), c) != count_of(squares, small)) return false;
        }
        return true;
    }
    for (std::size_t i = 0; i < material.size();) {
        int have = count_of(squares, material[i++]);
        if (material[i] == '-') {
            have -= count_of(squares, material[i + 1]);
            i += 2;
        }
        std::string op;
        while (std::string("=!<>").find(material[i]) != std::string::npos) op += material[i++];
        std::size_t digits = 0;
        const int number = std::stoi(material.substr(i), &digits);
        i += digits + 1;
        const bool right = op == "="    ? have == number
                           : op == "!=" ? have != number
                           : op == "<"  ? have < number
                           : op == "<=" ? have <= number
                           : op == ">"  ? have > number
                                        : have >= number;
        if (!right) return false;
    }
    return true;
}

/// Makes a pattern that a position matches, with about `share` percent of its squares.
template <typename Random>
std::string random_board(const std::string& squares, unsigned share, Random& random) {
    std::string out;
    for (std::size_t rank = 0; rank < 8; ++rank) {
        std::vector<std::string> row;
        for (const char c : squares.substr(8 * rank, 8)) {
            std::string token = "?";
            if (random() % 100 < share) {
                const char other = "PpNnBbRrQqKk"[random() % 12];
                switch (random() % 8) {
                    case 0: token = c == '.' ? "?" : "!"; break;
                    case 1: token = c == '.' ? "." : is_upper(c) ? "A" : "a"; break;
                    case 2: token = c == '.' ? "[^Aa]" : std::string("[") + other + c + "]"; break;
                    case 3: token = other == c ? "?" : std::string("[^") + other + "]"; break;
                    default: token = c; break;
                }
            }
            row.push_back(token);
        }
        std::string text;
        bool star = random() % 2 == 0;
        for (std::size_t i = 0; i < 8;) {
            std::size_t end = i;
            while (end < 8 && row[end] == row[i]) ++end;
            if (row[i] == "?" && star) {
                text += '*';
                star = false;
                i = end;
            } else if (row[i] == ".") {
                text += std::to_string(end - i);
                i = end;
            } else {
                text += row[i++];
            }
        }
        out += (rank > 0 ? "/" : "") + text;
    }
    return out;
}

/// Makes material that a position has: exactly, or as a few conditions.
template <typename Random>
std::string random_material(const std::string& squares, Random& random) {
    std::string out;
    if (has_opposite_bishops(squares) && random() % 2 == 0) {
        switch (random() % 3) {
            case 0: return "opposite";
            case 1: return "Q=" + std::to_string(count_of(squares, 'Q')) + " opposite";
            default: break;
        }
        for (const char c : std::string("KQRBNPvkqrbnp")) {
            const auto number = c == 'v' ? 1 : count_of(squares, c);
            out.append(static_cast<std::size_t>(number),
                       is_lower(c) && c != 'v' ? static_cast<char>(c - 'a' + 'A') : c);
        }
        return out + ",opposite";
    }
    if (random() % 3 == 0) {
        for (const char c : std::string("KQRBNP")) {
            out.append(static_cast<std::size_t>(count_of(squares, c)), c);
        }
        out += 'v';
        for (const char c : std::string("KQRBNP")) {
            const auto small = static_cast<char>(c - 'A' + 'a');
            out.append(static_cast<std::size_t>(count_of(squares, small)), c);
        }
        return out;
    }
    for (unsigned n = 1 + static_cast<unsigned>(random() % 4); n > 0; --n) {
        const char c = "PpNnBbRrQq"[random() % 10];
        int have = count_of(squares, c);
        out += out.empty() ? "" : " ";
        out += c;
        if (random() % 3 == 0) {
            const auto other =
                is_upper(c) ? static_cast<char>(c - 'A' + 'a') : static_cast<char>(c - 'a' + 'A');
            have -= count_of(squares, other);
            (out += '-') += other;
            (out += random() % 2 == 0   ? "="
                    : random() % 2 == 0 ? "<="
                                        : ">=") += std::to_string(have);
            continue;
        }
        switch (random() % 6) {
            case 0: out += "!=" + std::to_string(have + 1); break;
            case 1: out += "<" + std::to_string(have + 1); break;
            case 2: out += "<=" + std::to_string(have); break;
            case 3: out += have > 0 ? ">" + std::to_string(have - 1) : ">=0"; break;
            case 4: out += ">=" + std::to_string(have); break;
            default: out += "=" + std::to_string(have); break;
        }
    }
    return out;
}

}  // namespace fendex::test
