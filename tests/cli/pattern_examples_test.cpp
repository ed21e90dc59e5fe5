// The examples of the page's view of patterns: what they find is what they are called. The
// structures are checked here by other code, on the position of each hit.
#include <array>
#include <fstream>
#include <functional>
#include <map>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;

/// The men of a position by file and rank: at('d', 4).
class Men {
  public:
    explicit Men(const std::string& fen) {
        std::size_t rank = 8;
        char file = 'a';
        for (const char c : fen.substr(0, fen.find(' '))) {
            if (c == '/') {
                --rank;
                file = 'a';
            } else if (c >= '1' && c <= '8') {
                file = static_cast<char>(file + (c - '0'));
            } else {
                men_[square(file++, rank)] = c;
            }
        }
    }
    char at(char file, std::size_t rank) const { return men_[square(file, rank)]; }
    bool all(const std::vector<const char*>& squares, char man) const {
        for (const char* each : squares) {
            if (at(each[0], static_cast<std::size_t>(each[1] - '0')) != man) return false;
        }
        return true;
    }
    bool none_on(char file, char man) const {
        for (std::size_t rank = 1; rank <= 8; ++rank) {
            if (at(file, rank) == man) return false;
        }
        return true;
    }
    /// Returns whether some square of this colour, 0 or 1, has the man.
    bool any_on_colour(std::size_t colour, char man) const {
        for (std::size_t i = 0; i < men_.size(); ++i) {
            if (men_[i] == man && (i / 8 + i % 8) % 2 == colour) return true;
        }
        return false;
    }
    std::string count() const {
        std::string out;
        for (const char man : std::string("KQRBNPkqrbnp")) {
            const auto n = std::count(men_.begin(), men_.end(), man);
            if (n != 0) out += man + std::to_string(n);
        }
        return out;
    }

  private:
    static std::size_t square(char file, std::size_t rank) {
        return 8 * (rank - 1) + static_cast<std::size_t>(file - 'a');
    }
    std::array<char, 64> men_{};
};

using Fits = std::function<bool(const Men&)>;

const std::map<std::string, Fits> kStructures{
    {"exampleIqp",
     [](const Men& men) {
         return men.all({"d4"}, 'P') && men.none_on('c', 'P') && men.none_on('e', 'P');
     }},
    {"exampleCarlsbad",
     [](const Men& men) {
         return men.all({"a2", "b2", "d4", "e3", "f2", "g2", "h2"}, 'P') && men.none_on('c', 'P') &&
                men.all({"a7", "b7", "c6", "d5", "f7", "g7", "h7"}, 'p') && men.none_on('e', 'p');
     }},
    {"exampleHedgehog",
     [](const Men& men) {
         return men.all({"c4", "e4"}, 'P') && men.none_on('d', 'P') &&
                men.all({"a6", "b6", "d6", "e6"}, 'p') && men.none_on('c', 'p');
     }},
    {"exampleMaroczy",
     [](const Men& men) {
         return men.all({"c4", "e4"}, 'P') && men.none_on('d', 'P') && men.all({"d6"}, 'p') &&
                men.none_on('c', 'p');
     }},
    {"exampleGreek",
     [](const Men& men) {
         return men.all({"h7"}, 'B') && men.all({"f3"}, 'N') && men.all({"e5"}, 'P') &&
                men.all({"g8"}, 'k') && men.all({"f8"}, 'r');
     }},
    {"exampleRook",
     [](const Men& men) { return men.count() == "K1R1P1k1r1" || men.count() == "K1R1k1r1p1"; }},
    {"exampleQueens",
     [](const Men& men) {
         return men.count().find("Q2") != std::string::npos &&
                men.count().find("q1") != std::string::npos;
     }},
    {"oppositeBishops",
     [](const Men& men) {
         const std::string count = men.count();
         return count.find_first_of("QRNqrn") == std::string::npos &&
                count.find("B1") != std::string::npos && count.find("b1") != std::string::npos &&
                men.any_on_colour(0, 'B') != men.any_on_colour(0, 'b');
     }},
    {"exampleBishops", [](const Men& men) { return men.count() == "K1B1N1k1"; }},
    {"exampleExchange",
     [](const Men& men) {
         return men.all({"b2"}, 'P') && std::string("NBRQ").find(men.at('c', 3)) < 4 &&
                men.count().find('r') != std::string::npos;
     }},
};

/// The options of find for an example.
Words words_of(const Json& example) {
    Words words;
    for (const auto& [name, value] : example.items()) {
        if (name == "name" || name == "board") continue;
        for (const Json& each : value.is_array() ? value : Json{value}) {
            words.push_back("--" + name);
            if (each.is_string()) words.push_back(each);
        }
    }
    return words;
}

}  // namespace

TEST_CASE("The examples of patterns on the manual's page find what their names say") {
    std::ifstream file(FENDEX_PAGE_SOURCES "/views/pattern-examples.json");
    const Json examples = Json::parse(file);
    CHECK(examples.size() == kStructures.size());
    const TemporaryFile db("my.db");
    const std::string mate = "[FEN \"7k/8/5K2/5BN1/8/8/8/8 w - - 0 1\"]\n\n1. Be4 *\n\n";
    REQUIRE(run({"import", db, "-"}, mate).status == 0);
    REQUIRE(run({"import", db, FENDEX_TEST_DATA "/corpus", "--quiet"}).status != 1);
    for (const Json& example : examples) {
        const std::string name = example["name"];
        CAPTURE(name);
        Words words{"find", db, "--format", "json", "--limit", "40"};
        const Words of_example = words_of(example);
        words.insert(words.end(), of_example.begin(), of_example.end());
        const auto hits = json_lines(run(words).out);
        CHECK_FALSE(hits.empty());
        for (const Json& hit : hits) {
            const auto plies = json_lines(
                run({"show", db, hit["game_id"].dump(), "--plies", "--format", "json"}).out);
            for (const std::size_t ply : hit["plies"].get<std::vector<std::size_t>>()) {
                const std::string fen = plies.at(ply)["fen"];
                CAPTURE(fen);
                CHECK(kStructures.at(name)(Men(fen)));
            }
        }
    }
}
