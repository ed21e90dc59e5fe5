#include "chess/epd.hpp"

#include <catch2/catch.hpp>

#include "chess/fen.hpp"
#include "chess/web_address.hpp"

namespace {

using namespace fendex;
using namespace fendex::chess;

/// Returns the operations of a record as "bm=Nf3 d4|id=BK.01".
std::string operations(const std::string& record) {
    const FenResult fen = parse_any_fen(record, std::nullopt);
    INFO(fen.error.field << ": " << fen.error.reason);
    REQUIRE((fen.position || fen.variant_position));
    std::string out;
    for (const EpdOperation& each : epd_operations(fen.operations)) {
        out += (out.empty() ? "" : "|") + each.opcode + '=' + each.operand;
    }
    return out;
}

const std::string kFields = "4k3/8/8/8/8/8/4P3/4K3 w - -";

}  // namespace

TEST_CASE("EPD: operations are found after the fields of the position, however many these are") {
    const std::string said = " bm Nf3 d4; id \"BK.01\";";
    const std::string found = "bm=Nf3 d4|id=BK.01";
    for (const std::string fields : {"", " 3", " 3 17", " 3 17 +1+0", " 3+1 3 17"}) {
        CHECK(operations(kFields + fields + said) == found);
    }
    CHECK(operations("4k3/8/8/8/8/8/4P3/4K3_w_-_-" + said) == found);
    CHECK(operations("4k3/8/8/8/8/8/4P3/4K3[Qn] w - -" + said) == found);
    CHECK(operations(kFields).empty());
    CHECK(operations(kFields + " 0 1").empty());
}

TEST_CASE("EPD: strings are kept as they are, and one blank separates words") {
    CHECK(operations(kFields + " c0 \"mate; in   two\";bm  Kd2\t Kf2 ;") ==
          "c0=mate; in   two|bm=Kd2 Kf2");
    CHECK(operations(kFields + " bm e8=Q+; am O-O;") == "bm=e8=Q+|am=O-O");
    CHECK(operations(kFields + " id \"sch\xC3\xB6n_1+2\";") == "id=sch\xC3\xB6n_1+2");
    CHECK(operations(kFields + " 0 1 ;D1 20 ;D2 400") == "D1=20|D2=400");
    CHECK(operations(kFields + " noop; draw_offer;") == "noop=|draw_offer=");
}

TEST_CASE("EPD: operations are kept as written, unless the record comes from a web address") {
    const std::string said = "id=BK_01%2B|am=e8=Q+";
    CHECK(operations(kFields + " id BK_01%2B; am e8=Q+;") == said);
    CHECK(operations(kFields + " 3 17\tid  BK_01%2B; am e8=Q+;") == said);
    CHECK(operations("4k3%2F8%2F8%2F8/8/8/4P3/4K3_w_-_- id BK_01%2B; am e8=Q+;") == said);
    for (const std::string blank : {"_", "+", "%20"}) {
        CAPTURE(blank);
        CHECK(operations(test::replaced(kFields + " bm e4;", " ", blank)) == "bm=e4");
        CHECK(operations(test::replaced(kFields + " id ", " ", blank) + "\"a_b c\";") ==
              "id=a_b c");
    }
}

TEST_CASE("EPD: a record that breaks off has its operations up to there") {
    CHECK(operations(kFields + " id \"a; b") == "id=a; b");
    CHECK(operations(kFields + " id \"a\"; bm") == "id=a|bm=");
    CHECK(operations(kFields + " id \"\";;; ;bm e4") == "id=|bm=e4");
    CHECK(operations(kFields + ";").empty());
}
