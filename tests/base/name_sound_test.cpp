// Spellings of a name in several languages have the same sound.
#include "base/name_sound.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/text_fold.hpp"

using fendex::base::fold;
using fendex::base::sound_of;

TEST_CASE("Transliterations of a name sound alike") {
    const std::vector<std::vector<std::string>> names{
        {"Korchnoi", "Kortschnoj", "Kortchnoi", "Корчной"},
        {"Polugaevsky", "Polugajewski", "Polugayevsky", "Полугаевский"},
        {"Yuri", "Jurij", "Juri", "Юрий"},
        {"Anatoly", "Anatolij", "Анатолий"},
        {"Mikhail", "Михаил"},
        {"Alekseev", "Alexeyev", "Алексеев"},
        {"Botvinnik", "Botwinnik", "Ботвинник"}};
    for (const auto& spellings : names) {
        for (const std::string& each : spellings) {
            CHECK(sound_of(fold(each)) == sound_of(fold(spellings.front())));
        }
    }
}

TEST_CASE("Other names sound otherwise") {
    const std::vector<std::string> names{"karpov", "karpova", "kasparov", "kramnik", "tal",
                                         "dal",    "anand",   "ananda",   ""};
    for (const std::string& one : names) {
        for (const std::string& other : names) {
            CHECK((sound_of(one) == sound_of(other)) == (one == other));
        }
    }
}
