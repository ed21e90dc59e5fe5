// Spellings of a name in several languages have the same sound.
#include "base/name_sound.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/text_fold.hpp"

using fendex::base::fold;
using fendex::base::in_latin_letters;
using fendex::base::sound_of;

namespace {

std::string sound(const std::string& word) { return sound_of(in_latin_letters(fold(word))); }

}  // namespace

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
            CHECK(sound(each) == sound(spellings.front()));
        }
    }
}

TEST_CASE("Other names sound otherwise") {
    const std::vector<std::string> names{"karpov", "karpova", "kasparov", "kramnik", "tal",
                                         "dal",    "anand",   "ananda",   ""};
    for (const std::string& one : names) {
        for (const std::string& other : names) {
            CHECK((sound(one) == sound(other)) == (one == other));
        }
    }
}
