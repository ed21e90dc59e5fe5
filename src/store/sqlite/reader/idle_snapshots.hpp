// Lets the readers of a database that is asked very often keep their snapshots while they are idle:
// if nothing was committed, the next question needs no new one. Otherwise a reader ends its
// snapshot when it is released. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace fendex::store {

/// A reader that may keep its snapshot.
class RestingReader {
  public:
    virtual void end_snapshot() = 0;

  protected:
    ~RestingReader() = default;
};

class IdleSnapshots {
  public:
    /// Readers keep snapshots if at least so many questions were asked in the round before.
    static constexpr std::uint64_t kOften = 1000;

    /// Called when a reader is opened.
    void add_reader() { ++opened_; }
    /// Returns the number of readers that were opened so far.
    [[nodiscard]] std::uint64_t readers_opened() const { return opened_; }

    /// Called when a reader is used again. Returns the number of the present round.
    std::uint64_t use(RestingReader& reader);
    /// Called when a reader that was used since `round` is released. Returns whether it may keep
    /// its snapshot. Then its end_snapshot() may be called at any time until use() or forget().
    [[nodiscard]] bool rest(RestingReader& reader, std::uint64_t round);
    /// Called before a reader is destroyed.
    void forget(RestingReader& reader);

    /// Ends the snapshots of idle readers, and begins a new round. No snapshot is kept before the
    /// first round has ended: it would keep the write-ahead log from shrinking.
    void end_all();

  private:
    std::atomic<std::uint64_t> opened_ = 0;
    std::mutex mutex_;
    std::uint64_t round_ = 0;
    std::uint64_t uses_ = 0;  // in this round
    bool is_busy_ = false;    // there were many in the last round
    std::vector<RestingReader*> resting_;
};

class Store;

/// Returns those of a database in a file; null for another store.
[[nodiscard]] IdleSnapshots* idle_snapshots_of(const Store& store);

}  // namespace fendex::store
