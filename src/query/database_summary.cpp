#include "query/database_summary.hpp"

#include <initializer_list>
#include <utility>

#include "base/hex.hpp"
#include "chess/variant_names.hpp"

namespace fendex::query {

namespace {

double quotient(std::uint64_t of, std::uint64_t by) {
    return by == 0 ? 0 : static_cast<double>(of) / static_cast<double>(by);
}

}  // namespace

DatabaseSummary::DatabaseSummary(store::StoreReader& reader, std::stop_token stop) {
    const store::StoreInfo info = reader.info();
    id = info.id;
    const bool is_file = !reader.is_remote();
    const auto add = [&](std::initializer_list<Figure> more) {
        figures.insert(figures.end(), more);
    };
    add({{"games", info.games, "games"},
         {"plies", info.plies, "moves played"},
         {"positions", info.positions, "plies, and the start of every game"}});
    if (is_file) {
        add({{"distinct_positions", info.distinct_positions,
              "counted in each segment: an upper bound"}});
    }
    add({{"players", reader.count_players(), "names of players"},
         {"joined_names", info.joined_names, "names that others stand for: fendex names"},
         {"sources", info.sources, "files and streams imported"},
         {"errors", info.errors, "what could not be read: fendex errors"},
         {"warnings", info.warnings,
          "what could be read in two ways, or was odd and lost nothing"}});
    if (is_file) {
        add({{"segments", info.index_pieces, "parts of the index"},
             {"variation_segments", info.variation_pieces, "parts of the index of variations"},
             {"postings", info.postings, "entries of the index: a position of a game"},
             {"unindexed_games", info.unindexed_games, "stored, but not in a segment yet"},
             {"annotated_games", info.annotated_games, "with comments, NAGs or variations"},
             {"annotation_bytes", info.annotation_bytes, "their size, compressed"}});
    }
    add({{"records", info.records, "positions with evaluations, or other operations of EPD"}});
    if (is_file) {
        add({{"bytes", info.bytes, "size of the database"},
             {"free_bytes", info.free_bytes, "of these, in free pages: compact frees them"}});
        file =
            File{quotient(info.bytes, info.plies), quotient(info.postings_written, info.postings),
                 !info.ply_rows                           ? "not chosen yet"
                 : *info.ply_rows == store::PlyRows::kYes ? "yes"
                                                          : "no"};
    }
    fingerprint = base::hex_key(info.fingerprint);
    variants = games_by_variant(reader, std::move(stop));
    if (variants.empty() || variants.front().variant != chess::Variant::kStandard) {
        variants.insert(variants.begin(), VariantGames{chess::Variant::kStandard, 0});
    }
}

void add_summary(const DatabaseSummary& summary, json::Object& object) {
    object.add("id", summary.id);
    for (const DatabaseSummary::Figure& figure : summary.figures) {
        object.add(figure.name, figure.value);
    }
    if (summary.file) {
        object.add("bytes_per_ply", json::Fixed{summary.file->bytes_per_ply, 3});
        object.add("write_amplification", json::Fixed{summary.file->write_amplification, 3});
    }
    object.add("fingerprint", summary.fingerprint);
    if (summary.file) object.add("ply_rows", summary.file->ply_rows);
    object.add_object("variants", [&](json::Object& of) {
        for (const auto& [variant, games] : summary.variants)
            of.add(chess::name_of(variant), games);
    });
}

}  // namespace fendex::query
