// The questions that the servers answer (store/engine.hpp). Each is one query, or a small fixed
// number of them; what comes back is an answer, not the rows that it is made of.
#pragma once

#include <memory>

#include "clickhouse/snapshot.hpp"
#include "store/engine.hpp"
#include "store/store_reader.hpp"

namespace fendex::clickhouse {

/// Returns the engine of a reader, which it asks for the sources that a filter names. It sees the
/// session's snapshot. Reader and session must outlive it.
[[nodiscard]] std::unique_ptr<store::Engine> make_engine(ReadSession& session,
                                                         store::StoreReader& reader);

}  // namespace fendex::clickhouse
