#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <cstdlib>

#include "support/skip.hpp"

// Catch2 returns the number of failures, which must not be taken for kSkippedStatus.
int main(int argc, char* argv[]) {
    if (Catch::Session().run(argc, argv) != 0) return EXIT_FAILURE;
    return fendex::test::skipped() ? fendex::test::kSkippedStatus : EXIT_SUCCESS;
}
