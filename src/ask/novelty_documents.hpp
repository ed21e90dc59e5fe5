// Where each game of a PGN text left the games of the databases, as documents.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "ask/given.hpp"
#include "ask/rows.hpp"
#include "ask/sources.hpp"
#include "base/json.hpp"
#include "ingest/pgn_input.hpp"
#include "query/novelty.hpp"

namespace fendex::ask {

/// Adds the members of an import's error: line, ply, severity, reason and text.
void add_import_error(const store::ImportError& error, json::Object& object);

/// The games of a text, read batch by batch. For one thread at a time.
class NoveltyDocuments {
  public:
    /// `text` is PGN; `name` is what error messages call it. Throws pgn::SourceError.
    NoveltyDocuments(std::unique_ptr<Sources> sources, std::string text, std::string name,
                     const Given& given, const RowStyle& style, std::stop_token stop = {});

    /// Calls visit() for each game of the next batch with a function that adds the members of its
    /// document. Returns false after the last batch.
    bool read(const std::function<void(const std::function<void(json::Object&)>&)>& visit);

  private:
    void add(const store::NewGames& read, std::size_t i, std::uint64_t number,
             json::Object& object);

    std::unique_ptr<Sources> sources_;
    ingest::PgnInput input_;
    chess::FenDialect dialect_;
    RowStyle style_;
    std::stop_token stop_;
    std::deque<query::NoveltyFinder> finders_;  // one for each database
    ingest::GameReplay replay_;
};

}  // namespace fendex::ask
