// The content of the store in memory (memory_store.hpp), which its readers and its writer share.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/local_reader.hpp"
#include "store/store_writer.hpp"

namespace fendex::test::memory {

struct Game {
    store::StoredGame stored;
    store::GameHeader header;  // views of `texts`
    codec::GameCodes codes;
    std::uint32_t swings = 0;  // codec::code_of_swings()
    std::vector<std::string> texts;
    std::string annotation;
    std::vector<store::Repetition> repetitions;
    std::vector<store::QuietRun> quiet_runs;

    Game() { texts.reserve(16); }  // moving short strings would invalidate the views
    Game(const Game&) = delete;
    Game& operator=(const Game&) = delete;
};

struct Content {
    std::uint64_t snapshot = 1;
    store::StoreInfo info;
    store::GameId last = 0;
    std::map<store::GameId, std::shared_ptr<const Game>> games;
    std::vector<codec::GameFacts> facts;  // of games 1 and on, with deleted ones
    std::vector<codec::GameSignature> signatures;
    std::map<store::NameKind, std::vector<std::pair<std::int64_t, std::string>>> names;
    std::vector<store::StoredSource> sources;
    std::vector<std::pair<store::StoredError, std::optional<std::string>>> errors;
    std::unordered_map<std::uint64_t, std::vector<store::Candidate>> postings;  // by key
    std::unordered_map<std::uint64_t, std::set<store::GameId>> variations;
};

/// The committed content. Any thread.
class Committed {
  public:
    explicit Committed(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
    std::shared_ptr<const Content> get() {
        const std::lock_guard lock(mutex_);
        return content_;
    }
    void set(std::shared_ptr<const Content> content) {
        const std::lock_guard lock(mutex_);
        content_ = std::move(content);
    }

  private:
    std::mutex mutex_;
    std::shared_ptr<const Content> content_;
};

/// Indexes the positions of the variations of a game that was added.
void index_variations(store::GameId game, Content& content);

std::unique_ptr<store::StoreWriter> new_writer(std::shared_ptr<Committed> committed);

}  // namespace fendex::test::memory
