#include "clickhouse/repetition_rows.hpp"

namespace fendex::clickhouse {

store::Repetition read_repetition(AnswerRow& row) {
    store::Repetition out;
    out.game = row.game();
    out.key = row.any_u64();
    out.plies = row.plies();
    return out;
}

store::QuietRun read_quiet_run(AnswerRow& row) {
    store::QuietRun out;
    out.game = row.game();
    out.ply50 = row.ply("ply50");
    const bool has75 = row.flag("has75");
    const std::uint32_t ply75 = row.ply("ply75");
    if (has75) {
        if (ply75 < out.ply50) row.refuse("ply75", ply75);
        out.ply75 = ply75;
    }
    out.longest = row.any_u32();
    return out;
}

}  // namespace fendex::clickhouse
