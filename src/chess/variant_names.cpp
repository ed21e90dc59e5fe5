#include "chess/variant_names.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace fendex::chess {

namespace {

using enum Variant;

constexpr Variant kKnown[] = {kStandard,      kChess960, kCrazyhouse, kThreeCheck,
                              kKingOfTheHill, kAtomic,   kAntichess,  kSuicide,
                              kLosers,        kHorde,    kRacingKings};

struct Spelling {
    std::string_view text;  // letters and digits only, in lower case
    Variant variant;
};

/// The first spelling of a variant is the one that is written. Numbers are ICC's wild/N.
constexpr Spelling kSpellings[] = {
    {"standard", kStandard},
    {"", kStandard},
    {"standardchess", kStandard},
    {"normal", kStandard},
    {"chess", kStandard},
    {"fromposition", kStandard},
    {"regular", kStandard},
    {"classical", kStandard},
    {"classic", kStandard},
    {"chess960", kChess960},
    {"fischerandom", kChess960},
    {"fischerrandom", kChess960},
    {"fischerrandomchess", kChess960},
    {"fischerandomchess", kChess960},
    {"frc", kChess960},
    {"960", kChess960},
    {"freestyle", kChess960},
    {"freestylechess", kChess960},
    {"chess960frc", kChess960},
    {"doublechess960", kChess960},
    {"dfrc", kChess960},
    {"doublefischerrandom", kChess960},
    {"wildfr", kChess960},
    {"wild22", kChess960},
    {"w22", kChess960},
    {"chess9lx", kChess960},
    {"9lx", kChess960},
    {"crazyhouse", kCrazyhouse},
    {"zh", kCrazyhouse},
    {"wild23", kCrazyhouse},
    {"w23", kCrazyhouse},
    {"3check", kThreeCheck},
    {"threecheck", kThreeCheck},
    {"threechecks", kThreeCheck},
    {"3checks", kThreeCheck},
    {"3checkchess", kThreeCheck},
    {"threecheckchess", kThreeCheck},
    {"wild25", kThreeCheck},
    {"w25", kThreeCheck},
    {"kingofthehill", kKingOfTheHill},
    {"koth", kKingOfTheHill},
    {"atomic", kAtomic},
    {"atomicchess", kAtomic},
    {"wild27", kAtomic},
    {"w27", kAtomic},
    {"antichess", kAntichess},
    {"giveaway", kAntichess},
    {"giveawaychess", kAntichess},
    {"wild26", kAntichess},
    {"w26", kAntichess},
    {"suicide", kSuicide},
    {"suicidechess", kSuicide},
    {"antichesssuicide", kSuicide},
    {"losers", kLosers},
    {"loserschess", kLosers},
    {"wild17", kLosers},
    {"w17", kLosers},
    {"horde", kHorde},
    {"hordechess", kHorde},
    {"racingkings", kRacingKings},
    {"racingkingschess", kRacingKings},
};

}  // namespace

Variant variant_of(std::string_view text) {
    std::string plain;
    for (const char c : text) {
        // Bytes beyond ASCII are kept, so that names in other scripts stay distinct.
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80 || std::isalnum(byte) != 0) plain += static_cast<char>(std::tolower(byte));
    }
    const auto find = [](std::string_view name) {
        const auto* known = std::ranges::find(kSpellings, name, &Spelling::text);
        return known == std::end(kSpellings) ? kOther : known->variant;
    };
    if (const Variant known = find(plain); known != kOther) return known;
    // Crazyhouse960 and the like have the variant's rules; the FEN says where the game starts.
    if (!plain.ends_with("960")) return kOther;
    const Variant played = find(std::string_view(plain).substr(0, plain.size() - 3));
    return has_variant_rules(played) ? played : kOther;
}

std::string_view name_of(Variant variant) {
    for (const Spelling& each : kSpellings) {
        if (each.variant == variant) return each.text;
    }
    return "other";
}

std::span<const Variant> known_variants() { return kKnown; }

}  // namespace fendex::chess
