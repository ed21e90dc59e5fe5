#include "ask/rows.hpp"

namespace fendex::ask {

std::uint64_t Rows::skip(std::uint64_t most) {
    std::uint64_t skipped = 0;
    const auto count = [&](const std::vector<Cell>&) { ++skipped; };
    while (skipped < most && read(most - skipped, count)) {
    }
    return skipped;
}

std::string ref_prefix(std::size_t database) {
    return database == 0 ? std::string() : std::to_string(database + 1) + ':';
}

std::vector<query::TreeDatabase> named_for_trees(Sources& sources, bool refs) {
    std::vector<query::TreeDatabase> named;
    for (const Source& source : sources) {
        named.push_back({source.reader, sources.several() ? std::string_view(source.name) : "",
                         refs ? std::optional(ref_prefix(source.index)) : std::nullopt});
    }
    return named;
}

void GameColumns::append_names(std::vector<std::string>& columns) const {
    if (several_) columns.emplace_back("database");
    columns.emplace_back("game_id");
    if (refs_) columns.emplace_back("ref");
}

void GameColumns::append_cells(const Source& source, store::GameId game, std::vector<Cell>& cells) {
    if (several_) cells.emplace_back(std::string_view(source.name));
    cells.emplace_back(static_cast<std::int64_t>(game));
    if (!refs_) return;
    ref_ = ref_prefix(source.index) + std::to_string(game);
    cells.emplace_back(std::string_view(ref_));
}

}  // namespace fendex::ask
