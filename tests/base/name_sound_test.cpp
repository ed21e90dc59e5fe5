// Spellings of a name in several languages have the same sound.
#include "base/name_sound.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/text_fold.hpp"

using fendex::base::first_sound;
using fendex::base::first_sounds;
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

TEST_CASE("With what a sound begins is known without the sound") {
    std::mt19937_64 random(20);
    const std::string letters = "abcdefhijkopqstuvwxyz";  // those of replaced parts, and others
    for (int i = 0; i < 20000; ++i) {
        std::string word(1 + random() % 6, ' ');
        for (char& each : word) each = letters[random() % letters.size()];
        const std::string whole = sound_of(word);
        INFO(word << " sounds like " << whole);
        REQUIRE(first_sound(word) == whole.front());
        const std::string beginning = word.substr(0, 2);
        REQUIRE(first_sounds(beginning).find(whole.front()) != std::string::npos);
    }
    CHECK(first_sound("") == '\0');
}
