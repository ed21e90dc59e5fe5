// Damaged chunks of facts, codes and signatures, packed texts, and summaries of big positions:
// decoders report damage or return other values, within bounds; and what they return can be stored
// again. The first byte chooses the decoder.
#include <vector>

#include "codec/big_position.hpp"
#include "codec/game_codes.hpp"
#include "codec/game_facts.hpp"
#include "codec/game_signature.hpp"
#include "codec/text_packer.hpp"
#include "fuzz.hpp"
#include "store/broken_game.hpp"

namespace {

using namespace fendex;

template <typename Chunk, typename Encode>
void require_round_trip(std::string_view bytes, Encode encode) {
    const Chunk chunk(bytes);
    if (chunk.size() == 0) return;
    fuzz::require(chunk.size() <= bytes.size());
    std::vector<decltype(chunk[0])> values;
    for (std::size_t i = 0; i < chunk.size(); ++i) values.push_back(chunk[i]);
    const std::string again = encode(values);
    const Chunk same(again);
    fuzz::require(same.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) fuzz::require(same[i] == values[i]);
}

/// A packed text is unpacked to the same text; other bytes are refused or give a short text.
void unpack(std::string_view bytes, std::string_view dictionary) {
    constexpr std::size_t kMost = 1 << 16;
    codec::TextUnpacker unpacker(dictionary);
    std::string out;
    if (unpacker.unpack(bytes, kMost, out)) fuzz::require(out.size() <= kMost);
    std::string packed;
    codec::TextPacker(dictionary).pack(bytes, packed);
    fuzz::require(unpacker.unpack(packed, bytes.size(), out) && out == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    const std::string_view bytes = fuzz::text_of(data + 1, size - 1);
    switch (data[0] % 7) {
        case 0: require_round_trip<codec::FactsChunk>(bytes, codec::encode_facts); break;
        case 1: require_round_trip<codec::SignatureChunk>(bytes, codec::encode_signatures); break;
        case 5:
            require_round_trip<codec::CodeChunk<codec::kPlayerColumns>>(
                bytes, codec::encode_codes<codec::kPlayerColumns>);
            break;
        case 6:
            require_round_trip<codec::CodeChunk<codec::kNameColumns>>(
                bytes, codec::encode_codes<codec::kNameColumns>);
            break;
        case 2: unpack(bytes, {}); break;
        case 3:
            unpack(bytes, "[%clk 0:10:00][%eval 0.25] White is better. Black is better.");
            break;
        default: {
            if (const auto text = store::unpack_broken_game(bytes)) {
                fuzz::require(store::unpack_broken_game(store::pack_broken_game(*text)) == text);
            }
            if (const auto summary = codec::decode_summary(bytes)) {
                const std::string again = codec::encode_summary(*summary);
                const auto same = codec::decode_summary(again);
                fuzz::require(same && codec::encode_summary(*same) == again);
            }
        }
    }
    return 0;
}
