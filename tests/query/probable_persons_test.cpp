// Pairs of names that probably are one player, from generated games: pairs that are one are found
// with a high score, others are not or have what speaks against them.
#include "query/probable_persons.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "ingest/importer.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using query::ProbablePerson;

struct Side {
    std::string name;
    unsigned elo = 0;
    std::string fide_id = {};
};

std::string game(const Side& white, const Side& black, unsigned year) {
    std::string out = "[White \"" + white.name + "\"]\n[Black \"" + black.name + "\"]\n[Date \"" +
                      std::to_string(year) + ".05.05\"]\n";
    if (white.elo != 0) out += "[WhiteElo \"" + std::to_string(white.elo) + "\"]\n";
    if (black.elo != 0) out += "[BlackElo \"" + std::to_string(black.elo) + "\"]\n";
    if (!white.fide_id.empty()) out += "[WhiteFideId \"" + white.fide_id + "\"]\n";
    if (!black.fide_id.empty()) out += "[BlackFideId \"" + black.fide_id + "\"]\n";
    return out + "\n1. e4 *\n\n";
}

class Pairs {
  public:
    explicit Pairs(const std::string& text) {
        const test::TemporaryDirectory directory;
        ingest::import_files(directory / "a.db", {directory.write("a.pgn", text)}, {});
        pairs_ = query::probable_persons(*store::file_store(directory / "a.db")->reader());
    }
    std::optional<ProbablePerson> of(const std::string& a, const std::string& b) const {
        const auto found = std::ranges::find_if(pairs_, [&](const ProbablePerson& each) {
            return (each.name.name == a && each.canonical.name == b) ||
                   (each.name.name == b && each.canonical.name == a);
        });
        return found == pairs_.end() ? std::nullopt : std::optional(*found);
    }
    const std::vector<ProbablePerson>& all() const { return pairs_; }

  private:
    std::vector<ProbablePerson> pairs_;
};

const Side kOpponent{"Spassky, Boris", 2600};

}  // namespace

TEST_CASE("Spellings of a name are found, whichever way they differ") {
    const std::vector<std::pair<std::string, std::string>> spellings{
        {"Karpov, Anatoly", "Anatoly Karpov"},
        {"Karpov, Anatoly", "Karpov,An"},
        {"Korchnoi, Viktor", "Kortschnoj, Wiktor"},
        {"Tal, Mikhail", "Таль, Михаил"},
        {"Carlsen, Magnus", "CARLSEN MAGNUS"},
        {"Nepomniachtchi, Ian", "Nepomniachtchi, I."},
        {"Anand, Viswanathan Xy", "Anand, Viswanathan"}};
    for (const auto& [one, other] : spellings) {
        CAPTURE(one, other);
        const Pairs pairs(game({one, 2700}, kOpponent, 1990) +
                          game({other, 2710}, kOpponent, 1991) +
                          game({one, 2700}, kOpponent, 1991));
        REQUIRE(pairs.all().size() == 1);
        const auto found = pairs.of(one, other);
        REQUIRE(found);
        CHECK(found->score >= 60);
        CHECK(found->canonical.name == one);
        CHECK(found->canonical.games == 2);
        CHECK(found->canonical.first_year == 1990);
        CHECK(found->canonical.last_year == 1991);
        CHECK(found->name.rating == 2710);
        CHECK(found->common_opponents == 1);
        CHECK(found->against.empty());
    }
}

TEST_CASE("A FIDE number joins names that are not alike, and parts names that are") {
    const Pairs pairs(game({"Polgar, Zsuzsa", 2500, "700070"}, kOpponent, 1990) +
                      game({"Truong, Susan", 2500, "700070"}, kOpponent, 1991) +
                      game({"Wang, Li", 2400, "1"}, kOpponent, 1990) +
                      game({"Wang,Li", 2400, "2"}, kOpponent, 1990) +
                      game({"Nobody, A", 0, "0"}, {"Somebody, B", 0, "0"}, 1990));
    const auto same = pairs.of("Polgar, Zsuzsa", "Truong, Susan");
    REQUIRE(same);
    CHECK(same->score >= 95);
    CHECK(same->reason == "FIDE number 700070");
    const auto parted = pairs.of("Wang, Li", "Wang,Li");
    REQUIRE(parted);
    CHECK(parted->score < 40);
    CHECK(parted->against == "other FIDE numbers");
    CHECK(pairs.all().size() == 2);
}

TEST_CASE("An initial after a first name that is written out is not another first name") {
    const Pairs pairs(
        game({"Perez, Raul R"}, kOpponent, 1990) + game({"Perez, Rodney"}, kOpponent, 1991) +
        game({"Perez, R"}, kOpponent, 1991) + game({"Alexey S Suetin"}, {"SHIROV Alexei"}, 1991));
    CHECK_FALSE(pairs.of("Perez, Raul R", "Perez, Rodney"));
    CHECK_FALSE(pairs.of("Alexey S Suetin", "SHIROV Alexei"));
    CHECK(pairs.of("Perez, Raul R", "Perez, R"));
    CHECK(pairs.of("Perez, Rodney", "Perez, R"));
}

TEST_CASE("What speaks against a pair lowers its score") {
    const auto score = [](const std::string& games, const std::string& against) {
        const auto found = Pairs(games).of("Petrov, Ivan", "Petrov, I");
        if (!found) return 0U;
        CHECK(found->against == against);
        return found->score;
    };
    const std::string one = game({"Petrov, Ivan", 2300}, kOpponent, 1990);
    const std::string other = game({"Petrov, I", 2310}, kOpponent, 1990);
    const unsigned plain = score(one + other, "");
    CHECK(plain >= 60);
    const unsigned met =
        score(one + other + game({"Petrov, I", 2310}, {"Petrov, Ivan", 2300}, 1990),
              "they played each other");
    CHECK(met + 40 < plain);
    CHECK(score(one + game({"Petrov, I", 1800}, kOpponent, 1990), "ratings 500 apart in 1990") +
              30 <
          plain);
    CHECK(score(one + game({"Petrov, I", 2310}, kOpponent, 2010), "20 years between their games") +
              20 <
          plain);
    CHECK(score(one + game({"Petrov, I", 2310}, kOpponent, 1900), "90 years between their games") +
              40 <
          plain);
    CHECK(
        score(one + other + game({"Petrov, Igor", 2310}, kOpponent, 1990), "the name fits others") +
            20 <
        plain);
}

TEST_CASE("Other names are no pairs") {
    const Pairs pairs(game({"Karpov, Anatoly", 2700}, {"Karpov, Ivan", 2700}, 1990) +
                      game({"Karpova, Anna", 2700}, {"Kasparov, Garry", 2700}, 1990) +
                      game({"Kramnik, V", 2700}, {"Krasenkow, V", 2700}, 1990) +
                      game({"?", 0}, {"NN", 0}, 1990));
    CHECK(pairs.all().empty());
}
