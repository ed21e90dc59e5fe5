// Annotations through an import and an export: every comment, NAG and variation of the source is in
// the export, at the same place among the moves, and also in an export of that export. A separate
// tokeniser compares them; it reads PGN text and knows nothing of the storage.
#include <algorithm>
#include <cctype>
#include <map>

#include "emit/emit_fixtures.hpp"
#include "pgn/inputs.hpp"
#include "pgn/lexer.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/corpus.hpp"

namespace {

using namespace fendex;
using test::exported_pgn;
using test::Imported;
using test::job_of;
using test::TemporaryDirectory;

/// The movetext of a game as words: "M" for a move of the game, and its annotations as they are
/// written.
class Tokeniser {
  public:
    Tokeniser(std::string text, std::size_t moves) : owned_(std::move(text)), moves_(moves) {
        for (std::size_t at = 0; (at = owned_.find("1/2 - 1/2", at)) != owned_.npos;) {
            owned_.replace(at, 9, "1/2-1/2");
        }
        text_ = owned_;
    }

    std::vector<std::string> tokens() {
        skip_tags();
        while (at_ < text_.size() && !done_) step();
        while (depth_-- > 0) out_.emplace_back(")");
        return out_;
    }

  private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : ' ';
    }
    static bool is_blank(char c) {
        return c == '\0' || std::isspace(static_cast<unsigned char>(c));
    }
    bool at_line_start() const {
        return at_ == 0 || text_[at_ - 1] == '\n' || text_[at_ - 1] == '\r';
    }
    std::string_view take_line() {
        const std::size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
        const std::string_view line = text_.substr(at_, end - at_);
        at_ = end;
        return line;
    }
    void comment(std::string_view text) { out_.push_back("{" + pgn::clean_text(text)); }

    void skip_tags() {
        while (at_ < text_.size()) {
            if (is_blank(peek())) {
                ++at_;
            } else if (peek() == '[' || (peek() == '%' && at_line_start())) {
                take_line();
            } else if (peek() == ';') {
                comment(take_line().substr(1));
            } else {
                return;
            }
        }
    }

    /// House rule: a brace that opens inside a comment must be closed inside it, if it is closed
    /// before the next one opens.
    void brace_comment() {
        const std::size_t begin = ++at_;
        unsigned inner = 0;
        for (; at_ < text_.size(); ++at_) {
            if (peek() == '{') ++inner;
            if (peek() != '}') continue;
            const std::size_t next = text_.find_first_of("{}", at_ + 1);
            if (inner == 0 || next == text_.npos || text_[next] == '{') break;
            --inner;
        }
        comment(text_.substr(begin, std::min(at_, text_.size()) - begin));
        ++at_;
    }

    bool promotion(std::size_t at) const {
        return at > 0 && at + 2 < text_.size() && (text_[at - 1] == '8' || text_[at - 1] == '1') &&
               text_[at] == '(' && text_[at + 2] == ')' &&
               std::string_view("NBRQnbrq").find(text_[at + 1]) != std::string_view::npos;
    }

    void step() {
        const char c = peek();
        if (is_blank(c)) {
            ++at_;
        } else if (c == '{') {
            brace_comment();
        } else if (c == ';') {
            comment(take_line().substr(1));
        } else if (c == '%' && at_line_start()) {
            take_line();
        } else if (c == '(') {
            ++depth_;
            ++at_;
            out_.emplace_back("(");
        } else if (c == ')') {
            if (depth_ > 0) {
                --depth_;
                out_.emplace_back(")");
            }
            ++at_;
        } else if (std::string_view("[]<>}").find(c) != std::string_view::npos) {
            if (depth_ > 0 && c != '}') {
                out_.emplace_back(std::size_t{1}, c);
            } else if (c == '<' && std::isalpha(static_cast<unsigned char>(peek(1)))) {
                at_ = std::min(text_.find('>', at_), text_.size() - 1);
            }
            ++at_;
        } else {
            const std::size_t begin = at_;
            while (at_ < text_.size() && !is_blank(peek()) &&
                   std::string_view("{}[];)<>").find(peek()) == std::string_view::npos &&
                   (peek() != '(' || promotion(at_))) {
                at_ += peek() == '(' ? 3U : 1U;
            }
            word(text_.substr(begin, at_ - begin));
        }
    }

    static std::size_t span_of(std::string_view text, std::string_view chars) {
        return std::min(text.find_first_not_of(chars), text.size());
    }

    /// A word may be a number, a move, and symbols attached to it.
    void word(std::string_view text) {
        while (!text.empty() && !done_) {
            std::size_t n = 0;
            for (const std::string_view result : {"1-0", "0-1", "1/2-1/2", "1/2", "*"}) {
                if (text == result) n = text.size();
            }
            if (n == 0 && text[0] == '*') n = 1;
            if (n == 0 && text[0] == '$') n = 1 + span_of(text.substr(1), "0123456789");
            if (n != 0 && (depth_ > 0 || text[0] == '$'))
                out_.push_back(pgn::clean_text(text.substr(0, n)));
            if (n == 0) n = number_or_move(text);
            text.remove_prefix(n);
        }
    }

    std::size_t number_or_move(std::string_view text) {
        const std::size_t digits = span_of(text, "0123456789");
        if (digits > 0 && !(text[0] == '0' && (text.size() == digits || text[digits] != '.'))) {
            const std::size_t n = digits + span_of(text.substr(digits), ".");
            if (depth_ > 0) out_.emplace_back(text.substr(0, n));
            return n;
        }
        if (const std::size_t dots = span_of(text, ".,"); dots > 0) {
            if (depth_ > 0) out_.emplace_back(text.substr(0, dots));
            return dots;
        }
        const std::size_t n = std::min({text.find('$'), text.find('*', 1), text.size()});
        const std::string_view move = text.substr(0, n);
        if (depth_ > 0) {
            out_.push_back(pgn::clean_text(move));
        } else if (span_of(move, "!?=+#/-") > 0 && move != "--") {
            out_.emplace_back(move);  // an evaluation
        } else if (!move.starts_with("e.p") && move != "ep") {
            if (moves_-- == 0) {
                done_ = true;
                return n;
            }
            out_.emplace_back("M");
            if (const std::size_t mark = move.find_first_of("!?"); mark != move.npos) {
                out_.emplace_back(move.substr(mark, span_of(move.substr(mark), "!?")));
                const std::string_view rest = move.substr(mark + out_.back().size());
                if (rest.find_first_of("-=/") != rest.npos) out_.emplace_back(rest);
            } else if (const std::size_t sign = move.find('+');
                       sign != move.npos && move.find_first_of("-=/", sign) != move.npos) {
                out_.emplace_back(move.substr(sign));
            }
        }
        return n;
    }

    std::string owned_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t moves_;  // number of moves that can be read
    int depth_ = 0;
    bool done_ = false;
    std::vector<std::string> out_;
};

/// Annotations up to the last move that can be read.
std::vector<std::string> tokens_of(std::string_view text, std::size_t moves) {
    std::vector<std::string> tokens = Tokeniser(std::string(text), moves).tokens();
    while (!tokens.empty() && tokens.back() == "M") tokens.pop_back();
    return tokens;
}

ingest::ImportOptions with_annotations() {
    ingest::ImportOptions options{.threads = 2, .annotations = true};
    options.languages = {&chess::english()};  // moves in other languages would become English
    options.ply_rows = ingest::PlyRowChoice::kNo;
    return options;
}

std::vector<std::string> games_of(const std::vector<std::string>& files) {
    std::vector<std::string> games;
    for (const std::string& file : files) {
        test::for_each_game(file, [&](std::string_view text, bool) {
            games.emplace_back(text);
            return true;
        });
    }
    return games;
}

/// Removes the files from which no games were imported, because they are not PGN.
std::vector<std::string> imported_of(std::vector<std::string> files, const Imported& imported) {
    for (const store::StoredSource& source :
         store::file_store(imported.path())->reader()->sources()) {
        if (source.records) REQUIRE(std::erase(files, source.file.path) == 1);
    }
    for (const std::string& failure : imported.summary().failures) {
        const std::size_t reason = failure.find(": is not PGN");
        if (reason == failure.npos) continue;
        CAPTURE(failure);
        REQUIRE(std::erase(files, failure.substr(0, reason)) == 1);
    }
    return files;
}

/// Imports the files and compares the export with them game by game, and then the export of that.
void check_round_trip(const std::vector<std::string>& inputs) {
    ingest::ImportOptions options = with_annotations();
    options.again = true;  // some files have the same content
    const Imported imported(inputs, options);
    const std::vector<std::string> files = imported_of(inputs, imported);
    const std::string exported = exported_pgn(job_of(imported));
    const TemporaryDirectory directory;
    const std::string path = directory.write("exported.pgn", exported);
    const std::vector<std::string> before = games_of(files);
    const std::vector<std::string> after = games_of({path});
    REQUIRE(before.size() == after.size());
    const auto reader = store::file_store(imported.path())->reader();
    std::size_t annotated = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        store::StoredMoves moves;
        REQUIRE(reader->moves(i + 1, moves));
        const auto source = tokens_of(before[i], moves.facts.plies);
        const auto copy = tokens_of(after[i], moves.facts.plies);
        if (source != copy) {
            const auto differ =
                std::mismatch(source.begin(), source.end(), copy.begin(), copy.end());
            INFO("game " << i + 1 << ", token " << differ.first - source.begin());
            INFO((differ.first != source.end() ? *differ.first : "end"));
            INFO((differ.second != copy.end() ? *differ.second : "end"));
            FAIL_CHECK("tokens differ");
        }
        if (!source.empty()) ++annotated;
    }
    CHECK(imported.info().annotated_games == annotated);

    const Imported again({path}, with_annotations());
    CHECK(exported_pgn(job_of(again)) == exported);
    CHECK(again.info().fingerprint == imported.info().fingerprint);
    CHECK(again.info().annotated_games == annotated);
}

std::vector<std::string> archives_in(const std::string& folder) {
    return pgn::expand_inputs({folder});
}

void check_engine_games(const std::string& corpus, unsigned games) {
    const TemporaryDirectory directory;
    check_round_trip(
        {directory.write("engine.pgn", test::first_games(corpus + "/engine.pgn.zst", games))});
}

/// Games with annotations of every kind after their moves, many of them nested.
std::string annotated_games(unsigned games) {
    const char* const kAnnotations[] = {
        " $1",
        " $14 $139",
        " {a comment}",
        " {[%clk 0:01:02] [%eval -0.17]}",
        " {in two\nlines; with a semicolon (and brackets)} {and another}",
        " ; to the end of the line\n",
        " (2. c4)",
        " (2. c4 {x} e5 $6 (2... Nf6 3. g3 $1 {y}) 3. Nc3)",
        " (2. c4) (2. b3 (2. f4 {deep (er)}))",
        " {\xC3\xA9} ( {before} 2. d3 )",
    };
    std::mt19937_64 random(20'250'103);
    std::string text;
    for (unsigned game = 0; game < games; ++game) {
        text += "[Event \"" + std::to_string(game) + "\"]\n\n";
        if (random() % 4 == 0) text += "{before the first move} ";
        for (const char* const move :
             {"1. e4", "e5", "2. Nf3", "Nc6", "3. Bb5", "a6", "4. Ba4", "Nf6", "5. O-O", "Be7"}) {
            text += std::string(move) + (random() % 8 == 0 ? "!?" : "");
            for (std::uint64_t n = random() % 3; n > 0; --n) {
                text += kAnnotations[random() % std::size(kAnnotations)];
            }
            text += ' ';
        }
        text += "1/2-1/2\n\n";
    }
    return text;
}

TEST_CASE("Annotations of annotated and online games are written and read back unchanged") {
    const TemporaryDirectory directory;
    check_round_trip({directory.write("annotated.pgn", annotated_games(300))});
    check_round_trip(archives_in(test::corpus_cut() + "/online"));
}

TEST_CASE("Annotations of the corpus' annotated and online games are read back unchanged",
          "[.corpus]") {
    for (const char* folder : {"annotated", "online"}) {
        check_round_trip(archives_in(test::whole_corpus() + "/" + folder));
    }
}

TEST_CASE("Annotations of texts that break parsers are read back unchanged") {
    check_round_trip(archives_in(test::corpus_cut() + "/nasty"));
}

TEST_CASE("Annotations of the corpus' texts that break parsers are read back unchanged",
          "[.corpus]") {
    check_round_trip(archives_in(test::whole_corpus() + "/nasty"));
}

TEST_CASE("Words of variations in a code page are read like the same words in UTF-8") {
    const TemporaryDirectory directory;
    const Imported imported({directory.write("a.pgn",
                                             "1. e4 (1. d4\xA0"
                                             "d5 \xAB"
                                             "c4 e8\xA0(Q)) e5 *\n")},
                            with_annotations());
    const std::string exported = exported_pgn(job_of(imported));
    CHECK_THAT(exported, Catch::Contains("\n\n1. e4 (1. d4 d5 $243 c4 e8 (Q)) 1... e5 *\n"));
    const Imported again({directory.write("b.pgn", exported)}, with_annotations());
    CHECK(exported_pgn(job_of(again)) == exported);
}

TEST_CASE("Annotations of engine games are read back unchanged") {
    check_engine_games(test::corpus_cut(), 10);
}

TEST_CASE("Annotations of the corpus' engine games are read back unchanged", "[.corpus]") {
    check_engine_games(test::whole_corpus(), 150);
}

}  // namespace
