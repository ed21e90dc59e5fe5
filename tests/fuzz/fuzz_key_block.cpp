// Damaged bytes of the index: decoders may report damage or return other values, but must stay
// within bounds. The first byte chooses the shape.
#include <string>
#include <string_view>
#include <vector>

#include "codec/big_position.hpp"
#include "codec/fine_sums.hpp"
#include "codec/game_facts.hpp"
#include "codec/game_signature.hpp"
#include "codec/key_block.hpp"
#include "codec/name_words.hpp"
#include "codec/player_games.hpp"
#include "fuzz.hpp"

using namespace fendex;

namespace {

/// Sums that are read name games of their segment, and stay what they are if they are written
/// again.
void check_fine_sums(std::string_view bytes, std::uint64_t games) {
    const auto sums = codec::decode_fine_sums(bytes, games);
    if (!sums) return;
    for (const codec::FineSums::Group& group : sums->groups) {
        for (const codec::FineSum& sum : group.sums) {
            for (const auto& each : sum.top.entries()) fuzz::require(each.game < games);
            for (const auto& each : sum.recent.entries()) fuzz::require(each.game < games);
        }
    }
    const std::string written = codec::encode_fine_sums(*sums);
    const auto again = codec::decode_fine_sums(written, games);
    fuzz::require(again && codec::encode_fine_sums(*again) == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3) return 0;
    const codec::SegmentShape shape{8U + data[0] % 41U, 1U + data[1] * 601U, 0, false};
    const std::string_view bytes = fuzz::text_of(data + 2, size - 2);

    std::uint64_t some_key = 0x463b96181691fc9cULL;
    std::size_t entries = 0;
    const auto note = [&](const codec::BlockEntry& entry) {
        ++entries;
        some_key = entry.key;
        for (const codec::Posting& p : entry.postings) fuzz::require(p.game() < shape.games);
    };
    static_cast<void>(codec::for_each_entry(bytes, shape, note));
    // An entry takes at least one bit, so a block cannot have more entries than bits.
    fuzz::require(entries <= bytes.size() * 8);
    codec::KeyMatch match;
    static_cast<void>(codec::look_up(bytes, 0, shape, some_key, match));
    static_cast<void>(codec::look_up(bytes, 0, shape, ~some_key, match));

    std::vector<codec::Posting> postings;
    static_cast<void>(codec::decode_big_postings(bytes, shape, some_key, postings));
    if (const auto summary = codec::decode_summary(bytes)) {
        fuzz::require(codec::decode_summary(codec::encode_summary(*summary)).has_value());
    }
    check_fine_sums(bytes, shape.games);
    const codec::FactsChunk facts(bytes);
    for (std::size_t i = 0; i < facts.size(); ++i) (void)facts[i];
    const codec::SignatureChunk signatures(bytes);
    for (std::size_t i = 0; i < signatures.size(); ++i) (void)signatures[i];
    std::vector<codec::PlayerGame> games;
    static_cast<void>(codec::decode_player_games(bytes, data[0], games));
    for (const codec::PlayerGame& each : games) fuzz::require(each.player() >= data[0]);
    std::size_t names = 0;
    static_cast<void>(
        codec::decode_name_words(bytes, {}, [&](std::uint32_t, std::string_view) { ++names; }));
    fuzz::require(names <= bytes.size());
    return 0;
}
