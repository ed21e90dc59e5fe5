#include "base/name_fit.hpp"

#include <catch2/catch.hpp>
#include <iterator>
#include <random>
#include <string>

using fendex::base::NameFit;
using fendex::base::PersonName;

namespace {

NameFit fit(const std::string& a, const std::string& b) {
    INFO(a << " / " << b);
    const NameFit fit = names_fit(PersonName(a), PersonName(b));
    CHECK(names_fit(PersonName(b), PersonName(a)) == fit);
    return fit;
}

}  // namespace

TEST_CASE("names fit if they are spellings of one name") {
    CHECK(fit("Karpov, Anatoly", "karpov,anatoly") == NameFit::kSame);
    CHECK(fit("Karpov, Anatoly", "Anatoly Karpov") == NameFit::kSame);
    CHECK(fit("Müller, Karsten", "MULLER, Karsten") == NameFit::kSame);
    CHECK(fit("Chigorin, Mikhail", "Чигорин, Михаил") == NameFit::kSame);
    CHECK(fit("GM Carlsen, Magnus", "Carlsen, Magnus") == NameFit::kSame);
    for (const auto& [a, b] : {
             std::pair{"Karpov, Anatoly", "Karpov,Ana"},
             {"Karpov, Anatoly", "Karpov,An"},
             {"Karpov, Anatoly", "A. Karpov"},
             {"Karpov, Anatoly", "Karpov"},
             {"Fischer, Robert James", "Fischer, RJ"},
             {"Fischer, Robert James", "R.J. Fischer"},
             {"Kasparov, Garry", "Каспаров, Гарри"},
             {"Chigorin, Mikhail", "Tschigorin, M"},
             {"Yusupov, Artur", "Jussupow, Artur"},
             {"Korchnoi, Viktor", "Kortchnoy, Victor"},
             {"Müller, Karsten", "Mueller, Karsten"},
             {"Hou, Yifan", "Hou Yi Fan"},
             {"Kramnik, Vladimir", "Karmnik, Vladimir"},
             {"Short, Nigel", "Shotr, N"},
             {"Andersson, Ulf", "Andersuson, Ulf"},
             {"Carlsen, Magnus", "Carlsen, Sven Magnus Oeen"},
         }) {
        CHECK(fit(a, b) == NameFit::kNear);
    }
}

TEST_CASE("names of two persons do not fit") {
    for (const auto& [a, b] : {
             std::pair{"Polgar, Judit", "Polgar, Zsuzsa"},
             {"Polgar, J", "Polgar, Zsuzsa"},
             {"Ivanov, P", "Petrov, Ivan"},
             {"Garcia, Juan", "Juan, Lopez"},
             {"Karpov, Anatoly", "Kasparov, Garry"},
             {"A", "Anand, V"},
             {"Xu, Jun", "Xu, Yuhua"},
         }) {
        CHECK(fit(a, b) == NameFit::kOther);
    }
}

TEST_CASE("nobody fits nobody") {
    for (const char* const nobody : {"", "?", "N.N.", "NN", "...", "Unknown"}) {
        CHECK(fit(nobody, "Karpov, Anatoly") == NameFit::kUnknown);
        CHECK(fit(nobody, "?") == NameFit::kUnknown);
    }
}

TEST_CASE("how names fit does not depend on their order, and each fits itself") {
    const std::string words[]{"Karpov", "Karpow",   "Anatoly", "Anatol", "A",  "An",  "J.",
                              "R.J.",   "Jan",      "Juan",    "Ivan",   "Iv", "van", "der",
                              "Карпов", "Каспаров", "Yi",      "Fan",    "GM", "",    "NN"};
    std::mt19937 random(1);
    const auto name = [&] {
        std::string text;
        for (auto left = random() % 5; left-- > 0;) {
            text += words[random() % std::size(words)] + (random() % 3 == 0 ? "," : " ");
        }
        return text;
    };
    for (int i = 0; i < 20'000; ++i) {
        const PersonName a(name());
        const PersonName b(name());
        if (names_fit(a, b) != names_fit(b, a)) FAIL("pair " << i);
        if (names_fit(a, a) != (a.is_unknown() ? NameFit::kUnknown : NameFit::kSame)) FAIL(i);
    }
}
