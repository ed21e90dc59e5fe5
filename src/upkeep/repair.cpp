#include "upkeep/repair.hpp"

#include <filesystem>
#include <memory>
#include <optional>

#include "base/unfinished.hpp"
#include "replay/game_start.hpp"
#include "replay/game_trace.hpp"
#include "replay/opening_names.hpp"
#include "replay/ply_rows.hpp"
#include "replay/stored_swings.hpp"
#include "replay/tag_facts.hpp"
#include "store/sqlite/repair/repair_tables.hpp"
#include "store/sqlite/repair/salvage.hpp"
#include "store/sqlite/writer/writer.hpp"
#include "store/sqlite/writer/writer_lock.hpp"

namespace fendex::upkeep {

namespace {

/// Number of games between two calls of progress().
constexpr std::uint64_t kGamesToReport = 1024;

/// Counts games of which data with a wrong checksum was kept. Each has an error of its own.
class GamesInDoubt {
  public:
    void add(store::GameId game) {
        if (count_++ == 0) first_ = game;
    }
    void add_to(std::vector<store::Doubt>& doubts, const char* what, const char* why) const {
        if (count_ == 0) return;
        const std::string others = count_ > 1 ? " and " + std::to_string(count_ - 1) + " more" : "";
        doubts.push_back({what, "game " + std::to_string(first_) + others + ": " + why +
                                    "; it may not be what was imported"});
    }

  private:
    std::uint64_t count_ = 0;
    store::GameId first_ = 0;
};

class Repair {
  public:
    Repair(const std::string& path, const RepairOptions& options)
        : path_(path), options_(options) {}

    RepairReport run() {
        repair_tables();
        tables_.reset();
        const auto writer = store::open_sqlite_writer(path_, "repair");
        store::Maintenance request;
        request.reindex = true;
        request.variations = variations_;
        request.threads = options_.threads;
        request.memory_bytes = options_.memory_bytes;
        static_cast<void>(writer->maintain(request));  // nobody stops it
        writer->close();
        return report_;
    }

  private:
    void repair_tables() {
        store::RepairTables& tables = tables_.emplace(path_);
        report_.columns = tables.repair_columns();
        report_.records = tables.repair_records();
        report_.joined_names = tables.repair_joined_names();
        report_.numbers = tables.repair_numbers();
        totals_.last_game = tables.last_game();
        for (auto game = tables.next_game(0); game; game = tables.next_game(*game)) {
            repair_game(*game);
            if (++report_.games % kGamesToReport == 0 && options_.progress) {
                options_.progress(*game);
            }
        }
        variations_ = tables.variations();
        totals_.variations_from = variations_.empty() ? 0 : variations_.front().first;
        report_.doubts = tables.finish(totals_);
        games_in_doubt_.add_to(report_.doubts, "game", "a checksum of the game did not match");
        swings_in_doubt_.add_to(report_.doubts, "swing",
                                "the swings could not be read, and the annotations that they were "
                                "found in are not kept");
        annotations_in_doubt_.add_to(report_.doubts, "annotation",
                                     "the checksum of comments, NAGs and variations, or of their "
                                     "dictionary, did not match");
    }

    void read(store::GameId game) {
        try {
            tables_->games().game(game, stored_);
        } catch (const store::DamageError&) {
            tables_->drop_packed_tags(game);
            add_error(game, std::nullopt,
                      "repair: tag pairs that have no column could not be read");
            tables_->games().game(game, stored_);
            ++report_.tags_lost;
        }
    }

    /// Replays `plies` plies, or as many as possible.
    void replay(const std::optional<chess::AnyPosition>& start, std::uint32_t plies) {
        trace_.clear();
        packed_.clear();
        if (!start) return;
        trace_.replay(*start, stored_.moves.moves, plies);
        trace().packed_moves().append_to(packed_);
    }
    const replay::GameRecord& trace() const { return trace_.record(); }

    void keep_annotation(store::GameId game) {
        using State = store::RepairAnnotations::State;
        switch (tables_->annotations().keep(game)) {
            case State::kIntact: break;
            case State::kUnverified:
                annotations_in_doubt_.add(game);
                add_error(
                    game, std::nullopt,
                    "repair: comments, NAGs and variations, or their dictionary, did not have "
                    "their checksum: they may not be what was imported");
                break;
            case State::kLost:
                add_error(game, std::nullopt,
                          "repair: comments, NAGs and variations could not be read");
                ++report_.annotations_lost;
                break;
        }
    }

    void repair_game(store::GameId game) {
        const std::uint64_t errors_before = errors_;
        read(game);
        keep_annotation(game);
        std::vector<store::TagPair> tags;
        for (const auto& [name, value] : stored_.tags) tags.push_back({name, value});
        const replay::GameStart start =
            replay::start_of_stored(tags, stored_.moves.facts.variant, stored_.moves.start);
        const std::uint32_t said = stored_.moves.facts.plies;
        replay(start.position, said);
        // If the row's number of plies does not fit its moves, the facts may have the right one.
        if (packed_ != stored_.moves.moves || trace().moves().size() != said) {
            const std::optional<std::uint32_t> other = tables_->plies_by_facts(game);
            if (other && *other != said) {
                replay(start.position, *other);
                if (packed_ != stored_.moves.moves) replay(start.position, said);
            }
        }
        const auto plies = static_cast<std::uint32_t>(trace().moves().size());
        if (packed_ != stored_.moves.moves) {
            add_error(game, plies,
                      "repair: the stored moves could not be replayed beyond this ply");
            ++report_.cut;
        }
        if (tables_->annotations().cut(game, plies)) {
            add_error(game, plies,
                      "repair: comments, NAGs and variations after this ply are lost, because the "
                      "moves they belong to are");
        }
        codec::GameFacts facts;
        facts.variant = start.variant;
        facts.plies = plies;
        replay::read_stored_facts(tags, stored_.moves.facts.result, facts);
        const std::string fen = replay::stored_fen(start);
        if (packed_ != stored_.moves.moves || fen != stored_.moves.start || plies != said ||
            facts.variant != stored_.moves.facts.variant ||
            facts.result != stored_.moves.facts.result) {
            tables_->put(game, facts, fen, packed_);
            ++report_.rows;
        }
        store_derived(game, facts);
        // If a row now matches its checksums, it is again what was imported. If not, an error is
        // recorded, unless the game already has one.
        if (!tables_->seal(game) && errors_ == errors_before) {
            games_in_doubt_.add(game);
            add_error(
                game, std::nullopt,
                "repair: the game did not have its checksum: it may not be what was imported");
        }
    }

    void add_error(store::GameId game, std::optional<std::uint32_t> ply, std::string_view reason) {
        tables_->add_error(game, ply, reason);
        ++errors_;
    }

    /// Returns the code of the swings: by the annotations if the game has any, else those that are
    /// stored.
    std::uint32_t swings(store::GameId game) {
        const std::string& annotation = tables_->annotations().stream();
        if (!annotation.empty()) {
            stored_.moves.facts.plies = static_cast<std::uint32_t>(trace().moves().size());
            return codec::code_of_swings(replay::swings_of_stored(stored_.moves, annotation));
        }
        const std::optional<std::uint32_t> stored = tables_->stored_swings(game);
        if (!stored) swings_in_doubt_.add(game);
        return stored.value_or(0);
    }

    void store_derived(store::GameId game, const codec::GameFacts& facts) {
        const auto opening = replay::opening_of_game(trace().keys());
        tables_->add(game, facts, trace().signature(), opening ? opening->text : std::string_view(),
                     swings(game));
        for (const store::RepeatedPosition& repetition : trace().repetitions()) {
            tables_->repetitions().insert(game, repetition);
        }
        for (const store::QuietPlies& run : trace().quiet_runs()) {
            tables_->repetitions().insert(game, run);
        }
        tables_->repetitions().write();
        if (tables_->has_ply_rows() && !trace().keys().empty()) {
            rows_.clear();
            replay::append_ply_rows(trace_.start_position(), trace().moves(),
                                    store::Occurrences(trace().repetitions()), facts.variant,
                                    rows_);
            tables_->add_ply_rows(game, rows_);
        }
        totals_.add_game(game, trace().keys());
    }

    const std::string& path_;
    const RepairOptions& options_;
    std::optional<store::RepairTables> tables_;
    store::StoredGame stored_;
    replay::AnyTrace trace_;
    std::string packed_;
    store::PlyRowList rows_;
    store::RepairedTotals totals_;
    std::vector<store::GameRange> variations_;
    GamesInDoubt games_in_doubt_;
    GamesInDoubt annotations_in_doubt_;
    GamesInDoubt swings_in_doubt_;
    std::uint64_t errors_ = 0;
    RepairReport report_;
};

/// Copies everything that can be read into a new database, repairs that, and replaces the file's
/// content.
RepairReport repair_malformed(const std::string& path, const RepairOptions& options) {
    const store::WriterLock lock(path, "repair");
    const base::UnfinishedDirectory directory(std::filesystem::weakly_canonical(path).string());
    const std::string copy = directory.path() + "/copy.db";
    const std::uint64_t unreadable = store::salvage(path, copy);
    RepairReport report = Repair(copy, options).run();
    report.malformed = true;
    report.unreadable = unreadable;
    store::replace_content(copy, path);
    return report;
}

}  // namespace

RepairReport repair_database(const std::string& path, const RepairOptions& options) {
    try {
        return Repair(path, options).run();
    } catch (const store::MalformedFileError&) {
    }
    try {
        return repair_malformed(path, options);
    } catch (const store::MalformedFileError& error) {
        throw store::MalformedFileError(error.what() +
                                        std::string("; too much of the file is damaged: restore a "
                                                    "backup, or import the games again"));
    }
}

}  // namespace fendex::upkeep
