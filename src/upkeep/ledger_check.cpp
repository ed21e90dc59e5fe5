#include "upkeep/ledger_check.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "codec/columns.hpp"
#include "codec/posting.hpp"
#include "store/game_chunks.hpp"
#include "store/sqlite/sums/name_sum.hpp"
#include "store/sqlite/sums/row_sums.hpp"

namespace fendex::upkeep {

namespace {

constexpr char kSelectErrors[] =
    "SELECT e.id, source, game_id, ply, g.plies FROM import_error e LEFT JOIN game g ON g.id = "
    "game_id ORDER BY e.id";
constexpr char kSelectPlyRows[] = "SELECT value FROM meta WHERE name = 'ply_rows'";

constexpr std::size_t kDeletedBytes = codec::kGamesPerChunk / 8;

}  // namespace

MarkedGames deleted_games(store::RawRows& raw_rows, store::GameId last_game, Findings& findings) {
    MarkedGames deleted;
    raw_rows.for_each_deleted([&](std::int64_t chunk, std::string_view bits) {
        const auto complain = [&](const char* what) {
            findings.add({.kind = "deleted", .row = chunk, .message = what});
        };
        if (chunk < 0 || static_cast<store::GameId>(chunk) > last_game / codec::kGamesPerChunk) {
            return complain("a chunk of games that never existed");
        }
        if (bits.size() != kDeletedBytes)
            return complain("the chunk has a wrong checksum or a wrong size");
        const store::GameId before = static_cast<store::GameId>(chunk) * codec::kGamesPerChunk;
        for (std::size_t i = 0; i < codec::kGamesPerChunk; ++i) {
            if ((unsigned{static_cast<unsigned char>(bits[i / 8])} >> i % 8 & 1U) == 0) continue;
            const store::GameId game = before + i + 1;
            if (game > last_game) {
                findings.add({.kind = "deleted",
                              .game = game,
                              .row = chunk,
                              .message = "marked as deleted, but the game never existed"});
            } else {
                deleted.insert(game);
            }
        }
    });
    return deleted;
}

void check_segment_rows(store::RawRows& raw_rows, Findings& findings) {
    for (const store::RawSegment& segment : raw_rows.segments()) {
        const auto complain = [&](const char* what) {
            findings.add({.kind = "segment", .segment = segment.id, .message = what});
        };
        const bool is_known =
            segment.kind == static_cast<std::int64_t>(store::SegmentKind::kMainLine) ||
            segment.kind == static_cast<std::int64_t>(store::SegmentKind::kVariations);
        if (!segment.has_numbers) {
            complain("a value of its row is not a number");
        } else if (!is_known) {
            complain("there is no such kind of segment");
        }
    }
}

std::vector<store::RawSegment> usable_segments(store::RawRows& raw_rows, store::SegmentKind kind,
                                               store::GameId last_game, Findings& findings) {
    std::vector<store::RawSegment> usable;
    std::int64_t next = 1;  // the first game of the next segment
    for (const store::RawSegment& segment : raw_rows.segments()) {
        const auto complain = [&](const std::string& what) {
            findings.add({.kind = "segment", .segment = segment.id, .message = what});
        };
        if (!segment.has_numbers || segment.kind != static_cast<std::int64_t>(kind)) continue;
        if (segment.first_game < 1 || segment.last_game < segment.first_game ||
            segment.last_game - segment.first_game >= std::int64_t{codec::Posting::kMaxGames} ||
            static_cast<store::GameId>(segment.last_game) > last_game) {
            complain("its game numbers are invalid");
            continue;
        }
        if (segment.first_game < next) {
            complain("its games are in another segment too");
            continue;
        }
        if (kind == store::SegmentKind::kMainLine && segment.first_game > next) {
            complain("games " + std::to_string(next) + " to " +
                     std::to_string(segment.first_game - 1) + " before it are in no segment");
        }
        next = segment.last_game + 1;
        if (segment.postings < 0 || segment.positions < 0 || segment.positions > segment.postings ||
            !codec::fits_postings(segment.key_bits, static_cast<std::uint64_t>(segment.postings))) {
            complain("its numbers of postings, positions and key bits contradict each other");
        }
        if (segment.key_bits < 8 || segment.key_bits > 48) continue;
        usable.push_back(segment);
    }
    return usable;
}

void check_sources(store::RawRows& raw_rows, const MarkedGames& deleted, store::GameId last_game,
                   Depth depth, Findings& findings) {
    std::vector<store::StoredSource> sources = raw_rows.sources();
    std::ranges::stable_sort(sources, [](const auto& a, const auto& b) {
        return store::as_signed(a.first_game) < store::as_signed(b.first_game);
    });
    std::int64_t next = 1;
    for (const store::StoredSource& source : sources) {
        const auto complain = [&](const std::string& what) {
            findings.add({.kind = "source", .row = source.id, .message = what});
        };
        if (source.games == 0) continue;
        const std::int64_t first = store::as_signed(source.first_game);
        const std::int64_t games = store::as_signed(source.games);
        const std::int64_t last = store::as_signed(source.first_game + source.games) - 1;
        if (games < 0 || first != next || static_cast<store::GameId>(last) > last_game) {
            complain("its games (from " + std::to_string(first) + " on, " + std::to_string(games) +
                     " games) do not follow those of the previous source");
        }
        next = std::max(next, std::min(last, static_cast<std::int64_t>(last_game)) + 1);
        if (depth == Depth::kLedger) continue;
        bool some_deleted = false;
        deleted.for_each(static_cast<store::GameId>(std::max<std::int64_t>(1, first)),
                         static_cast<store::GameId>(std::max<std::int64_t>(0, last)),
                         [&](store::GameId) { some_deleted = true; });
        if (!some_deleted && games > 0 &&
            raw_rows.plies(first, last) != store::as_signed(source.plies)) {
            complain("its number of plies is not the sum over its games");
        }
    }
    if (static_cast<store::GameId>(next - 1) != last_game) {
        findings.add({.kind = "source",
                      .game = static_cast<store::GameId>(next),
                      .message = "this game and those after it belong to no source"});
    }
}

void check_import_errors(store::RawRows& raw_rows, const MarkedGames& deleted, Findings& findings) {
    struct Errors {
        std::int64_t expected = 0;
        std::int64_t found = 0;
    };
    std::map<std::int64_t, Errors> sources;
    for (const store::StoredSource& source : raw_rows.sources()) {
        sources[source.id].expected = store::as_signed(source.errors);
    }
    std::int64_t count = 0;
    store::Statement error(raw_rows.connection(), kSelectErrors);
    for (; error.step(); ++count) {
        const auto number = [&](int column) {
            return error.is_null(column) ? std::nullopt : std::optional(error.integer(column));
        };
        const std::int64_t id = error.integer(0);
        const std::optional<std::int64_t> game = number(2);
        const std::optional<std::int64_t> ply = number(3);
        const std::optional<std::int64_t> plies = number(4);
        const auto complain = [&](const std::string& what) {
            findings.add({.kind = "import_error", .ply = ply, .row = id, .message = what});
        };
        try {
            raw_rows.reader().broken_game(id);
        } catch (const store::DamageError& damage) {
            complain(damage.what());
        }
        const auto source = sources.find(error.integer(1));
        if (source == sources.end()) {
            complain("its source is missing");
            continue;
        }
        ++source->second.found;
        if (!game || (*game > 0 && deleted.contains(static_cast<store::GameId>(*game)))) continue;
        if (!plies) {
            complain("its game is missing");
        } else if (ply && (*ply < 0 || *ply > *plies)) {
            complain("its game has no such ply");
        }
    }
    for (const auto& [id, errors] : sources) {
        if (errors.expected == errors.found) continue;
        findings.add({.kind = "source",
                      .row = id,
                      .message = "counts " + std::to_string(errors.expected) + " errors, has " +
                                 std::to_string(errors.found)});
    }
    if (raw_rows.meta("errors").value_or(0) != count) {
        findings.add(
            {.kind = "meta",
             .message = "errors: there are " + std::to_string(count) + " rows of import_error"});
    }
}

void check_orphans(store::RawRows& raw_rows, Findings& findings) {
    const bool has_plies = raw_rows.has_ply_table();
    const bool says_plies = raw_rows.connection().text(kSelectPlyRows) == "yes";
    if (has_plies != says_plies) {
        findings.add({.kind = "meta",
                      .message = says_plies ? "ply_rows: is yes, but table ply is missing"
                                            : "ply_rows: is not yes, but table ply exists"});
    }
    for (const char* table : {"repetition", "quiet_run", "annotation", "ply"}) {
        if (std::string_view(table) == "ply" && !has_plies) continue;
        std::size_t found = 0;
        raw_rows.for_each_orphan(table, [&](std::int64_t game) {
            findings.add({.kind = table,
                          .game = static_cast<std::uint64_t>(game),
                          .message = "rows of a missing game"});
            return ++found <= Findings::kListed;
        });
    }
}

void check_chunks(store::RawRows& raw_rows, const MarkedGames& deleted, store::GameId last_game,
                  Findings& findings) {
    const auto chunks = static_cast<std::int64_t>(store::chunks_up_to(last_game));
    for (const std::string& table : raw_rows.chunk_tables()) {
        store::Statement row(raw_rows.connection(),
                             "SELECT chunk FROM " + table + " ORDER BY chunk");
        while (row.step()) {
            const std::int64_t chunk = row.integer(0);
            if (chunk >= 0 && chunk < chunks) continue;
            findings.add(
                {.kind = table, .row = chunk, .message = "a chunk of games that never existed"});
        }
    }
    std::vector<codec::GameSignature> signatures;
    std::uint64_t chunk = ~std::uint64_t{0};
    deleted.for_each(1, last_game, [&](store::GameId game) {
        const auto complain = [&](const char* kind) {
            findings.add({.kind = kind, .game = game, .message = "left over from a deleted game"});
        };
        try {
            if (raw_rows.reader().facts(game) != codec::GameFacts{}) complain("fact");
            if ((game - 1) / codec::kGamesPerChunk != chunk) {
                chunk = (game - 1) / codec::kGamesPerChunk;
                signatures.clear();
                signatures = raw_rows.reader().signatures(
                    {chunk * codec::kGamesPerChunk + 1, (chunk + 1) * codec::kGamesPerChunk});
            }
            const std::size_t index = (game - 1) % codec::kGamesPerChunk;
            if (index < signatures.size() && signatures[index] != codec::GameSignature{}) {
                complain("signature");
            }
            if (!raw_rows.codes_are_right(game)) complain("codes");
            if (raw_rows.swings(game) != 0) complain("swing");
        } catch (const store::DamageError& error) {
            findings.add({.kind = "fact", .game = game, .message = error.what()});
        }
    });
}

bool check_row_sums(store::RawRows& raw_rows, Findings& findings) {
    using State = store::StoredSums::State;
    const store::StoredSums stored(raw_rows.connection());
    for (const store::SealedTable& table :
         {store::kSourceRows, store::kErrorRows, store::kSegmentRows}) {
        const store::SumCheck check = stored.rows(table);
        if (check.is_right) continue;
        Damage damage{.kind = table.name};
        if (check.row) damage.row = store::as_signed(*check.row);
        damage.message = check.row ? "the row was changed, added or lost"
                                   : "the checksum of the table does not match: rows were changed, "
                                     "added or lost";
        findings.add(std::move(damage));
    }
    const auto complain = [&](const char* what) {
        findings.add({.kind = "meta", .message = what});
    };
    if (stored.state() == State::kDamaged) complain("row_sums: it does not have its checksum");
    if (!stored.id_is_right()) complain("id: it has changed since it was given");
    if (!stored.meta_is_right()) {
        complain("the checksum of the table does not match: a row was changed, added or lost");
    }
    return stored.state() == State::kCurrent || stored.state() == State::kDamaged;
}

void check_names(store::RawRows& raw_rows, Findings& findings) {
    const store::SumCheck check = store::StoredSums(raw_rows.connection()).names();
    if (check.is_right) return;
    const std::string row =
        check.row ? store::describe_name(raw_rows.connection(), *check.row) : "";
    findings.add(
        {.kind = "names",
         .message = row.empty() ? "their checksum does not match: names of players, events, sites, "
                                  "tags or openings were changed or lost"
                                : "the name was changed, added or lost: " + row});
}

void check_counters(store::RawRows& raw_rows, const store::GameSums& sums, Findings& findings) {
    const auto compare = [&](const std::string& name, std::uint64_t expected) {
        const std::optional<std::int64_t> found = raw_rows.meta(name);
        if (found && static_cast<std::uint64_t>(*found) == expected) return;
        findings.add({.kind = "meta",
                      .message = name + ": is " +
                                 (found ? std::to_string(*found) : std::string("missing")) +
                                 ", should be " + std::to_string(store::as_signed(expected))});
    };
    compare("games", sums.games);
    compare("plies", sums.plies);
    compare("positions", sums.positions);
    compare("fingerprint", sums.fingerprint);
    const std::uint64_t annotated = raw_rows.connection().number("SELECT count(*) FROM annotation");
    // A database without annotations need not have the counters.
    if (annotated == 0 && raw_rows.meta("annotated_games").value_or(0) == 0) return;
    compare("annotated_games", annotated);
    compare("annotation_bytes",
            raw_rows.connection().number("SELECT sum(length(data)) FROM annotation"));
}

}  // namespace fendex::upkeep
