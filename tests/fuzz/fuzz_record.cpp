// Damaged records of positions and blocks of them. A record that is read is written and read again:
// it must stay the same, and its PVs must be legal.
#include "codec/packed_position.hpp"
#include "codec/record_block.hpp"
#include "fuzz.hpp"

using namespace fendex;

namespace {

void check_record(std::string_view bits) {
    chess::AnyPosition position;
    codec::PositionRecord record;
    if (!codec::unpack_record(bits, position, record)) return;
    codec::BitReader reader(bits);
    std::uint64_t key = 0;
    fuzz::require(codec::get_position_key(reader, key) && key == position.key());
    for (const codec::Evaluation& each : record.evaluations) {
        for (const codec::Variation& pv : each.pvs) {
            chess::AnyPosition board = position;
            for (const chess::Move move : pv.moves) {
                fuzz::require(board.visit([&](const auto& b) { return b.is_legal(move); }));
                board.play(move);
            }
        }
    }
    codec::BitWriter scratch;
    std::string packed;
    codec::pack_record(position, record, scratch, packed);
    chess::AnyPosition again;
    codec::PositionRecord same;
    fuzz::require(codec::unpack_record(packed, again, same) && same == record &&
                  again.same_as(position));
    fuzz::require(codec::PositionBits(position).begin(bits));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::text_of(data, size);
    check_record(bytes);
    if (const auto block = codec::RecordBlock::open(bytes, 0)) {
        codec::RecordBlock::Records cursor(*block);
        std::string_view bits;
        while (cursor.next(bits)) check_record(bits);
        static_cast<void>(block->find(chess::Position().key(), codec::PositionBits({})));
    }
    return 0;
}
