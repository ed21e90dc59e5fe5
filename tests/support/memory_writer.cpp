#include <algorithm>
#include <charconv>

#include "replay/variation_walk.hpp"
#include "store/broken_game.hpp"
#include "store/fingerprint.hpp"
#include "support/memory_content.hpp"

namespace fendex::test::memory {

namespace {

using store::GameId;

/// Notes the positions of a game's variations.
class VariationNotes final : public replay::VariationVisitor {
  public:
    VariationNotes(GameId game, Content& content) : game_(game), content_(content) {}
    void node(const replay::VariationNode& node) override {
        content_.variations[node.position.key()].insert(game_);
    }

  private:
    GameId game_;
    Content& content_;
};

/// Returns a number if the text is exactly as the number is written.
std::optional<std::int64_t> number_of(const std::optional<std::string_view>& text) {
    std::int64_t number = 0;
    if (!text) return std::nullopt;
    std::from_chars(text->data(), text->data() + text->size(), number);
    return std::to_string(number) == *text ? std::optional(number) : std::nullopt;
}

store::Repetition of_game(GameId game, const store::RepeatedPosition& position) {
    store::Repetition out;
    static_cast<store::RepeatedPosition&>(out) = position;
    out.game = game;
    return out;
}

store::QuietRun of_game(GameId game, const store::QuietPlies& plies) {
    store::QuietRun out;
    static_cast<store::QuietPlies&>(out) = plies;
    out.game = game;
    return out;
}

class MemoryWriter final : public store::StoreWriter {
  public:
    explicit MemoryWriter(std::shared_ptr<Committed> committed)
        : committed_(std::move(committed)), next_(*committed_->get()) {}

    GameId next_game() const override { return next_.last + 1; }
    std::optional<store::PlyRows> ply_rows() const override { return next_.info.ply_rows; }
    void choose_ply_rows(store::PlyRows rows) override { next_.info.ply_rows = rows; }

    void begin_source(const store::SourceFile& file, const std::string& options,
                      std::uint64_t first_byte) override {
        const std::int64_t id = next_.sources.empty() ? 1 : next_.sources.back().id + 1;
        store::StoredSource& row = next_.sources.emplace_back();
        row.id = id;
        row.file = file;
        row.first_byte = row.progress.bytes = row.progress.resume.byte = first_byte;
        row.first_game = next_game();
        row.options = options;
        current_ = next_.sources.size() - 1;
    }
    void continue_source(const store::StoredSource& source, const store::SourceFile& file,
                         const std::string& options) override {
        store::StoredSource& row = row_of(source.id);
        remove_errors(row, source.progress.resume.byte);
        if (row.games == 0) row.first_game = next_game();
        const bool same_name = row.file.path == file.path;
        const std::optional<GameId> open_game = row.progress.open_game;
        if (same_name && !open_game && row.first_game + row.games == next_game()) {
            row.file = file;
            current_ = static_cast<std::size_t>(&row - next_.sources.data());
            return;
        }
        if (open_game) remove_games({&*open_game, 1});
        if (!same_name && !row.progress.complete) row.file = {row.file.path, {}, {}};
        row.progress.bytes = row.progress.resume.byte;
        row.progress.digest = row.progress.resume.digest;
        row.progress.complete = true;
        row.progress.open_game.reset();
        begin_source(file, options, source.progress.resume.byte);
    }
    store::SourceCounts source_counts() const override { return next_.sources[current_]; }
    std::int64_t source() const override { return next_.sources[current_].id; }
    store::GameSums retract(const store::SourceCounts& counts,
                            const store::SourceProgress& progress) override {
        store::StoredSource& row = next_.sources[current_];
        const GameId first = row.first_game + counts.games;
        const store::GameSums removed = remove_all({first, next_.last});
        next_.last = first - 1;
        next_.facts.resize(next_.last);
        next_.signatures.resize(next_.last);
        static_cast<store::SourceCounts&>(row) = counts;
        remove_errors(row, progress.resume.byte);
        update_source(progress);
        return removed;
    }
    store::GameSums retract_row(const store::StoredSource& source) override {
        store::StoredSource& row = row_of(source.id);
        row.progress = {};
        remove_errors(row, 0);
        return remove_all({row.first_game, row.first_game + row.games - 1});
    }
    void update_source(const store::SourceProgress& progress) override {
        next_.sources[current_].progress = progress;
    }
    void set_source_file(std::int64_t source, const store::SourceFile& file) override {
        row_of(source).file = file;
    }

    GameId add(store::NewGames batch) override {
        const GameId first = next_game();
        for (const store::NewGame& game : batch.games) add_game(game, batch);
        store::StoredSource& row = next_.sources[current_];
        for (const store::NewError& each : batch.errors) add_error(each, row, first);
        row.games += batch.games.size();
        row.duplicates += batch.duplicates;
        row.plies += batch.count_plies();
        row.errors += batch.errors.size();
        return first;
    }
    std::uint64_t add_notes(const store::NewGames& batch) override {
        std::uint64_t games = 0;
        for (const store::NewNotes& notes : batch.notes) {
            std::shared_ptr<const Game>& known = next_.games.at(notes.game);
            if (!known->annotation.empty()) continue;
            const auto made = std::make_shared<Game>();
            made->stored = known->stored;
            made->repetitions = known->repetitions;
            made->quiet_runs = known->quiet_runs;
            describe(notes.game, *made);
            made->annotation = notes.annotation.of(batch.annotations);
            made->swings = codec::code_of_swings(notes.swings);
            known = made;
            ++next_.info.annotated_games;
            if (variations_) index_variations(notes.game, next_);
            ++games;
        }
        return games;
    }
    codec::GameFacts facts(GameId game) override { return next_.facts.at(game - 1); }
    bool game(GameId game, store::StoredGame& out) override {
        const auto found = next_.games.find(game);
        if (found != next_.games.end()) out = found->second->stored;
        return found != next_.games.end();
    }
    store::GameSums remove_games(std::span<const GameId> games) override {
        store::GameSums removed;
        for (const GameId id : games) {
            const auto game = next_.games.find(id);
            if (game == next_.games.end()) continue;
            if (!game->second->annotation.empty()) --next_.info.annotated_games;
            next_.games.erase(game);
            std::uint64_t positions = 0;
            const store::GameFingerprint terms(id);
            for (auto& [key, all] : next_.postings) {
                positions += std::erase_if(all, [&, key = key](const store::Candidate& each) {
                    if (each.game != id) return false;
                    removed.fingerprint += terms.term(*each.ply, key);
                    return true;
                });
            }
            for (auto& [key, all] : next_.variations) all.erase(id);
            next_.facts[id - 1] = {};
            next_.signatures[id - 1] = {};
            ++removed.games;
            removed.positions += positions;
            removed.plies += positions == 0 ? 0 : positions - 1;
        }
        next_.info.games -= removed.games;
        next_.info.plies -= removed.plies;
        next_.info.positions -= removed.positions;
        next_.info.fingerprint -= removed.fingerprint;
        return removed;
    }

    void commit() override {
        store::StoreInfo& info = next_.info;
        info.last_game = next_.last;
        info.sources = next_.sources.size();
        info.postings = info.postings_written = info.positions;
        info.distinct_positions = next_.postings.size();
        info.index_pieces = info.positions == 0 ? 0 : 1;
        info.variation_pieces = next_.variations.empty() ? 0 : 1;
        ++next_.snapshot;
        committed_->set(std::make_shared<const Content>(next_));
    }
    void rollback() override { next_ = *committed_->get(); }

    /// Games are indexed as they are added.
    store::GrowingIndex* begin_index(const store::IndexOptions& options) override {
        variations_ = options.variations;
        return nullptr;
    }

    void close() override {}
    bool close_unless_unused() override { return !next_.sources.empty(); }

  private:
    store::StoredSource& row_of(std::int64_t id) {
        return *std::find_if(next_.sources.begin(), next_.sources.end(),
                             [&](const auto& row) { return row.id == id; });
    }

    store::GameSums remove_all(const store::GameRange& games) {
        std::vector<GameId> ids;
        for (GameId id = games.first; id <= games.last; ++id) ids.push_back(id);
        return remove_games(ids);
    }

    std::int64_t name_id(store::NameKind kind, std::string_view name) {
        auto& names = next_.names[kind];
        const auto known = std::find_if(names.begin(), names.end(),
                                        [&](const auto& each) { return each.second == name; });
        if (known != names.end()) return known->first;
        return names.emplace_back(names.size() + 1, name).first;
    }

    void add_game(const store::NewGame& game, const store::NewGames& batch) {
        const GameId id = ++next_.last;
        const auto made = std::make_shared<Game>();
        made->stored.moves.facts = game.facts;
        made->stored.moves.start = game.start;
        made->stored.moves.moves = game.moves.of(batch.moves);
        for (const store::TagPair& tag : game.tags.of(batch.tags)) {
            made->stored.tags.emplace_back(tag.name, tag.value);
        }
        made->annotation = game.annotation.of(batch.annotations);
        for (const auto& each : game.repetitions.of(batch.repetitions)) {
            made->repetitions.push_back(of_game(id, each));
        }
        std::sort(made->repetitions.begin(), made->repetitions.end(),
                  [](const auto& a, const auto& b) {
                      return static_cast<std::int64_t>(a.key) < static_cast<std::int64_t>(b.key);
                  });
        for (const auto& each : game.quiet_runs.of(batch.quiet_runs)) {
            made->quiet_runs.push_back(of_game(id, each));
        }
        made->swings = codec::code_of_swings(game.swings);
        describe(id, *made);
        next_.facts.push_back(game.facts);
        next_.signatures.push_back(game.signature);
        const store::GameFingerprint terms(id);
        std::uint32_t ply = 0;
        for (const store::NewPosition& each : game.positions.of(batch.positions)) {
            next_.info.fingerprint += terms.term(ply, each.key);
            next_.postings[each.key].push_back({id, ply++, each.next});
        }
        ++next_.info.games;
        next_.info.plies += game.plies();
        next_.info.positions += game.positions.size;
        if (!made->annotation.empty()) ++next_.info.annotated_games;
        next_.games[id] = made;
        if (variations_) index_variations(id, next_);
    }

    void describe(GameId id, Game& game) {
        const auto text = [&](std::string_view name) -> std::optional<std::string_view> {
            const auto& tags = game.stored.tags;
            const auto tag = std::find_if(tags.begin(), tags.end(),
                                          [&](const auto& each) { return each.first == name; });
            if (tag == tags.end()) return std::nullopt;
            return tag->second;
        };
        const auto named = [&](store::NameKind kind, const std::optional<std::string_view>& name) {
            return name ? name_id(kind, *name) : 0;
        };
        store::GameHeader& header = game.header;
        header.id = id;
        header.white = text("White");
        header.black = text("Black");
        header.event = text("Event");
        header.site = text("Site");
        header.date = text("Date");
        header.round = text("Round");
        header.eco = text("ECO");
        header.white_elo = number_of(text("WhiteElo"));
        header.black_elo = number_of(text("BlackElo"));
        header.result = game.stored.moves.facts.result;
        header.plies = game.stored.moves.facts.plies;
        header.variant = game.stored.moves.facts.variant;
        const auto code = [&](store::NameKind kind, const std::optional<std::string_view>& name) {
            return name ? codec::code_of_id(named(kind, name)) : codec::kNoCode;
        };
        const bool has_termination =
            std::any_of(game.stored.tags.begin(), game.stored.tags.end(),
                        [](const auto& tag) { return tag.first == "Termination"; });
        game.codes.players = {code(store::NameKind::kPlayer, header.white),
                              code(store::NameKind::kPlayer, header.black)};
        game.codes.names = {code(store::NameKind::kEvent, header.event),
                            code(store::NameKind::kSite, header.site),
                            codec::code_of_eco(header.eco.value_or("")),
                            has_termination ? codec::kCodeInRow : codec::kNoCode};
    }

    void add_error(const store::NewError& each, const store::StoredSource& row, GameId first) {
        auto& [error, text] = next_.errors.emplace_back();
        error.id = next_.errors.size() < 2 ? 1 : next_.errors.end()[-2].first.id + 1;
        error.source = row.id;
        error.path = row.file.path;
        if (each.game) error.game = first + *each.game;
        error.error = each.error;
        if (!each.error.pgn.empty()) text = store::unpack_broken_game(each.error.pgn);
        error.error.pgn.clear();
        ++(each.error.warning ? next_.info.warnings : next_.info.errors);
    }

    /// Removes the errors that reading on from this byte will report again.
    void remove_errors(store::StoredSource& row, std::uint64_t resume_byte) {
        row.errors -= std::erase_if(next_.errors, [&](const auto& each) {
            const store::StoredError& error = each.first;
            if (error.source != row.id) return false;
            if (error.error.byte < resume_byte && error.error.line != 0) return false;
            --(error.error.warning ? next_.info.warnings : next_.info.errors);
            return true;
        });
    }

    std::shared_ptr<Committed> committed_;
    Content next_;
    std::size_t current_ = 0;  // the source that is being read, in next_.sources
    bool variations_ = false;
};

}  // namespace

void index_variations(GameId game, Content& content) {
    const Game& of = *content.games.at(game);
    if (of.annotation.empty()) return;
    VariationNotes notes(game, content);
    replay::walk_variations(game, of.stored.moves, of.annotation, false, notes);
}

std::unique_ptr<store::StoreWriter> new_writer(std::shared_ptr<Committed> committed) {
    return std::make_unique<MemoryWriter>(std::move(committed));
}

}  // namespace fendex::test::memory
