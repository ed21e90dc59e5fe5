// Random filters with values from the games of a database, so that most of them fit some games.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "ask/filter_fields.hpp"
#include "base/text_fold.hpp"
#include "chess/random_play.hpp"
#include "query/game_filter.hpp"
#include "store/store_reader.hpp"

namespace fendex::test {

class RandomFilters {
  public:
    explicit RandomFilters(store::StoreReader& reader) {
        reader.for_each_game(1, [&](store::GameId, const store::StoredGame& game) {
            games_.push_back(game.tags);
            return true;
        });
        for (const store::StoredSource& source : reader.sources()) {
            sources_.push_back(source.file.path.substr(source.file.path.rfind('/') + 1));
        }
    }

    /// One to three conditions; `shown` gets them as text.
    query::GameFilter filter(Random& random, std::string& shown) const {
        query::GameFilter out;
        for (std::size_t n = 1 + random() % 3; n != 0; --n) {
            try {
                add(random, out, shown);
            } catch (const query::FilterError&) {
                // A value that has no letters.
            }
        }
        return out;
    }

  private:
    std::string value(Random& random, const std::string& tag) const {
        for (int tries = 0; tries < 50; ++tries) {
            const auto& tags = games_[random() % games_.size()];
            const auto found = std::find_if(tags.begin(), tags.end(),
                                            [&](const auto& each) { return each.first == tag; });
            if (found != tags.end()) return found->second;
        }
        return "none";
    }
    /// One or two beginnings of words of a tag's value, or words that are in no game.
    std::string words(Random& random, const std::string& tag) const {
        const std::string folded = base::fold(value(random, tag));
        const std::vector<std::string_view> all = base::words_of(folded);
        if (all.empty() || random() % 12 == 0) return "no such words";
        std::string out;
        for (std::size_t n = 1 + random() % 2; n != 0; --n) {
            const std::string_view word = all[random() % all.size()];
            std::size_t size = 1 + random() % word.size();
            // Not in the middle of a character.
            while (size < word.size() && (static_cast<unsigned char>(word[size]) & 0xC0) == 0x80) {
                ++size;
            }
            out += (out.empty() ? "" : " ") + std::string(word.substr(0, size));
        }
        return out;
    }

    void add(Random& random, query::GameFilter& out, std::string& shown) const {
        const auto number = [&](std::uint64_t low, std::uint64_t count) {
            return std::to_string(low + random() % count);
        };
        const auto set = [&](const std::string& field, const std::string& text) {
            ask::set_field(out, field, text);
            shown += field + "=" + text + "; ";
        };
        static constexpr const char* kTags[] = {
            "White",       "Black",     "Event",   "Site",     "Round",    "ECO",
            "Termination", "Date",      "Result",  "WhiteElo", "BlackElo", "UTCDate",
            "TimeControl", "Annotator", "Variant", "FEN"};
        switch (random() % 27) {
            case 0: return set("white", words(random, "White"));
            case 1: return set("black", words(random, "Black"));
            case 2: return set("player", words(random, "White"));
            case 3:
                set("player", words(random, "White"));
                return set("player", words(random, "Black"));
            case 4:
                return set("event", random() % 3 == 0 ? '=' + value(random, "Event")
                                                      : words(random, "Event"));
            case 5:
            case 6: return set("site", words(random, "Site"));
            case 7:
            case 8:
                return set("termination",
                           base::fold(value(random, "Termination")).substr(0, 1 + random() % 8));
            case 9: return set("eco", value(random, "ECO").substr(0, 1 + random() % 3));
            case 10: return set("opening", one_of_words(random));
            case 11: return set("opening-eco", "B0" + number(0, 9) + "-C4");
            case 12: return set("result", value(random, "Result"));
            case 13: return set("since", number(1988, 8));
            case 14: return set("until", number(1988, 8));
            case 15: return set("min-elo", number(1790, 60));
            case 16: return set("max-elo", number(1790, 60));
            case 17:
                return set(random() % 2 == 0 ? "white-elo" : "black-elo", number(1800, 30) + "-");
            case 18: {
                static constexpr const char* kClasses[] = {
                    "ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"};
                return set("time-control", kClasses[random() % 6]);
            }
            case 19: return set("mode", random() % 2 == 0 ? "rated" : "casual");
            case 20: {
                static constexpr const char* kVariants[] = {"standard", "chess960", "crazyhouse"};
                return set("variant", kVariants[random() % 3]);
            }
            case 21: return set(random() % 2 == 0 ? "min-plies" : "max-plies", number(0, 60));
            case 22: return set("source", sources_[random() % sources_.size()]);
            case 23:
            case 24: {
                const std::string tag = kTags[random() % std::size(kTags)];
                return set("tag", tag + '=' + (random() % 9 == 0 ? "" : value(random, tag)));
            }
            case 25: {
                const bool white = random() % 2 == 0;
                std::string name = value(random, white ? "White" : "Black");
                if (random() % 2 == 0) name = base::fold(name);
                (white ? out.white_named : out.black_named) = name;
                shown += "named=" + name + "; ";
                return;
            }
            default: return add_lists(random, out, shown);
        }
    }

    static std::string one_of_words(Random& random) {
        static constexpr const char* kWords[] = {"sicil", "game opening", "gambit",
                                                 "q p",   "ruy",          "d d"};
        return kWords[random() % std::size(kWords)];
    }

    static void add_lists(Random& random, query::GameFilter& out, std::string& shown) {
        const auto number = [&](std::uint64_t low, std::uint64_t count) {
            return static_cast<std::uint32_t>(low + random() % count);
        };
        switch (random() % 3) {
            case 0:
                out.mean_elo.emplace();
                for (std::size_t n = random() % 3; n != 0; --n) {
                    const std::uint32_t low = number(1800, 30);
                    out.mean_elo->push_back(
                        {low, random() % 8 == 0 ? UINT32_MAX : low + number(0, 9)});
                    shown += "mean-elo=" + std::to_string(low) + "-; ";
                }
                return;
            case 1:
                out.time_classes.emplace();
                for (unsigned each = 0; each < 7; ++each) {
                    if (random() % 3 == 0)
                        out.time_classes->push_back(static_cast<codec::TimeClass>(each));
                }
                shown += "time classes; ";
                return;
            default:
                out.modes.emplace();
                for (unsigned each = 0; each < 3; ++each) {
                    if (random() % 2 == 0) out.modes->push_back(static_cast<codec::Mode>(each));
                }
                shown += "modes; ";
                return;
        }
    }

    std::vector<std::vector<std::pair<std::string, std::string>>> games_;
    std::vector<std::string> sources_;
};

}  // namespace fendex::test
