#include "cli/options/say.hpp"

#include <iostream>

#include "base/printable.hpp"

namespace fendex::cli {

void say(const std::string& text) { std::cerr << "fendex: " + base::printable(text) + '\n'; }

}  // namespace fendex::cli
