#include "store/sqlite/tables/row_translator.hpp"

#include <optional>

#include "store/sqlite/sums/game_sums.hpp"
#include "store/sqlite/tables/game_row.hpp"
#include "store/store_error.hpp"

namespace fendex::store {

using namespace game_columns;

RowTranslator::RowTranslator(const Tables& tables)
    : shape_names_(tables.shapes),
      players_{NameKind::kPlayer, tables.players, {}},
      events_{NameKind::kEvent, tables.events, {}},
      sites_{NameKind::kSite, tables.sites, {}},
      values_{NameKind::kTagValue, tables.values, {}} {}

void RowTranslator::translate(const std::shared_ptr<LocalReader>& names, std::span<RowValue> row,
                              NewRows& packed, codec::NameCodes& codes) {
    if (ids_are_of_.lock() != names) {
        forget();
        ids_are_of_ = names;
    }
    names_ = names.get();
    translate(players_, row[kWhite]);
    translate(players_, row[kBlack]);
    translate(events_, row[kEvent]);
    translate(sites_, row[kSite]);
    const Shape& of_row = shape(row[kShape].integer);
    row[kShape].integer = of_row.id;
    packed_.clear();
    codes[codec::kTerminationName] = codec::kNoCode;
    codec::ByteReader there(row[kTags].bytes);
    for (const bool is_termination : of_row.is_termination) {
        PackedValue value = read_packed(there);
        if (value.id) value.id = here(values_, *value.id);
        put_packed(value, packed_);
        if (is_termination) add_termination(code_of(value), codes);
    }
    if (!packed_.empty()) row[kTags].bytes = packed.keep(packed_);
}

void RowTranslator::translate(Names& names, RowValue& value) {
    if (value.type == ValueType::kInteger) value.integer = here(names, value.integer);
}

std::int64_t RowTranslator::here(Names& names, std::int64_t there) {
    std::int64_t& id = names.ids[there];
    if (id == 0) {
        id = names.here.id(text(names.kind, there));
        ++ids_;
    }
    return id;
}

const RowTranslator::Shape& RowTranslator::shape(std::int64_t there) {
    if (const auto known = shapes_.find(there); known != shapes_.end()) return known->second;
    const std::string name = text(NameKind::kTagShape, there);
    ++ids_;
    return shapes_[there] = {shape_names_.id(name), packed_terminations(name)};
}

/// The reader of the row has found all its names.
std::string RowTranslator::text(NameKind kind, std::int64_t there) const {
    std::optional<std::string> name = names_->name(kind, there);
    if (!name) throw StoreError(StoreError::kOther, "the other database changed while it was read");
    return std::move(*name);
}

void RowTranslator::forget() {
    for (Names* const names : {&players_, &events_, &sites_, &values_}) names->ids = {};
    shapes_ = {};
    ids_ = 0;
}

}  // namespace fendex::store
