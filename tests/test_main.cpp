#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>

#include "support/skip.hpp"

namespace {

bool skipped = false;

}  // namespace

void fendex::test::skip(const std::string& reason) {
    skipped = true;
    std::cout << "skipped: " << reason << std::endl;
}

// Catch2 returns the number of failures, which must not be taken for kSkippedStatus.
int main(int argc, char* argv[]) {
    if (Catch::Session().run(argc, argv) != 0) return EXIT_FAILURE;
    return skipped ? fendex::test::kSkippedStatus : EXIT_SUCCESS;
}
