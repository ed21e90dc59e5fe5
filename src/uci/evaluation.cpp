#include "uci/evaluation.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/stop_check.hpp"
#include "codec/bits.hpp"
#include "codec/record_block.hpp"
#include "store/local_reader.hpp"

namespace fendex::uci {

namespace {

/// A commit takes a few milliseconds, and the result of a longer search is committed at once.
constexpr auto kTimePerCommit = std::chrono::seconds(1);
constexpr auto kTimePerLook = std::chrono::milliseconds(100);

struct Searched {
    PackedPosition position;
    codec::Evaluation evaluation;
};

/// The engines, each in a thread of its own, and the positions that they take one after the other.
class Engines {
  public:
    explicit Engines(const EvaluationJob& job) : job_(job), choice_(job.engine) {
        choice_.stop = [this] { return ends_ || (job_.engine.stop && job_.engine.stop()); };
        first_.emplace(choice_);
    }
    ~Engines() { end(); }
    Engines(const Engines&) = delete;
    Engines& operator=(const Engines&) = delete;

    /// Returns an engine. Call it only while no positions are searched.
    const Engine& first() const { return *first_; }

    /// All positions that were added before must be searched.
    void add(std::vector<PackedPosition> positions) {
        const std::size_t wanted = std::min<std::size_t>(job_.engines, positions.size());
        {
            const std::lock_guard lock(mutex_);
            positions_ = std::move(positions);
            next_ = 0;
        }
        work_.notify_all();
        while (threads_.size() < wanted) {
            threads_.emplace_back([this, is_first = threads_.empty()] { run(is_first); });
        }
    }
    /// Waits a moment for results, and returns them. After an engine has failed there are no more.
    std::vector<Searched> take() {
        std::unique_lock lock(mutex_);
        done_.wait_for(lock, kTimePerLook, [this] { return !searched_.empty() || failure_; });
        return std::exchange(searched_, {});
    }
    std::exception_ptr failure() {
        const std::lock_guard lock(mutex_);
        return failure_;
    }
    /// Ends the engines; what they search is lost.
    void end() {
        {
            const std::lock_guard lock(mutex_);
            ends_ = true;
        }
        work_.notify_all();
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
        if (first_) first_->quit();
        first_.reset();
    }

  private:
    void run(bool is_first) {
        std::optional<Engine> own;
        try {
            if (!is_first) own.emplace(choice_);
            Engine& engine = is_first ? *first_ : *own;
            while (std::optional<PackedPosition> position = next()) {
                codec::Evaluation evaluation =
                    engine.evaluate(unpack_position(*position), job_.limit);
                const std::lock_guard lock(mutex_);
                searched_.push_back({*std::move(position), std::move(evaluation)});
                done_.notify_one();
            }
        } catch (const base::Stopped&) {
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
            ends_ = true;
            work_.notify_all();
            done_.notify_one();
        }
        if (own) own->quit();
    }

    /// Waits for a position. Returns nothing at the end.
    std::optional<PackedPosition> next() {
        std::unique_lock lock(mutex_);
        work_.wait(lock, [this] { return ends_ || next_ < positions_.size(); });
        if (ends_) return std::nullopt;
        return std::move(positions_[next_++]);
    }

    const EvaluationJob& job_;
    EngineChoice choice_;
    std::optional<Engine> first_;  // the thread that made it lives longest
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable work_;
    std::condition_variable done_;
    std::vector<PackedPosition> positions_;
    std::size_t next_ = 0;
    std::vector<Searched> searched_;
    std::exception_ptr failure_;
    std::atomic<bool> ends_ = false;
};

/// Stores evaluations, as a source of the ledger.
class EvaluationWriter {
  public:
    EvaluationWriter(store::Store& store, const EvaluationJob& job)
        : store_(store), job_(job), writer_(store.writer("evaluate")) {
        if (writer_->records() == nullptr) {
            throw store::StoreError(store::StoreError::kUnsupported,
                                    "this store has no records of positions");
        }
    }

    void add(const std::string& engine, Searched searched) {
        if (!begun_) {
            writer_->begin_source({engine, std::nullopt, std::nullopt}, job_.as_given);
            begun_ = true;
        }
        const chess::AnyPosition position = unpack_position(searched.position);
        codec::PositionRecord record;
        codec::add_evaluation(std::move(searched.evaluation), record);
        const std::size_t begin = waiting_.record_bits.size();
        codec::pack_record(position, record, bits_, waiting_.record_bits);
        waiting_.records.push_back({position.key(), {begin, waiting_.record_bits.size() - begin}});
        positions_.push_back(position);
    }
    bool is_due() const {
        return !positions_.empty() && Clock::now() - last_commit_ >= kTimePerCommit;
    }
    /// Returns how many of the positions have no search that meets the limit all the same.
    std::uint64_t commit() {
        if (positions_.empty()) return 0;
        waiting_.is_of_records = true;
        writer_->add(std::exchange(waiting_, {}));
        // Nothing is left to be read, so records of this source may be merged at any time.
        store::SourceProgress progress;
        progress.complete = true;
        writer_->update_source(progress);
        writer_->commit();
        last_commit_ = Clock::now();
        return count_unmet(std::exchange(positions_, {}));
    }
    void merge() {
        writer_->records()->merge([this] { return !job_.engine.stop || !job_.engine.stop(); });
    }
    void close() { writer_->close(); }

  private:
    std::uint64_t count_unmet(const std::vector<chess::AnyPosition>& positions) {
        const store::Reader reader = store_.reader();
        store::PositionRecords& records = *reader->local()->records();
        return static_cast<std::uint64_t>(
            std::ranges::count_if(positions, [&](const chess::AnyPosition& position) {
                codec::PositionRecord record;
                const std::size_t pvs =
                    std::min(job_.engine.pvs, chess::count_legal_moves(position));
                return !records.find(position, record) || !job_.limit.is_met_by(record, pvs);
            }));
    }

    store::Store& store_;
    const EvaluationJob& job_;
    std::unique_ptr<store::StoreWriter> writer_;
    bool begun_ = false;
    store::NewGames waiting_;
    std::vector<chess::AnyPosition> positions_;  // of the waiting records
    codec::BitWriter bits_;
    Clock::time_point last_commit_ = Clock::now();
};

}  // namespace

EvaluationSummary evaluate_positions(store::Store& store, const EvaluationJob& job) {
    EvaluationSummary summary;
    const auto stopped = [&] { return job.engine.stop && job.engine.stop(); };
    EvaluationWriter writer(store, job);
    std::optional<Engines> engines;
    const auto add_searched = [&] {
        for (Searched& searched : engines->take()) {
            writer.add(summary.engine, std::move(searched));
            ++summary.evaluated;
        }
    };
    try {
        engines.emplace(job);
        summary.engine = engines->first().name();
        std::uint64_t given = 0;
        std::optional<Clock::time_point> start;
        while (!stopped() && !summary.failure) {
            if (summary.evaluated == given) {
                summary.unmet += writer.commit();
                std::vector<PackedPosition> positions = job.next_positions(engines->first());
                if (positions.empty()) break;
                given += positions.size();
                engines->add(std::move(positions));
                if (!start) start = Clock::now();
            }
            add_searched();
            if (writer.is_due()) summary.unmet += writer.commit();
            if (job.progress) {
                job.progress({summary.evaluated,
                              std::chrono::duration<double>(Clock::now() - *start).count()});
            }
            summary.failure = engines->failure();
        }
    } catch (const base::Stopped&) {
    }
    if (engines) {
        engines->end();
        add_searched();
    }
    summary.unmet += writer.commit();
    summary.stopped = stopped();
    if (summary.evaluated != 0 && !summary.stopped && !summary.failure) writer.merge();
    writer.close();
    return summary;
}

}  // namespace fendex::uci
