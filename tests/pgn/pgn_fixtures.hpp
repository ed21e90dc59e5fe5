// Helpers for tests of the text layer: sources in memory, a visitor that records its calls, the
// Splitter's results as plain values, and texts that have broken PGN parsers before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pgn/reader.hpp"
#include "pgn/splitter.hpp"

namespace fendex::pgn::test {

/// A source of a text, in reads of at most `piece` bytes. It ends, or fails in its n-th read (from
/// 1) and in all later ones.
class TextSource final : public ByteSource {
  public:
    static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

    explicit TextSource(std::string_view text, std::size_t piece = kNever,
                        std::size_t failing_read = kNever)
        : rest_(text), piece_(piece), failing_read_(failing_read) {}

    std::size_t read(std::span<char> out) override {
        if (++reads_ >= failing_read_) throw SourceError("the disk is on fire", offset_);
        const std::size_t count = std::min({out.size(), piece_, rest_.size()});
        std::copy_n(rest_.begin(), count, out.begin());
        rest_.remove_prefix(count);
        offset_ += count;
        return count;
    }
    std::uint64_t compressed_offset() const override { return offset_; }

  private:
    std::string_view rest_;
    std::size_t piece_;
    std::size_t failing_read_;
    std::size_t reads_ = 0;
    std::uint64_t offset_ = 0;
};

/// An extent, with all values that must not depend on reads and batches.
struct Piece {
    Extent::Kind kind = Extent::Kind::kGame;
    std::uint64_t offset = 0;  // in the stream
    std::uint64_t line = 0;
    bool truncated = false;
    std::string text;

    bool operator==(const Piece&) const = default;
};

struct SplitOutcome {
    std::vector<Piece> pieces;
    std::string failure;  // of the source
    bool sane = true;     // the conditions on every batch hold
};

inline SplitOutcome split(ByteSource& source, const SplitterOptions& options = {}) {
    SplitOutcome outcome;
    Splitter splitter(source, options);
    Batch batch;
    try {
        std::uint64_t end = 0;
        while (splitter.next(batch)) {
            outcome.sane = outcome.sane && !batch.extents.empty();
            for (const Extent& extent : batch.extents) {
                const std::uint64_t offset = batch.stream_offset + extent.offset;
                outcome.sane = outcome.sane && offset >= end && extent.size > 0 &&
                               extent.offset + extent.size <= batch.text.size();
                end = offset + extent.size;
                outcome.pieces.push_back(
                    {extent.kind, offset, batch.first_line + count_lines(batch.text, extent.offset),
                     extent.truncated, batch.text.substr(extent.offset, extent.size)});
            }
        }
    } catch (const SourceError& error) {
        outcome.failure = error.what();
    }
    return outcome;
}

inline std::vector<Piece> pieces_of(std::string_view text, const SplitterOptions& options = {}) {
    TextSource source(text);
    return split(source, options).pieces;
}

/// Returns the texts of the games, without junk.
inline std::vector<std::string> games_of(std::string_view text) {
    std::vector<std::string> games;
    for (const Piece& piece : pieces_of(text)) {
        if (piece.kind == Extent::Kind::kGame) games.push_back(piece.text);
    }
    return games;
}

/// A visitor that records everything and refuses moves beyond `limit`.
struct Recorder {
    std::vector<std::pair<std::string, std::string>> tags;
    std::vector<std::string> moves;
    std::vector<std::string> results;
    std::vector<std::pair<std::string, std::size_t>> problems;  // reason, offset in the text
    const char* begin = nullptr;
    std::size_t limit = std::numeric_limits<std::size_t>::max();

    void tag(std::string_view name, std::string_view value) {
        tags.emplace_back(std::string(name), clean_value(value));
    }
    bool move(std::string_view san, const char*) {
        moves.emplace_back(san);
        return moves.size() < limit;
    }
    void result(std::string_view marker) { results.emplace_back(marker); }
    void problem(const char* where, std::string_view reason) {
        problems.emplace_back(std::string(reason), static_cast<std::size_t>(where - begin));
    }
};

/// Returns the reader's calls for the text of one game.
inline Recorder read(std::string_view text, bool truncated = false) {
    Recorder recorder;
    recorder.begin = text.data();
    read_game(text, truncated, recorder);
    return recorder;
}

/// Returns the reader's calls for each game that the splitter finds in a text.
inline std::vector<Recorder> read_all(std::string_view text) {
    std::vector<Recorder> games;
    for (const Piece& piece : pieces_of(text)) {
        if (piece.kind == Extent::Kind::kGame) games.push_back(read(piece.text, piece.truncated));
    }
    return games;
}

/// Counts the line ends before `offset` in the simple way; CRLF is one.
inline std::uint64_t line_at(std::string_view text, std::uint64_t offset) {
    std::uint64_t line = 1;
    for (std::size_t i = 0; i < offset; ++i) {
        const bool pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
        if (is_newline(text[i]) && !pair) ++line;
    }
    return line;
}

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline const std::vector<std::string>& nasty_texts() {
    using namespace std::string_literals;
    static const std::vector<std::string> kTexts{
        "",
        "\n",
        "*",
        "1-0",
        "{",
        "[",
        "[Event \"",
        "\xEF\xBB\xBF",
        "\0\0\0\0"s,
        "1. e4 e5 1-0 1-0\r\n\r\n[Event \"b\"]\r\n\r\n1. d4 *\r\n",
        "[Event \"a\"]\r\r1. e4 {no end\r[Event \"b\"]\r\r1. d4 (1. c4 {x} 1/2-1/2\r",
        "[Event \"a\"]\n\n1. e4 {a {b} c} e5 {a {b {c} d} e} 2. Nf3 {a ; b ) c} ; to the end "
        "}\n1-0\n",
        "% escaped [Event \"x\"]\n[Event \"a\"]\n\n[Site \"b\"]\n1. e4\n% { gone\n1... e5 "
        "1/2-1/2\n",
        "[Event \"a \"b\" c\"]\n[Site \"d\\\"e\\\\\"]\n[FEN 8/8/8/8/8/8/8/8 w - - 0 1]\n[White "
        "\"x]\n1. e4 *",
        "e4 e5 *\ne4{x}e5(e6)Nf3$1*\n1/2-1/2[Event \"c\"][Site \"d\"]1.e4 0-1",
        "1. e4 (1. d4 1-0 (1. c4 *) 0-1) e5 ) 1/2 1. e4 e8(Q) (e8(Q) d1(N)) 1-0",
        "<html><body class=\"a\">{ x } [1] <pre>\n[Event \"a\"]\n\n1. e4 *\n</pre></body></html>\n",
        "junk before\n\n[Event \"a\"]\n\n[Event \"b\"]\n\n[Event \"c\"]\n1-0\n junk * after * "
        "\n*\n*",
        "[White \"a\"]\n[Black \"b\"]\n\n[White \"c\"]\n[Black \"d\"]\n\n[White \"e\"]\n\n1. e4",
        "[Event \"a\"]\n\n1. e4 {see\n[Event \"b\"]\n\n1. d4 *\n[Event \"c\"]\n*\n} e5 1-0\n[Event "
        "\"d\"]\n\n1. c4 {no end\n[Event \"e\"]\n\n1. f4 {x} *\n",
        "\u00A0[Event\u00A0\"a\"]\n\uFEFF[Result \"1–0\"]\n\n1.\u00A0e4± e5 +−(1... c5∓) 2. Nf3N "
        "Nc6 +-- "
        "3. Bb5 1–0\u00A0\n½–½\n\n1. e4 --+\n\n1. d4 +--\n[Event \"b\"]\n\n1. c4 0\x96"
        "1\n1. f4 слон \xBD",
        "{comment} e4 {comment\nwithout [Event \"an\"] end\n\n1-0\n[Event  \"x\"]\n",
        "\xEF\xBB\xBF[Event \"\xFC\xE9\"]\n\n1. e4 \xE2\x80\x93 O\xE2\x80\x93O "
        "1-0\n\xEF\xBB\xBF[Event \"b\"]",
        "[Event\0\"a\"]\0\n1.\0e4\0e5\0001-0\0\n"s,
        "[ Event \t\"a\"  \t]\n[Site\n\"b\"]\n[]\n[Date\"c\"]x\n1. e4 [%clk 1] e5 [Foo] 1-0",
    };
    return kTexts;
}

/// Damages a text like editors, mail and disks do.
inline std::string mutate(std::string text, std::mt19937_64& random) {
    static const std::vector<std::string> kTokens{"{",
                                                  "}",
                                                  "(",
                                                  ")",
                                                  "[",
                                                  "]",
                                                  "\"",
                                                  "\\",
                                                  ";",
                                                  "%",
                                                  "*",
                                                  "1-0",
                                                  "0-1",
                                                  "1/2",
                                                  "\n",
                                                  "\r",
                                                  "\r\n",
                                                  "\n\n",
                                                  "[Event \"",
                                                  "\"]",
                                                  "e4",
                                                  "1.",
                                                  "O-O",
                                                  "0-0",
                                                  "e8(Q)",
                                                  "$1",
                                                  " ",
                                                  "\t",
                                                  "\xEF\xBB\xBF",
                                                  "1-0 ",
                                                  "*\n",
                                                  "e.p.",
                                                  "--",
                                                  "\n%",
                                                  "\n[Event \"x\"]\n",
                                                  "\xFF",
                                                  "{}",
                                                  "()",
                                                  "±",
                                                  "\u2212",
                                                  "\u2013",
                                                  "½",
                                                  "\u00A0",
                                                  "\u200B",
                                                  "+--",
                                                  "--+",
                                                  "∞",
                                                  "\xBD"};
    const auto position = [&] { return random() % (text.size() + 1); };
    for (std::uint64_t changes = 1 + random() % 4; changes-- > 0;) {
        const std::size_t at = position();
        switch (random() % 6) {
            case 0: text.insert(at, kTokens[random() % kTokens.size()]); break;
            case 1: text.insert(at, 1, static_cast<char>(random() % 256)); break;
            case 2: text.erase(at, 1 + random() % 8); break;
            case 3: text.erase(at); break;
            case 4: text.insert(position(), text.substr(at, random() % 64)); break;
            default:
                text.insert(at, std::string(1 + random() % 1500, " \n.x{"[random() % 5]));
                break;
        }
    }
    return text;
}

}  // namespace fendex::pgn::test
