#include "upkeep/segment_check.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "codec/big_position.hpp"
#include "codec/fine_sums.hpp"
#include "store/sqlite/segments/fine_sum_table.hpp"
#include "store/sqlite/segments/position_summary.hpp"
#include "store/sqlite/sums/seals.hpp"

namespace fendex::upkeep {

using codec::Posting;

namespace {

constexpr unsigned kPartitionShift = 56;

std::string move_text(chess::Move move) {
    if (move == codec::kGameEndsHere) return "the game's end";
    std::string text = "move ";
    for (const chess::Square square : {move.from(), move.to()}) {
        text += static_cast<char>('a' + chess::file_of(square));
        text += static_cast<char>('1' + chess::rank_of(square));
    }
    return text;
}

/// The stored positions that share a short key.
struct Group {
    std::uint64_t short_key = 0;
    std::vector<Posting> postings;
    std::vector<std::uint32_t> singletons;  // their games, unless they are ignored
    std::size_t all_singletons = 0;
    std::vector<std::uint64_t> big;
    bool begun = false;

    bool empty() const { return !begun; }
    void clear() {
        postings.clear();
        singletons.clear();
        all_singletons = 0;
        big.clear();
        begun = false;
    }
};

/// A big position, while its rows are read.
struct Big {
    std::uint64_t key = 0;
    std::int64_t row = 0;
    std::optional<codec::PositionSummary> summary;
    std::int64_t next_part = 2;
    std::size_t begin = 0;  // index in expected_
    std::size_t at = 0;
    std::size_t end = 0;
    bool readable = true;
};

/// Compares the blocks of a partition with the postings that they should hold. Both are in the
/// order of keys and are compared at each short key.
class PartitionCheck {
  public:
    PartitionCheck(const CheckedSegment& segment, store::RawRows& raw_rows, unsigned partition,
                   const std::vector<Posting>& expected)
        : segment_(segment),
          raw_rows_(raw_rows),
          partition_begin_(std::uint64_t{partition} << kPartitionShift),
          partition_end_(partition_begin_ | ((std::uint64_t{1} << kPartitionShift) - 1)),
          expected_(expected) {}

    PartitionTotals run() {
        // A block may begin before the partition and reach into it. Damage to such a block as a
        // whole is reported with the partition in which it begins.
        raw_rows_.block_before(segment_.id, partition_begin_, [&](const store::RawBlock& block) {
            read_block(block, Report::kContent);
        });
        raw_rows_.for_each_block(segment_.id, partition_begin_, partition_end_,
                                 [&](const store::RawBlock& block) {
                                     if (block.part == 0) {
                                         end_big();
                                         read_block(block, Report::kAll);
                                     } else {
                                         read_big_row(block);
                                     }
                                 });
        end_big();
        end_group();
        if (unreadable_) next_ = expected_.size();
        missing(next_, expected_.size());
        compare_big_keys();
        return std::move(totals_);
    }

  private:
    enum class Report { kContent, kAll };

    void add(Damage damage) {
        damage.segment = segment_.id;
        totals_.findings.add(std::move(damage));
    }
    void block_damage(const store::RawBlock& block, std::string message) {
        add({.kind = "block",
             .key = block.first_key,
             .row = block.id,
             .message = std::move(message)});
    }
    void posting_damage(const Posting& posting, const char* message) {
        add({.kind = "posting",
             .game = segment_.first_game + posting.game(),
             .ply = posting.ply(),
             .key = posting.key,
             .message = message});
    }
    void missing(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            posting_damage(expected_[i], "the posting of this ply is not in the index");
        }
    }
    bool is_in_partition(std::uint64_t key) const {
        return key >= partition_begin_ && key <= partition_end_;
    }

    /// True if the game is deleted or damaged: then its postings are not compared.
    bool is_ignored(std::uint32_t game) {
        const store::GameId id = segment_.first_game + game;
        if (segment_.deleted.contains(id)) return true;
        if (!segment_.damaged.contains(id)) return false;
        big_is_complete_ = false;
        return true;
    }

    void read_block(const store::RawBlock& block, Report report) {
        const codec::detail::Directory directory(block.data, segment_.shape);
        const auto complain = [&](const std::string& message) {
            if (report == Report::kAll) block_damage(block, message);
        };
        if (!directory.valid()) {
            complain("the block has no directory");
            end_.reset();
            end_group();
            set_unreadable();
            return;
        }
        const bool is_first = segment_.shape.checked && block.first_key == 0;
        if (directory.first_key(0) != block.first_key && !is_first) {
            complain("the block's first key differs from that of its row");
        }
        if (end_ && block.first_key != *end_) {
            complain("the previous block does not end where this one begins");
        }
        if (segment_.shape.checked) end_ = directory.end_key(directory.size() - 1);
        for (std::size_t run = 0; run < directory.size(); ++run) {
            const std::uint64_t first_key = directory.first_key(run);
            const std::string name = "run " + std::to_string(run) + " of the block ";
            if (segment_.shape.short_key(first_key) != first_key) {
                complain(name + "does not begin with a short key");
            }
            if (last_short_ && first_key <= *last_short_) {
                complain(name + "does not begin after the previous one");
            }
            if (report == Report::kContent) {
                // Skip runs outside this partition: they are read with the partition where the
                // block begins.
                if (first_key > partition_end_) return;
                if (run + 1 < directory.size() &&
                    directory.first_key(run + 1) <= partition_begin_) {
                    continue;
                }
            }
            if (!directory.is_intact(run, block.first_key)) {
                complain(name + "has a wrong checksum");
            }
            begin_run(first_key);
            codec::detail::KeyRunReader reader(directory.bytes(run), first_key, segment_.shape);
            codec::BlockEntry entry;
            std::uint64_t entries = 0;
            while (reader.next(entry)) {
                ++entries;
                take(entry);
            }
            if (reader.failed() || entries == 0) {
                complain(name + "cannot be decoded");
                group_.clear();
                set_unreadable();
            }
        }
    }

    void set_unreadable() {
        unreadable_ = true;
        was_unreadable_ = true;
    }

    /// Continues the comparison at `first_key` after a run that could not be read.
    void begin_run(std::uint64_t first_key) {
        if (!unreadable_) return;
        unreadable_ = false;
        while (next_ < expected_.size() &&
               segment_.shape.short_key(expected_[next_].key) < first_key) {
            ++next_;
        }
    }

    void take(const codec::BlockEntry& entry) {
        const std::uint64_t short_key = segment_.shape.short_key(entry.key);
        last_short_ = std::max(last_short_.value_or(0), short_key);
        if (!is_in_partition(short_key)) return;
        if (group_.empty() || short_key != group_.short_key) {
            end_group();
            group_.short_key = short_key;
            group_.begun = true;
        }
        ++totals_.positions;  // end_group() subtracts singletons of the same position
        if (entry.big) {
            group_.big.push_back(entry.key);
        } else if (entry.singleton) {
            ++totals_.postings;
            ++group_.all_singletons;
            if (!is_ignored(entry.game)) group_.singletons.push_back(entry.game);
        } else {
            totals_.postings += entry.postings.size();
            for (const Posting& posting : entry.postings) {
                if (!is_ignored(posting.game())) group_.postings.push_back(posting);
            }
        }
    }

    /// Compares the stored positions of a short key with the expected postings.
    void end_group() {
        if (group_.empty()) return;
        const auto short_of = [&](std::size_t i) {
            return segment_.shape.short_key(expected_[i].key);
        };
        if (group_.all_singletons > 1) {
            totals_.unsure += group_.all_singletons - group_.singletons.size();
        }
        const std::size_t skipped = next_;
        while (next_ < expected_.size() && short_of(next_) < group_.short_key) ++next_;
        missing(skipped, next_);
        std::ranges::sort(group_.postings);
        auto stored = group_.postings.begin();
        const auto not_there = [&](const Posting& posting) {
            posting_damage(posting, "the index has a posting that the game does not have");
        };
        while (next_ < expected_.size() && short_of(next_) == group_.short_key) {
            const std::size_t begin = next_;
            const std::uint64_t key = expected_[begin].key;
            while (next_ < expected_.size() && expected_[next_].key == key) ++next_;
            if (std::ranges::find(group_.big, key) != group_.big.end()) continue;
            if (take_singletons(begin, next_)) {
                totals_.positions -= next_ - begin - 1;
                continue;
            }
            for (std::size_t i = begin; i < next_; ++i) {
                while (stored != group_.postings.end() && *stored < expected_[i]) {
                    not_there(*stored++);
                }
                if (stored != group_.postings.end() && *stored == expected_[i]) {
                    ++stored;
                } else {
                    missing(i, i + 1);
                }
            }
        }
        for (; stored != group_.postings.end(); ++stored) not_there(*stored);
        for (const std::uint32_t game : group_.singletons) {
            add({.kind = "posting",
                 .game = segment_.first_game + game,
                 .key = group_.short_key,
                 .message = "the index has a posting that the game does not have (by its short "
                            "key)"});
        }
        big_keys_.insert(big_keys_.end(), group_.big.begin(), group_.big.end());
        group_.clear();
    }

    /// Returns whether these postings of a position are stored as singletons. If so, removes those
    /// from the group.
    bool take_singletons(std::size_t begin, std::size_t end) {
        if (end - begin > codec::kMostSingletons) return false;
        std::vector<std::uint32_t> rest = group_.singletons;
        for (std::size_t i = begin; i < end; ++i) {
            const auto found = std::ranges::find(rest, expected_[i].game());
            if (found == rest.end()) return false;
            rest.erase(found);
        }
        group_.singletons = std::move(rest);
        return true;
    }

    // The rows of a big position are consecutive: the summary, then the chunks, whose postings are
    // in the same order as the expected ones.
    void read_big_row(const store::RawBlock& block) {
        if (!big_ || big_->key != block.first_key) {
            end_big();
            begin_big(block);
        }
        if (block.part == 1) return;
        if (block.part != big_->next_part++) {
            block_damage(block, "the parts of a position are not consecutive");
            big_->readable = false;
        }
        chunk_.clear();
        const auto bytes = unsealed(block);
        if (!bytes || codec::decode_big_postings(*bytes, segment_.shape, block.first_key, chunk_) !=
                          codec::BlockStatus::kOk) {
            block_damage(block, "the chunk of postings has a wrong checksum or cannot be decoded");
            big_->readable = false;
        }
        totals_.postings += chunk_.size();
        if (!big_->readable) return;
        if (big_->summary) {
            const codec::GroupSummary* group = group_of(block.part);
            if (group == nullptr || group->next != chunk_.front().next()) {
                block_damage(block, "the chunk belongs to another move than the summary says");
            }
        }
        for (const Posting& posting : chunk_) {
            if (is_ignored(posting.game())) continue;
            while (big_->at < big_->end && expected_[big_->at] < posting) {
                missing(big_->at, big_->at + 1);
                ++big_->at;
            }
            if (big_->at < big_->end && expected_[big_->at] == posting) {
                ++big_->at;
            } else {
                posting_damage(posting, "the index has a posting that the game does not have");
            }
        }
    }

    void begin_big(const store::RawBlock& block) {
        big_rows_.push_back(block.first_key);
        big_is_complete_ = true;
        const auto range =
            std::equal_range(expected_.begin(), expected_.end(), Posting(block.first_key, {}, 0, 0),
                             [](const Posting& a, const Posting& b) { return a.key < b.key; });
        big_.emplace();
        big_->key = block.first_key;
        big_->row = block.id;
        big_->begin = big_->at = static_cast<std::size_t>(range.first - expected_.begin());
        big_->end = static_cast<std::size_t>(range.second - expected_.begin());
        const auto bytes = unsealed(block);
        if (block.part == 1 && bytes) big_->summary = codec::decode_summary(*bytes);
        if (!big_->summary) {
            block_damage(block,
                         "the summary of a position has a wrong checksum or cannot be decoded");
        }
    }

    std::optional<std::string_view> unsealed(const store::RawBlock& block) const {
        return store::unsealed_part(block.data, segment_.shape, block.first_key,
                                    static_cast<std::uint64_t>(block.part));
    }

    const codec::GroupSummary* group_of(std::int64_t part) const {
        std::int64_t end = 2;
        for (const codec::GroupSummary& group : big_->summary->groups) {
            end += group.chunks;
            if (part < end) return &group;
        }
        return nullptr;
    }

    void end_big() {
        if (!big_) return;
        if (big_->readable) {
            missing(big_->at, big_->end);
            if (big_->summary) check_summary(*big_->summary);
        }
        big_.reset();
    }

    void check_summary(const codec::PositionSummary& stored) {
        const auto complain = [&](const std::string& what) {
            add({.kind = "sum", .key = big_->key, .row = big_->row, .message = what});
        };
        std::int64_t parts = 2;
        for (const codec::GroupSummary& group : stored.groups) parts += group.chunks;
        if (parts != big_->next_part) {
            complain("the number of chunks of a position differs from its summary");
        }
        if (!big_is_complete_) return;
        const std::optional<codec::FineSums> fine = stored_fine_sums(stored);
        store::SummedPosition summed;
        try {
            std::optional<store::FineRequest> request;
            if (fine) request = {.period = fine->period};
            summed = summarizer_.summarise(
                std::span(expected_).subspan(big_->begin, big_->end - big_->begin),
                [&](std::uint32_t game) {
                    return raw_rows_.reader().facts(segment_.first_game + game);
                },
                request);
        } catch (const store::DamageError&) {
            summarizer_ = {};
            return;  // missing facts are reported game by game
        }
        if (fine && codec::encode_fine_sums(*fine) != codec::encode_fine_sums(*summed.fine)) {
            complain("the fine sums of a position are wrong");
        }
        const codec::PositionSummary& expected = summed.summary;
        if (stored.total != expected.total) complain("the sums of a position are wrong");
        auto found = stored.groups.begin();
        for (const codec::GroupSummary& group : expected.groups) {
            // A group whose games have all been deleted stays, with sums of zero.
            while (found != stored.groups.end() && found->next != group.next &&
                   found->tally == codec::Tally{}) {
                ++found;
            }
            if (found == stored.groups.end() || found->next != group.next) {
                complain("the moves of a position differ from those of its games");
                return;
            }
            if (found->tally != group.tally) {
                complain("the sums of " + move_text(group.next) + " are wrong");
            }
            if (found->top_games != group.top_games || found->recent_games != group.recent_games) {
                complain("the games named for " + move_text(group.next) + " are wrong");
            }
            ++found;
        }
        for (; found != stored.groups.end(); ++found) {
            if (found->tally == codec::Tally{} && found->top_games.empty() &&
                found->recent_games.empty()) {
                continue;
            }
            complain("the sums of " + move_text(found->next) + " belong to no game");
        }
    }

    /// Returns the fine sums of the current position; empty if it has none that belong to its
    /// summary.
    std::optional<codec::FineSums> stored_fine_sums(const codec::PositionSummary& summary) {
        const auto data = raw_rows_.fine_row(segment_.id, big_->key);
        if (!data) return std::nullopt;
        const auto row = store::read_fine_row(*data, segment_.shape, big_->key);
        if (row && row->mark != store::mark_of_summary(codec::encode_summary(summary))) {
            return std::nullopt;
        }
        auto sums =
            row ? codec::decode_fine_sums(row->encoded, segment_.shape.games) : std::nullopt;
        if (!sums) {
            add({.kind = "sum",
                 .key = big_->key,
                 .message = "the fine sums of a position have a wrong checksum or cannot be "
                            "decoded"});
        }
        return sums;
    }

    /// Compares the positions that blocks flag as big with those that have rows.
    void compare_big_keys() {
        std::ranges::sort(big_keys_);
        std::ranges::sort(big_rows_);
        std::vector<std::uint64_t> different;
        std::set_difference(big_keys_.begin(), big_keys_.end(), big_rows_.begin(), big_rows_.end(),
                            std::back_inserter(different));
        for (const std::uint64_t key : different) {
            add({.kind = "block", .key = key, .message = "the rows of a position are missing"});
        }
        if (was_unreadable_) return;  // the unreadable bytes may have flagged them
        different.clear();
        std::set_difference(big_rows_.begin(), big_rows_.end(), big_keys_.begin(), big_keys_.end(),
                            std::back_inserter(different));
        for (const std::uint64_t key : different) {
            add({.kind = "block",
                 .key = key,
                 .message = "a position has rows, but no block flags it as big"});
        }
    }

    const CheckedSegment& segment_;
    store::RawRows& raw_rows_;
    std::uint64_t partition_begin_;
    std::uint64_t partition_end_;
    const std::vector<Posting>& expected_;
    std::size_t next_ = 0;  // index in expected_ of the next posting to compare
    std::optional<std::uint64_t> last_short_;
    std::optional<std::uint64_t> end_;  // end of the previous block
    bool unreadable_ = false;           // something could not be read after last_short_
    bool was_unreadable_ = false;
    Group group_;
    std::optional<Big> big_;
    store::PositionSummarizer summarizer_;
    bool big_is_complete_ = true;  // false if postings were skipped because their game is damaged
    std::vector<Posting> chunk_;
    std::vector<std::uint64_t> big_keys_;
    std::vector<std::uint64_t> big_rows_;
    PartitionTotals totals_;
};

}  // namespace

PartitionTotals check_partition(const CheckedSegment& segment, store::RawRows& raw_rows,
                                unsigned partition, const std::vector<Posting>& expected) {
    return PartitionCheck(segment, raw_rows, partition, expected).run();
}

}  // namespace fendex::upkeep
