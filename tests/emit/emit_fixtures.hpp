// Exports into memory, from databases made for a test.
#pragma once

#include <string>

#include "emit/byte_sink.hpp"
#include "emit/game_batches.hpp"
#include "emit/pgn_game.hpp"
#include "ingest/ingest_fixtures.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::test {

class TextSink final : public emit::ByteSink {
  public:
    void write(std::string_view bytes) override { text += bytes; }
    void finish() override {}
    std::string text;
};

/// A job that exports all games.
inline emit::ExportJob job_of(const Imported& imported, unsigned thread_count = 2) {
    return {store::file_store(imported.path()), emit::GameList::up_to(imported.info().games),
            thread_count};
}

inline std::string exported_pgn(const emit::ExportJob& job) {
    TextSink sink;
    emit::export_pgn(job, sink);
    return sink.text;
}

inline std::vector<std::pair<std::string, std::string>> tags_of(store::StoreReader& reader,
                                                                store::GameId id) {
    store::StoredGame game;
    REQUIRE(reader.game(id, game));
    return game.tags;
}

}  // namespace fendex::test
