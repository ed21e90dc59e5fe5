#include "pgn/writer.hpp"

#include <charconv>
#include <cstring>

namespace fendex::pgn {

void GameWriter::tag(std::string_view name, std::string_view value) {
    out_ += '[';
    out_ += name;
    out_ += " \"";
    std::size_t done = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] != '"' && value[i] != '\\') continue;
        out_.append(value, done, i - done);
        out_ += '\\';
        done = i;
    }
    out_.append(value, done);
    out_ += "\"]\n";
}

void GameWriter::move(unsigned number, bool white, std::string_view san) {
    if (white || !in_moves_) {
        if (!in_moves_) out_ += '\n';
        char digits[16];
        char* end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        *end++ = '.';
        if (!white) {
            *end++ = '.';
            *end++ = '.';
        }
        word({digits, end});
    }
    in_moves_ = true;
    word(san);
}

void GameWriter::result(std::string_view marker) {
    if (!in_moves_) out_ += '\n';
    word(marker);
    end_line();
}

void GameWriter::word(std::string_view text) {
    if (column_ != 0) {
        if (column_ + 1 + text.size() > kLineLength) {
            end_line();
        } else {
            line_[column_++] = ' ';
        }
    }
    std::memcpy(line_ + column_, text.data(), text.size());
    column_ += text.size();
}

void GameWriter::end_line() {
    line_[column_++] = '\n';
    out_.append(line_, column_);
    column_ = 0;
}

}  // namespace fendex::pgn
