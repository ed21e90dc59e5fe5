// Describes the content of a database in figures, with the names that the command line uses.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "query/games_by_variant.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

/// With fewer plies, a database's size per ply says nothing: empty tables take more than games.
inline constexpr std::uint64_t kPliesOfSizes = 100'000;

struct DatabaseSummary {
    /// Throws base::Stopped soon after a stop was requested.
    explicit DatabaseSummary(store::StoreReader& reader, std::stop_token stop = {});

    struct Figure {
        const char* name;
        std::uint64_t value;
        const char* meaning;
    };
    /// Figures of a database that is a file.
    struct File {
        double bytes_per_ply = 0;
        double write_amplification = 0;
        const char* ply_rows = nullptr;
    };
    std::string id;
    std::vector<Figure> figures;  // games and plies first; a cluster has fewer figures
    std::optional<File> file;     // empty for a cluster
    std::string fingerprint;
    std::vector<VariantGames> variants;  // standard chess first, even without games

    [[nodiscard]] std::uint64_t games() const { return figures[0].value; }
    [[nodiscard]] std::uint64_t plies() const { return figures[1].value; }
};

/// Adds the members of the summary to the object.
void add_summary(const DatabaseSummary& summary, json::Object& object);

}  // namespace fendex::query
