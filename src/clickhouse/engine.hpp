// The questions that the servers answer (store/engine.hpp). Each takes one query, or a few. The
// servers return answers, not the rows from which they are computed.
#pragma once

#include <memory>

#include "clickhouse/snapshot.hpp"
#include "store/engine.hpp"
#include "store/store_reader.hpp"

namespace fendex::clickhouse {

/// Returns the engine of a reader. It sees the session's snapshot, and gets the sources that a
/// filter names from the reader. Reader and session must outlive it.
[[nodiscard]] std::unique_ptr<store::Engine> make_engine(ReadSession& session,
                                                         store::StoreReader& reader);

}  // namespace fendex::clickhouse
