#include "clickhouse/push_rows.hpp"

#include <algorithm>
#include <bit>
#include <concepts>

#include "replay/stored_walk.hpp"
#include "replay/variation_walk.hpp"
#include "store/fingerprint.hpp"
#include "store/record_sort.hpp"

namespace fendex::clickhouse {

namespace {

using store::GameId;

constexpr unsigned kFlagBits = 2;
constexpr std::uint64_t kFirstOfKey = 2;
constexpr std::uint64_t kFirstOfMove = 1;
constexpr unsigned kPlyBits = 20;
constexpr unsigned kGameBitsOfRecord = 26;
constexpr unsigned kGameShift = kFlagBits + kPlyBits;
constexpr unsigned kMoveShift = kGameShift + kGameBitsOfRecord;

constexpr std::uint64_t low_bits(std::uint64_t value, unsigned bits) {
    return value & ((std::uint64_t{1} << bits) - 1);
}

/// Writes a number, lowest byte first, and moves `at` to the byte after it.
template <std::unsigned_integral Number>
void put(char*& at, Number value) {
    for (unsigned byte = 0; byte < sizeof value; ++byte) {
        *at++ = static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * byte) & 0xFF);
    }
}

constexpr std::size_t kPostingBytes = 4 + 8 + 2 + 8 + 4 + 11 + 1 + 1 + 1;

/// Collects the keys of a game's variations.
class KeyCollector final : public replay::VariationVisitor {
  public:
    void node(const replay::VariationNode& node) override { keys.push_back(node.position.key()); }

    std::vector<std::uint64_t> keys;
};

template <typename Number>
void append_optional(const std::optional<Number>& value, RowWriter& out) {
    out.u8(value ? 0 : 1);
    if (!value) return;
    if constexpr (sizeof(Number) == 8) {
        out.u64(static_cast<std::uint64_t>(*value));
    } else {
        out.u32(*value);
    }
}

}  // namespace

void PostingRows::FirstSeen::begin(std::size_t keys) {
    const std::size_t room = std::bit_ceil(2 * keys + 1);
    if (slots_.size() < room) {
        slots_.assign(room, {});
        game_ = 0;
    }
    ++game_;
}

bool PostingRows::FirstSeen::insert(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = key & mask;; at = (at + 1) & mask) {
        Slot& slot = slots_[at];
        if (slot.game != game_) {
            slot = {key, game_};
            return true;
        }
        if (slot.key == key) return false;
    }
}

PostingRows::PostingRows(PushNumber push, std::int8_t sign) : push_(push), sign_(sign) {}

void PostingRows::clear() {
    records_.clear();
    games_.clear();
    fingerprint_ = 0;
}

void PostingRows::add(const PushedGame& game) {
    GameColumns columns;
    columns.id = cluster_id(origin_of_push(push_), game.number);
    const codec::GameFacts& facts = game.facts;
    char* at = columns.facts.data();
    put(at, static_cast<std::uint8_t>(facts.result));
    put(at, facts.white_elo);
    put(at, facts.black_elo);
    put(at, facts.date.number());
    put(at, static_cast<std::uint8_t>(facts.time_class));
    put(at, static_cast<std::uint8_t>(facts.variant));
    games_.push_back(columns);

    game_begin_ = records_.size();
    seen_.begin(game.moves->facts.plies + std::size_t{1});
    const store::GameFingerprint terms(game.number);
    replay::with_walk(game.number, *game.moves, [&](auto& walk) {
        for (;; walk.advance()) {
            const std::uint64_t key = walk.position().key();
            add_position(key, walk.next_move(), walk.ply());
            fingerprint_ += terms.term(walk.ply(), key);
            if (walk.at_end()) break;
        }
    });
}

void PostingRows::add_position(std::uint64_t key, chess::Move next, std::uint32_t ply) {
    const std::uint64_t move = std::uint64_t{next.bits()} << kMoveShift;
    std::uint64_t flags = kFirstOfKey | kFirstOfMove;
    if (!seen_.insert(key)) {
        const auto same_move = [&](const Record& each) {
            return each.key == key && each.rest >> kMoveShift == next.bits();
        };
        const auto begin = records_.begin() + static_cast<std::ptrdiff_t>(game_begin_);
        flags = std::any_of(begin, records_.end(), same_move) ? 0 : kFirstOfMove;
    }
    const std::uint64_t game = games_.size() - 1;
    records_.push_back({key, move | game << kGameShift | std::uint64_t{ply} << kFlagBits | flags});
}

void PostingRows::append_to(std::string& out) {
    store::sort_records(records_);
    const std::size_t begin = out.size();
    out.resize(begin + records_.size() * kPostingBytes);
    char* at = out.data() + begin;
    for (const Record& record : records_) {
        const GameColumns& game = games_[low_bits(record.rest >> kGameShift, kGameBitsOfRecord)];
        put(at, push_);
        put(at, record.key);
        put(at, static_cast<std::uint16_t>(record.rest >> kMoveShift));
        put(at, game.id);
        put(at, static_cast<std::uint32_t>(low_bits(record.rest >> kFlagBits, kPlyBits)));
        at = std::ranges::copy(game.facts, at).out;
        put(at, static_cast<std::uint8_t>((record.rest & kFirstOfKey) != 0 ? 1 : 0));
        put(at, static_cast<std::uint8_t>(record.rest & kFirstOfMove));
        put(at, static_cast<std::uint8_t>(sign_));
    }
}

void append_variations(PushNumber push, std::int8_t sign, const PushedGame& game, RowWriter& out) {
    if (!game.index_variations || game.annotation.empty()) return;
    KeyCollector collector;
    replay::walk_variations(game.number, *game.moves, game.annotation, false, collector);
    std::vector<std::uint64_t>& keys = collector.keys;
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const std::uint64_t key : keys) {
        out.u32(push);
        out.u64(key);
        out.u64(cluster_id(origin_of_push(push), game.number));
        out.i8(sign);
    }
}

void append_game(PushNumber push, const PushedGame& game, const TagPairs& tags,
                 std::string_view opening, const codec::GameSignature& signature, RowWriter& out,
                 RowWriter& players) {
    TagColumns columns;
    columns.start = game.moves->start;
    columns.facts = game.facts;
    std::string termination;
    set_tag_columns(tags, columns, termination);
    std::string packed;
    encode_tags(tags, columns, packed);
    out.u32(push);
    out.u64(cluster_id(origin_of_push(push), game.number));
    for (const std::string_view text : {columns.white, columns.black, columns.event, columns.site,
                                        columns.round, columns.eco, columns.termination, opening}) {
        out.string(text);
    }
    const codec::GameFacts& facts = game.facts;
    out.u32(facts.date.number());
    out.u8(static_cast<std::uint8_t>(facts.result));
    out.u16(facts.white_elo);
    out.u16(facts.black_elo);
    out.u32(facts.plies);
    out.u8(static_cast<std::uint8_t>(facts.variant));
    out.u8(static_cast<std::uint8_t>(facts.time_class));
    out.u8(static_cast<std::uint8_t>(facts.mode));
    out.string(game.moves->start);
    out.string(game.moves->moves);
    out.string(packed);
    out.string(game.annotation);
    out.u8(game.index_variations ? 1 : 0);
    out.u64(signature.least);
    out.u64(signature.white_pawns);
    out.u64(signature.black_pawns);
    out.u8(
        static_cast<std::uint8_t>((signature.surplus[0] ? 1 : 0) | (signature.surplus[1] ? 2 : 0)));
    out.u8(signature.replayed ? 1 : 0);
    for (const std::string_view name : {columns.white, columns.black}) {
        players.u32(push);
        players.string(name);
        players.u64(cluster_id(origin_of_push(push), game.number));
    }
}

void append_repetition(PushNumber push, const store::Repetition& repetition, RowWriter& out) {
    out.u32(push);
    out.u64(cluster_id(origin_of_push(push), repetition.game));
    out.u64(repetition.key);
    out.u32(static_cast<std::uint32_t>(repetition.plies.size()));
    out.size(repetition.plies.size());
    for (const std::uint32_t ply : repetition.plies) out.u32(ply);
}

void append_quiet_run(PushNumber push, const store::QuietRun& run, RowWriter& out) {
    out.u32(push);
    out.u64(cluster_id(origin_of_push(push), run.game));
    out.u32(run.ply50);
    out.u32(run.ply75.value_or(0));
    out.u8(run.ply75 ? 1 : 0);
    out.u32(run.longest);
}

void append_joined_name(PushNumber push, store::NameKind kind, std::string_view name,
                        std::string_view canonical, RowWriter& out) {
    out.u32(push);
    out.u8(static_cast<std::uint8_t>(kind));
    out.string(name);
    out.string(canonical);
}

void append_source(PushNumber push, const store::StoredSource& source, RowWriter& out) {
    const auto as_unsigned = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    out.u32(push);
    out.u16(origin_of_push(push));
    out.u64(as_unsigned(source.id));
    out.string(source.file.path);
    append_optional(source.file.size, out);
    append_optional(source.file.modified, out);
    out.u64(source.first_byte);
    out.u64(source.progress.bytes);
    out.string(source.progress.digest);
    out.u64(source.progress.resume.byte);
    out.u64(source.progress.resume.line);
    out.string(source.progress.resume.digest);
    append_optional(source.progress.open_game, out);
    out.u64(source.first_game);
    out.u64(source.games);
    out.u64(source.duplicates);
    out.u64(source.plies);
    out.u64(source.errors);
    out.u8(source.progress.complete ? 1 : 0);
    out.u64(as_unsigned(source.started));
    append_optional(source.finished, out);
    out.string(source.options);
    out.string(source.progress.prefixes);
}

void append_error(PushNumber push, const store::StoredError& error, std::string_view packed_pgn,
                  RowWriter& out) {
    out.u32(push);
    out.u16(origin_of_push(push));
    out.u64(static_cast<std::uint64_t>(error.id));
    out.u64(static_cast<std::uint64_t>(error.source));
    append_optional(error.game, out);
    out.u64(error.error.byte);
    out.u64(error.error.line);
    append_optional(error.error.ply, out);
    out.string(error.error.reason);
    out.string(error.error.text);
    out.string(packed_pgn);
    out.u8(static_cast<std::uint8_t>(error.error.warning ? store::kWarning : store::kError));
}

}  // namespace fendex::clickhouse
