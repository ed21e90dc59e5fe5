#include "query/evaluations.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "chess/san.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::query {

namespace {

std::uint64_t thousands(std::uint64_t nodes) { return nodes / 1000; }

/// Sets a pointer as long as the object lives.
template <typename Value>
class PointerTo {
  public:
    PointerTo(Value*& pointer, Value& value) : pointer_(pointer) { pointer_ = &value; }
    ~PointerTo() { pointer_ = nullptr; }
    PointerTo(const PointerTo&) = delete;
    PointerTo& operator=(const PointerTo&) = delete;

  private:
    Value*& pointer_;
};

void add_search(const chess::AnyPosition& position, const codec::Evaluation& search,
                json::Object& object) {
    object.add("depth", search.depth);
    object.add("knodes", thousands(search.nodes));
    object.add_objects("pvs", search.pvs, [&](json::Object& pv, const codec::Variation& each) {
        add_score(each.score, pv);
        pv.add("uci", uci_line(position, each.moves));
        pv.add("san", san_line(position, each.moves));
    });
}

}  // namespace

Evaluations::Evaluations(std::span<store::StoreReader* const> readers) {
    for (store::StoreReader* const reader : readers) {
        store::PositionRecords* const records = reader->records();
        if (records != nullptr && records->count() != 0) records_.push_back(records);
    }
}

codec::PositionRecord Evaluations::record(const chess::AnyPosition& position) {
    codec::PositionRecord all;
    for (store::PositionRecords* const records : records_) {
        codec::PositionRecord found;
        if (records->find(position, found)) codec::merge_record(std::move(found), all);
    }
    return all;
}

void Evaluations::expect(const std::function<void()>& look_up) {
    if (std::ranges::none_of(records_, &store::PositionRecords::is_remote)) return;
    std::vector<std::uint64_t> keys;
    {
        const PointerTo collecting(expected_, keys);
        look_up();
    }
    for (store::PositionRecords* const records : records_) records->expect(keys);
}

void Evaluations::expect_game(store::GameId id, const store::StoredMoves& moves) {
    expect([&] {
        replay::with_walk(id, moves, [&](auto& walk) {
            for (; !walk.at_end(); walk.advance()) {
                static_cast<void>(verdict(chess::AnyPosition(walk.position())));
            }
            static_cast<void>(verdict(chess::AnyPosition(walk.position())));
        });
    });
}

std::optional<Verdict> Evaluations::verdict(const chess::AnyPosition& position) {
    if (expected_ != nullptr) expected_->push_back(position.key());
    if (records_.empty() || expected_ != nullptr) return std::nullopt;
    codec::BestOfRecords all;
    codec::BestSearch search;
    for (store::PositionRecords* const records : records_) {
        if (records->find_best(position, search)) all.add(search);
    }
    const codec::BestSearch best = all.has_equals() ? codec::best_of(record(position)) : all.best();
    if (best.pvs == 0) return std::nullopt;
    return Verdict{best.score, best.depth, best.move};
}

std::optional<Verdict> Evaluations::verdict_after(chess::AnyPosition position,
                                                  std::string_view san) {
    if (records_.empty()) return std::nullopt;
    chess::Move move;
    const chess::SanError error =
        position.visit([&](const auto& board) { return chess::read_san(board, san, move); });
    if (error != chess::SanError::kNone) return std::nullopt;
    position.play(move);
    return verdict(position);
}

std::vector<const codec::Evaluation*> searches_of(const codec::PositionRecord& record) {
    std::vector<const codec::Evaluation*> searches;
    for (const codec::Evaluation& each : record.evaluations) searches.push_back(&each);
    // Stable, so that the first is best() even if two are equally deep.
    std::ranges::stable_sort(searches, [](const auto* a, const auto* b) {
        return std::pair(a->depth, a->nodes) > std::pair(b->depth, b->nodes);
    });
    return searches;
}

std::string score_text(const codec::Score& score) {
    if (score.is_mate) return '#' + std::to_string(score.value);
    std::string text = score.value < 0 ? "-" : "+";
    json::append_value(json::Fixed{std::abs(score.value) / 100.0, 2}, text);
    return text;
}

std::string uci_line(const chess::AnyPosition& position, const std::vector<chess::Move>& moves) {
    std::string out;
    chess::AnyPosition board = position;
    for (const chess::Move move : moves) {
        if (!out.empty()) out += ' ';
        chess::append_uci(board, move, chess::Variant::kChess960, out);
        board.play(move);
    }
    return out;
}

std::string san_line(const chess::AnyPosition& position, const std::vector<chess::Move>& moves) {
    std::string out;
    chess::AnyPosition board = position;
    for (const chess::Move move : moves) {
        const bool white = board.side_to_move() == chess::Color::kWhite;
        const bool first = out.empty();
        if (!first) out += ' ';
        if (white || first) {
            out += std::to_string(board.fullmove_number()) + (white ? "." : "...");
        }
        chess::append_san(board, move, out);
        board.play(move);
    }
    return out;
}

void add_score(const codec::Score& score, json::Object& object) {
    object.add(score.is_mate ? "mate" : "cp", score.value);
}

void append_value(const Verdict& verdict, std::string& out) {
    json::append_object(out, [&](json::Object& eval) {
        add_score(verdict.score, eval);
        eval.add("depth", verdict.depth);
    });
}

void add_evaluations(const chess::AnyPosition& position, const codec::PositionRecord& record,
                     json::Object& object) {
    if (record.best() == nullptr) {
        for (const char* const name : {"depth", "knodes"}) object.add_null(name);
        for (const char* const name : {"pvs", "others"}) object.add(name, std::vector<int>());
        return;
    }
    std::vector<const codec::Evaluation*> searches = searches_of(record);
    add_search(position, *searches.front(), object);
    searches.erase(searches.begin());
    object.add_objects("others", searches,
                       [&](json::Object& other, const codec::Evaluation* const search) {
                           add_search(position, *search, other);
                       });
}

}  // namespace fendex::query
