#include "chess/epd.hpp"

#include <algorithm>

namespace fendex::chess {

namespace {

constexpr std::string_view kBlanks = " \t";

/// Takes an operand off the front: a string up to its second quote, or a word.
std::string_view next_operand(std::string_view& text) {
    const bool string = text[0] == '"';
    if (string) text.remove_prefix(1);
    const std::size_t end = std::min(text.find_first_of(string ? "\"" : " \t;\""), text.size());
    const std::string_view operand = text.substr(0, end);
    text.remove_prefix(std::min(end + (string ? 1 : 0), text.size()));
    return operand;
}

void skip(std::string_view& text, std::string_view characters) {
    text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
}

}  // namespace

std::vector<EpdOperation> epd_operations(std::string_view text) {
    std::vector<EpdOperation> operations;
    while (true) {
        skip(text, " \t;");
        if (text.empty()) return operations;
        EpdOperation& operation = operations.emplace_back();
        operation.opcode = next_operand(text);
        for (bool first = true;; first = false) {
            skip(text, kBlanks);
            if (text.empty() || text[0] == ';') break;
            if (!first) operation.operand += ' ';
            operation.operand += next_operand(text);
        }
    }
}

}  // namespace fendex::chess
