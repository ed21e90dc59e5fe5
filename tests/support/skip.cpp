#include "support/skip.hpp"

#include <iostream>

#include "support/process.hpp"

namespace fendex::test {

namespace {

bool any_skipped = false;

}  // namespace

void skip(const std::string& reason) {
    any_skipped = true;
    std::cout << "skipped: " << reason << std::endl;
}

bool skip_without(const std::string& program) {
    if (!find_program(program).empty()) return false;
    skip(program + " is not installed");
    return true;
}

bool skipped() { return any_skipped; }

}  // namespace fendex::test
