#include "uci/reached_positions.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "codec/bits.hpp"
#include "codec/packed_position.hpp"
#include "emit/byte_sink.hpp"

namespace fendex::uci {

namespace {

/// What the threads of the export hand over for each position, before its packed bits.
struct Head {
    std::uint64_t games = 0;
    std::uint64_t size = 0;  // of the bits
};

/// A position that is kept. The order is that of evaluation.
struct Kept {
    std::uint64_t games = 0;
    std::uint64_t number = 0;  // in the order of the export
    PackedPosition bits;

    bool operator<(const Kept& other) const {
        return games != other.games ? games > other.games : number < other.number;
    }
};

/// Takes the positions in the order of the export, and keeps the most reached ones in a heap, whose
/// front is the least of them.
class MostReached final : public emit::ByteSink {
  public:
    MostReached(std::size_t most, const std::function<bool(const chess::AnyPosition&)>& wanted)
        : most_(most), wanted_(wanted) {}

    void write(std::string_view bytes) override {
        while (!bytes.empty()) {
            Head head;
            std::memcpy(&head, bytes.data(), sizeof head);
            bytes.remove_prefix(sizeof head);
            add(head.games, bytes.substr(0, head.size));
            bytes.remove_prefix(head.size);
        }
    }
    void finish() override {}

    ReachedPositions take() {
        std::sort_heap(kept_.begin(), kept_.end());
        ReachedPositions out{{}, has_more_};
        out.positions.reserve(kept_.size());
        for (Kept& each : kept_) out.positions.push_back(std::move(each.bits));
        return out;
    }

  private:
    /// Most positions are not among the most reached ones, and are not looked at.
    void add(std::uint64_t games, std::string_view bits) {
        Kept position{games, number_++, PackedPosition(bits)};
        const bool is_full = kept_.size() == most_;
        if (is_full && !(position < kept_.front())) {
            has_more_ = true;
            return;
        }
        if (!wanted_(unpack_position(position.bits))) return;
        if (is_full) {
            has_more_ = true;
            std::pop_heap(kept_.begin(), kept_.end());
            kept_.pop_back();
        }
        kept_.push_back(std::move(position));
        std::push_heap(kept_.begin(), kept_.end());
    }

    std::size_t most_;
    const std::function<bool(const chess::AnyPosition&)>& wanted_;
    std::uint64_t number_ = 0;
    bool has_more_ = false;
    std::vector<Kept> kept_;
};

}  // namespace

PackedPosition pack_position(const chess::AnyPosition& position) {
    codec::BitWriter bits;
    codec::put_position(position, bits);
    return bits.take();
}

chess::AnyPosition unpack_position(const PackedPosition& bits) {
    codec::BitReader reader(bits);
    chess::AnyPosition position;
    if (!codec::get_position(reader, position)) throw std::logic_error("no packed position");
    return position;
}

ReachedPositions reached_positions(const emit::ExportJob& job, const emit::PositionChoice& choice,
                                   std::size_t most,
                                   const std::function<bool(const chess::AnyPosition&)>& wanted) {
    MostReached reached(most, wanted);
    const auto append = [](const chess::AnyPosition& position, const emit::PositionTally& tally,
                           std::string& out) {
        const PackedPosition bits = pack_position(position);
        const Head head{tally.games, bits.size()};
        out.append(reinterpret_cast<const char*>(&head), sizeof head);
        out += bits;
    };
    emit::export_positions(job, choice, append, reached);
    return reached.take();
}

}  // namespace fendex::uci
