#include "cli/options/pasted.hpp"

#include <algorithm>
#include <cctype>

namespace fendex::cli {

bool is_record_file(const std::string& word) {
    std::string ending = word.substr(word.size() - std::min<std::size_t>(word.size(), 4));
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return ending == ".fen" || ending == ".epd";
}

bool begins_position(const std::string& word) {
    return word.find('/') != std::string::npos || word.find("%2F") != std::string::npos ||
           word.find("%2f") != std::string::npos || word == "startpos";
}

}  // namespace fendex::cli
