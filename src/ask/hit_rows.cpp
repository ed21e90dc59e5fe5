#include "ask/hit_rows.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "ask/ranked_hits.hpp"
#include "query/variation_cursor.hpp"

namespace fendex::ask {

namespace {

/// Number of hits whose headers are read at once.
constexpr std::size_t kHitsAtOnce = 64;

/// Counts hits that have no sums: in variations, or with certain evaluations.
query::Count count_one_by_one(Source& source, const HitsQuestion& question,
                              const std::stop_token& stop) {
    query::Count count;
    store::GameId last = 0;
    const NextHit next = hits_in(source, question, 0, stop);
    query::Hit hit;
    while (next(hit)) {
        count.games += hit.game != last ? 1 : 0;
        count.occurrences += hit.plies.size();
        last = hit.game;
    }
    return count;
}

query::Count count_pattern(Source& source, const HitsQuestion& question,
                           const std::stop_token& stop) {
    if (question.evaluation) {
        query::Count count;
        for_each_pattern_hit(
            source, question,
            [&](const query::Hit& hit) {
                ++count.games;
                count.occurrences += hit.plies.size();
                return true;
            },
            stop);
        return count;
    }
    if (question.threads != 1) {
        return query::count_pattern(*source.store, *question.pattern,
                                    {question.threads, question.filter, stop});
    }
    return query::PatternCursor(*source.reader, source.matcher, *question.pattern, stop).count();
}

/// Rows of hits, which subclasses find.
class HitRows : public Rows {
  public:
    HitRows(const Context& context, HitsQuestion question)
        : sources_(context.sources),
          question_(std::move(question)),
          stop_(context.stop),
          hit_cells_(sources_->several(), question_.columns(), context.style) {
        hit_cells_.append_names(columns_);
    }

  protected:
    /// Reads the headers of these hits in one database. Calls at(hit) before each row.
    template <typename At>
    void visit_hits(Source& source, std::span<const query::Hit> hits, At at, const Visit& visit) {
        emit::for_each_header(hits, *source.reader,
                              [&](const query::Hit& hit, const store::GameHeader& header) {
                                  at(hit);
                                  cells_.clear();
                                  hit_cells_.append_cells(source, hit, header, cells_);
                                  visit(cells_);
                              });
    }

    std::shared_ptr<Sources> sources_;
    HitsQuestion question_;
    std::stop_token stop_;

  private:
    HitCells hit_cells_;
    std::vector<Cell> cells_;
};

/// Hits in the order of databases and games. A place is a database and the number of a game or,
/// with variations, a number of hits.
class HitsInOrder final : public HitRows {
  public:
    HitsInOrder(const Context& context, HitsQuestion question)
        : HitRows(context, std::move(question)), place_(context.page.from) {}

    bool read(std::uint64_t most, const Visit& visit) override {
        const std::vector<query::Hit> hits = next_hits(std::min<std::uint64_t>(most, kHitsAtOnce));
        if (hits.empty()) return false;
        const Place before = place_;
        std::uint64_t visited = 0;
        visit_hits((*sources_)[place_.group], hits,
                   [&](const query::Hit& hit) {
                       place_.after = question_.variations ? before.after + ++visited : hit.game;
                   },
                   visit);
        pass(before, hits);
        return true;
    }
    std::uint64_t skip(std::uint64_t most) override {
        std::uint64_t skipped = 0;
        while (skipped < most) {
            const auto hits = next_hits(std::min<std::uint64_t>(most - skipped, kHitsAtOnce));
            if (hits.empty()) break;
            pass(place_, hits);
            skipped += hits.size();
        }
        return skipped;
    }
    [[nodiscard]] Place place() const override { return place_; }
    std::optional<std::uint64_t> total() override {
        if (!question_.positions || question_.variations || question_.evaluation) {
            return std::nullopt;
        }
        for (Source& source : *sources_) {
            if (!source.positions.sums_suffice(*question_.positions)) return std::nullopt;
        }
        return count_hits(*sources_, question_, false, stop_).games;
    }

  private:
    /// Returns the next hits, all in the database of place_; none after the last.
    std::vector<query::Hit> next_hits(std::size_t most) {
        std::vector<query::Hit> hits;
        while (hits.empty() && place_.group < sources_->size()) {
            if (!next_) {
                next_ = hits_in((*sources_)[place_.group], question_, place_.after, stop_);
            }
            if (failure_) std::rethrow_exception(failure_);
            try {
                query::Hit hit;
                while (hits.size() < most && next_(hit)) hits.push_back(std::move(hit));
            } catch (...) {
                // The hits before the error are shown; the next call throws.
                if (hits.empty()) throw;
                failure_ = std::current_exception();
            }
            if (!hits.empty()) break;
            place_ = {place_.group + 1, 0};
            next_ = nullptr;
        }
        return hits;
    }
    void pass(const Place& before, const std::vector<query::Hit>& hits) {
        place_.after = question_.variations ? before.after + hits.size() : hits.back().game;
    }

    Place place_;
    NextHit next_;  // of the database of place_; empty: not opened yet
    std::exception_ptr failure_;
};

/// Hits of all databases in another order of games. A place is a number of games before it.
class SortedHits final : public HitRows {
  public:
    SortedHits(const Context& context, HitsQuestion question)
        : HitRows(context, std::move(question)),
          hits_(*sources_, question_, context.page, stop_),
          shown_(hits_.passed()) {}

    bool read(std::uint64_t most, const Visit& visit) override {
        const std::size_t before = shown_ = hits_.passed();
        const auto some = hits_.next(std::min<std::uint64_t>(most, kHitsAtOnce));
        if (!some) return false;
        std::size_t passed = 0;
        visit_hits(
            some->source, some->hits,
            [&](const query::Hit& hit) {
                while (some->games[passed++].game != hit.game) {
                }
                shown_ = before + passed;
            },
            visit);
        shown_ = hits_.passed();
        return true;
    }
    std::uint64_t skip(std::uint64_t most) override {
        const std::uint64_t skipped = hits_.skip(most);
        shown_ = hits_.passed();
        return skipped;
    }
    [[nodiscard]] Place place() const override { return {0, shown_}; }

  private:
    RankedHits hits_;
    std::size_t shown_;  // the games before this one were visited
};

}  // namespace

namespace {

/// Returns all hits, whatever their evaluations. With variations, `after` does not count.
NextHit all_hits_in(Source& source, const HitsQuestion& question, std::uint64_t after,
                    const std::stop_token& stop) {
    if (question.pattern) {
        auto cursor = std::make_shared<query::PatternCursor>(*source.reader, source.matcher,
                                                             *question.pattern, stop, after);
        return [cursor](query::Hit& hit) { return cursor->next(hit); };
    }
    if (!question.variations) {
        auto cursor =
            std::make_shared<query::HitCursor>(source.positions, *question.positions, stop, after);
        return [cursor](query::Hit& hit) { return cursor->next(hit); };
    }
    auto cursor =
        std::make_shared<query::VariationHitCursor>(source.positions, *question.positions, stop);
    return [cursor](query::Hit& hit) { return cursor->next(hit); };
}

}  // namespace

NextHit hits_in(Source& source, const HitsQuestion& question, std::uint64_t after,
                const std::stop_token& stop) {
    NextHit next = all_hits_in(source, question, after, stop);
    if (question.evaluation) {
        const auto evaluations =
            std::make_shared<query::HitEvaluations>(*source.reader, *question.evaluation);
        next = [all = std::move(next), evaluations](query::Hit& hit) {
            while (all(hit)) {
                if (evaluations->keep(hit)) return true;
            }
            return false;
        };
    }
    if (question.variations) {
        query::Hit skipped;
        while (after-- != 0 && next(skipped)) {
        }
    }
    return next;
}

void for_each_pattern_hit(Source& source, const HitsQuestion& question,
                          const std::function<bool(const query::Hit&)>& visit,
                          const std::stop_token& stop) {
    if (question.threads != 1) {
        std::optional<query::HitEvaluations> evaluations;
        if (question.evaluation) evaluations.emplace(*source.reader, *question.evaluation);
        query::find_pattern(*source.store, *question.pattern,
                            {question.threads, question.filter, stop}, [&](const query::Hit& hit) {
                                if (!evaluations) return visit(hit);
                                query::Hit kept = hit;
                                return !evaluations->keep(kept) || visit(kept);
                            });
        return;
    }
    const NextHit next = hits_in(source, question, 0, stop);
    query::Hit hit;
    while (next(hit) && visit(hit)) {
    }
}

query::Count count_hits(Sources& sources, const HitsQuestion& question, bool verify,
                        const std::stop_token& stop) {
    query::Count all;
    for (Source& source : sources) {
        const query::Count count = question.pattern ? count_pattern(source, question, stop)
                                   : question.variations || question.evaluation
                                       ? count_one_by_one(source, question, stop)
                                       : source.positions.count(*question.positions, verify, stop);
        all.games += count.games;
        all.occurrences += count.occurrences;
    }
    return all;
}

void HitCells::append_names(std::vector<std::string>& columns) const {
    game_columns_.append_names(columns);
    const std::vector<std::string> names = emit::hit_columns(style_.columns);
    columns.insert(columns.end(), names.begin(), names.end());
}

void HitCells::append_cells(const Source& source, const query::Hit& hit,
                            const store::GameHeader& header, std::vector<Cell>& cells) {
    game_columns_.append_cells(source, hit.game, cells);
    row_.append_cells(hit, header, style_, cells);
}

std::unique_ptr<Rows> hit_rows(const Context& context, HitsQuestion question) {
    if (question.order == store::GameOrder::kId) {
        return std::make_unique<HitsInOrder>(context, std::move(question));
    }
    return std::make_unique<SortedHits>(context, std::move(question));
}

}  // namespace fendex::ask
