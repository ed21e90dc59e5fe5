#include "cli/output/table_layout.hpp"

#include <catch2/catch.hpp>

using namespace fendex::cli;
using Widths = std::vector<std::size_t>;

TEST_CASE("table layout: columns keep their width if there is room, and empty ones are left out") {
    CHECK(fit_columns({{5, 5, 0}, {0, 0, 0}, {20, 10, 0}}, 27) == Widths{5, 0, 20});
}

TEST_CASE("table layout: the widest column that can be cut is cut first") {
    CHECK(fit_columns({{5, 5, 0}, {20, 10, 0}, {16, 10, 0}}, 35) == Widths{5, 13, 13});
    CHECK(fit_columns({{30, 30, 0}, {20, 10, 0}}, 44) == Widths{30, 12});
}

TEST_CASE("table layout: the least important columns are left out if cutting is not enough") {
    const std::vector<ColumnNeed> needs{
        {10, 10, 0}, {20, 10, 1}, {10, 10, 2}, {10, 10, 0}};  // at least 46 wide
    CHECK(fit_columns(needs, 46) == Widths{10, 10, 10, 10});
    CHECK(fit_columns(needs, 45) == Widths{10, 20, 0, 10});
    CHECK(fit_columns(needs, 33) == Widths{10, 0, 0, 10});
    CHECK(fit_columns(needs, 12) == Widths{10, 0, 0, 10});
}
