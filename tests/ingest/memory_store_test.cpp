// An import works with any store: what it puts into one in memory is what it puts into SQLite.
#include "support/memory_store.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "ingest/importer.hpp"
#include "ingest/ingest_fixtures.hpp"
#include "replay/stored_walk.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using test::TemporaryDirectory;

class Text {
  public:
    template <typename Value>
    Text& operator<<(const Value& value) {
        if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
            out_ += value;
        } else {
            out_ += std::to_string(value);
        }
        out_ += '|';
        return *this;
    }
    template <typename Value>
    Text& operator<<(const std::optional<Value>& value) {
        return value ? *this << *value : *this << "-";
    }
    void end_line() { out_ += '\n'; }
    const std::string& text() const { return out_; }

  private:
    std::string out_;
};

void add_game(store::GameId id, const store::StoredGame& game, store::StoreReader& reader,
              std::set<std::uint64_t>& keys, Text& out) {
    const codec::GameFacts facts = reader.facts(id);
    out << id << game.moves.start << game.moves.moves << facts.plies << facts.white_elo
        << facts.date.number() << static_cast<int>(facts.result) << static_cast<int>(facts.variant);
    for (const auto& [name, value] : game.tags) out << name << value;
    std::string annotation;
    reader.annotation(id, annotation);
    store::GameHeader header;
    CHECK(reader.header(id, header));
    out << annotation << header.white << header.black << header.event << header.site << header.date
        << header.round << header.eco << header.white_elo << header.black_elo << header.plies;
    for (const store::Repetition& each : reader.repetitions(id)) {
        out << each.key << store::plies_text(each.plies);
    }
    for (const store::QuietRun& each : reader.quiet_runs(id)) {
        out << each.ply50 << each.ply75 << each.longest;
    }
    out.end_line();
    replay::with_walk(id, game.moves, [&](auto& walk) {
        for (; !walk.at_end(); walk.advance()) keys.insert(walk.position().key());
        keys.insert(walk.position().key());
    });
}

/// Whether a candidate is one indeed: a store may name others that replaying tells apart.
bool reached(store::GameId game, std::uint64_t key, store::StoreReader& reader) {
    store::StoredMoves moves;
    bool found = false;
    CHECK(reader.moves(game, moves));
    replay::with_walk(game, moves, [&](auto& walk) {
        for (; !walk.at_end(); walk.advance()) found |= walk.position().key() == key;
        found |= walk.position().key() == key;
    });
    return found;
}

/// All that readers of a store see of what was imported.
std::string content_of(store::Store& store) {
    const store::Reader reader = store.reader();
    Text out;
    const store::StoreInfo info = reader->info();
    out << info.games << info.plies << info.positions << info.fingerprint << info.last_game
        << info.sources << info.errors << info.warnings << info.postings << info.unindexed_games
        << info.annotated_games << (info.ply_rows == store::PlyRows::kYes ? "yes" : "no");
    std::set<std::uint64_t> keys;
    reader->for_each_game(1, [&](store::GameId id, const store::StoredGame& game) {
        add_game(id, game, *reader, keys, out);
        return true;
    });
    std::size_t round = 0;
    for (const std::uint64_t key : keys) {
        if (test::left_out(round++)) continue;
        out << key;
        std::set<store::GameId> games;
        const auto cursor = reader->local()->candidates(key);
        for (store::Candidate each; cursor->next(each);) {
            if (each.ply || reached(each.game, key, *reader)) games.insert(each.game);
        }
        for (const store::GameId game : games) out << game;
        out << "variations";
        for (const store::GameId game : reader->local()->games_with_variations(key)) out << game;
        out.end_line();
    }
    for (const store::StoredSource& row : reader->sources()) {
        const store::SourceProgress& progress = row.progress;
        out << row.id << row.file.path << row.file.size << row.first_byte << progress.bytes
            << progress.digest << progress.resume.byte << progress.resume.line << progress.open_game
            << int{progress.complete} << progress.prefixes << row.first_game << row.games
            << row.duplicates << row.plies << row.errors << row.options;
        out.end_line();
    }
    reader->for_each_error([&](const store::StoredError& each) {
        out << each.source << each.path << each.game << each.error.byte << each.error.line
            << each.error.ply << each.error.reason << each.error.text << int{each.error.warning};
        out.end_line();
        return true;
    });
    return out.text();
}

}  // namespace

TEST_CASE("An import into memory stores the same as an import into SQLite") {
    const test::PgnArchive archive = test::random_archive(77, 90);
    const std::string broken =
        "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 *";
    for (const unsigned threads : {1U, 3U}) {
        const TemporaryDirectory directory;
        const auto sqlite = store::file_store(directory / "games.db");
        const auto memory = test::memory_store();
        ingest::ImportOptions options = test::threads(threads);
        options.ply_rows = ingest::PlyRowChoice::kNo;
        options.batch_bytes = 2000;
        options.plies_per_commit = 300;
        options.variations = options.annotations = true;
        std::string before;
        const auto import = [&](const std::vector<std::string>& inputs) {
            const ingest::ImportSummary kept = ingest::import_files(*memory, inputs, options);
            const ingest::ImportSummary expected = ingest::import_files(*sqlite, inputs, options);
            CHECK(kept.games == expected.games);
            CHECK(kept.errors == expected.errors);
            CHECK(kept.duplicates == expected.duplicates);
            CHECK(kept.notices == expected.notices);
            CHECK(kept.failures == expected.failures);
            const std::string content = content_of(*memory);
            CHECK((content == content_of(*sqlite)));
            CHECK((content != before));
            before = content;
            return kept;
        };
        const std::string text = archive.text(0, 50);
        const std::string a = directory.write("a.pgn", text.substr(0, text.size() - 40));
        CHECK(import({a, directory.write("b.pgn", broken)}).errors == 2);
        // A file that has grown, behind another one and with a game that was cut off.
        directory.write("a.pgn", text + archive.text(50, 70));
        import({a});
        options.skip_duplicates = true;
        CHECK(import({directory.write("c.pgn", archive.text(60, 90))}).duplicates == 10);
        CHECK(memory->reader()->info().games == 92);
        // Nothing of an import that fails stays.
        options.skip_duplicates = false;
        options.strict = true;
        const std::string bad = directory.write("d.pgn", archive.text(0, 3) + broken);
        for (store::Store* const store : {memory.get(), sqlite.get()}) {
            CHECK_THROWS_AS(ingest::import_files(*store, {bad}, options), ingest::ImportFailed);
            CHECK((content_of(*store) == before));
        }
    }
}
