#include "store/sqlite/repair/repair_doubts.hpp"

#include <utility>

#include "store/sqlite/sums/name_sum.hpp"

namespace fendex::store {

namespace {

constexpr char kSelectNewErrors[] = "SELECT id FROM main.import_error WHERE id > ?1";
// A segment of an unknown kind may have been one of variations.
constexpr char kCountOtherKinds[] = "SELECT count(*) FROM main.segment WHERE kind NOT IN (0, 1)";

/// Returns the beginning of the reason for a doubt about a table.
std::string without_checksum(const SealedTable& table, const SumCheck& check) {
    const std::string row = check.row ? "row " + std::to_string(*check.row) + " of " : "";
    return row + "table " + table.name + " did not have its checksum: ";
}

}  // namespace

RepairDoubts::RepairDoubts(Connection& connection) : connection_(&connection) {
    try {
        stored_.emplace(connection);
        segments_changed_ =
            !stored_->rows(kSegmentRows).is_right || connection.number(kCountOtherKinds) != 0;
        names_changed_ = !stored_->names().is_right;
        sources_changed_ = !stored_->rows(kSourceRows).is_right;
        errors_changed_ = !stored_->rows(kErrorRows).is_right;
        id_changed_ = !stored_->id_is_right();
        last_error_ = connection.integer("SELECT max(id) FROM main.import_error").value_or(0);
    } catch (const DamageError&) {
        // The check of the whole file, which follows, reports more.
    }
}

LocatedSum RepairDoubts::sum_of_new_errors() {
    RowSum added(*connection_, kErrorRows);
    Statement select(*connection_, kSelectNewErrors);
    select.bind(1, last_error_);
    while (select.step()) added.add(select.integer(0));
    return added.value();
}

std::vector<Doubt> RepairDoubts::remaining() {
    std::vector<Doubt> out;
    const auto add = [&](const char* what, std::string reason) {
        out.push_back({what, std::move(reason)});
    };
    if (names_changed_) {
        const SumCheck check = stored_->names();
        const std::string row = check.row ? describe_name(*connection_, *check.row) : "";
        if (!check.is_right && !row.empty()) {
            add("names",
                "a name did not have its checksum: " + row + ": it may not be what was imported");
        } else if (!check.is_right) {
            add("names",
                "names of players, events, sites, tags or openings did not have their checksum: "
                "they may not be what was imported");
        }
    }
    if (sources_changed_) {
        const SumCheck check = stored_->rows(kSourceRows);
        if (!check.is_right) {
            add("source",
                without_checksum(kSourceRows, check) + "what it says about an import may be wrong");
        }
    }
    if (errors_changed_) {
        const SumCheck check = stored_->rows(kErrorRows, sum_of_new_errors());
        if (!check.is_right) {
            add("import_error", without_checksum(kErrorRows, check) +
                                    "an error may be missing, or not be what was found");
        }
    }
    if (id_changed_) add("id", "the id of the database has changed since it was given");
    if (stored_ && stored_->state() == StoredSums::State::kCurrent &&
        stored_->postings_written() != stored_->found().postings_written) {
        add("postings_written", "the number of postings written so far has changed");
    }
    if (stored_ && stored_->state() == StoredSums::State::kDamaged) {
        add("row_sums",
            "the checksums of tables source, import_error and segment, and of the id, were "
            "damaged: these may not be what was imported");
    }
    return out;
}

}  // namespace fendex::store
