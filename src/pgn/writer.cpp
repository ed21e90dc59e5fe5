#include "pgn/writer.hpp"

namespace fendex::pgn {

namespace {
constexpr std::size_t kLineLength = 79;
}

void GameWriter::tag(std::string_view name, std::string_view value) {
    out_ += '[';
    out_ += name;
    out_ += " \"";
    for (const char c : value) {
        if (c == '"' || c == '\\') out_ += '\\';
        out_ += c;
    }
    out_ += "\"]\n";
}

void GameWriter::move(unsigned number, bool white, std::string_view san) {
    if (white || !in_moves_) {
        if (!in_moves_) out_ += '\n';
        word(std::to_string(number) + (white ? "." : "..."));
    }
    in_moves_ = true;
    word(san);
}

void GameWriter::result(std::string_view marker) {
    if (!in_moves_) out_ += '\n';
    word(marker);
    out_ += '\n';
}

void GameWriter::word(std::string_view text) {
    if (column_ != 0) {
        if (column_ + 1 + text.size() > kLineLength) {
            out_ += '\n';
            column_ = 0;
        } else {
            out_ += ' ';
            ++column_;
        }
    }
    out_ += text;
    column_ += text.size();
}

}  // namespace fendex::pgn
