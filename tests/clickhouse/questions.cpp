#include "clickhouse/questions.hpp"

#include <string>

namespace fendex::test {

namespace {

const std::string kStartFen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const std::string kMateFen = "r1bk3r/p2pBpNp/n4n2/1p1NP2P/6P1/3P4/P1P1K3/q5b1 b - - 1 23";
const std::string kNever = "8/8/8/8/8/4k3/8/4K2N w - - 0 1";
const std::string kFens = std::string(FENDEX_SAMPLES) + "/positions.fen";

using Words = std::vector<std::string>;

class QuestionList {
  public:
    /// `words` has "@" for the database.
    void add(const Words& words) { questions_.push_back(words); }
    /// Adds the question with each of the endings.
    void add(const Words& words, const std::vector<Words>& endings) {
        for (const Words& ending : endings) {
            Words& question = questions_.emplace_back(words);
            question.insert(question.end(), ending.begin(), ending.end());
        }
    }
    std::vector<Words> take() { return std::move(questions_); }

  private:
    std::vector<Words> questions_;
};

/// Each filter, and some together.
const std::vector<Words> kFilters = {
    {"--white", "kasp"},
    {"--black", "anderssen"},
    {"--player", "morphy"},
    {"--player", "carlsen", "--player", "a"},
    {"--event", "wor ch"},
    {"--site", "london"},
    {"--eco", "C"},
    {"--eco", "B20-C99"},
    {"--opening", "sicilian"},
    {"--opening", "king's gambit"},
    {"--opening-eco", "C30-C60"},
    {"--result", "1-0"},
    {"--result", "draw"},
    {"--since", "1900"},
    {"--until", "1900-05-01"},
    {"--since", "1990", "--until", "2010"},
    {"--min-elo", "2500"},
    {"--max-elo", "2600"},
    {"--white-elo", "2600-2800"},
    {"--black-elo", "2700-"},
    {"--time-control", "blitz"},
    {"--mode", "rated"},
    {"--variant", "chess960"},
    {"--variant", "standard"},
    {"--termination", "time"},
    {"--min-plies", "100"},
    {"--max-plies", "40"},
    {"--tag", "Round=1"},
    {"--tag", "Nothing=1"},
    {"--source", "classics.pgn"},
    {"--source", "1"},
    {"--white", "no such player"},
    {"--result", "1-0", "--min-plies", "30", "--since", "1850"},
    {"--player", "a", "--result", "white", "--max-plies", "80"},
};

}  // namespace

std::vector<Words> questions_to_all_stores() {
    QuestionList list;
    list.add({"games", "@"}, {{},
                              {"--format", "json"},
                              {"--format", "csv", "--limit", "1000"},
                              {"--format", "pgn"},
                              {"--limit", "3", "--offset", "2"},
                              {"--sort", "date", "--format", "json", "--limit", "30"},
                              {"--sort", "elo", "--format", "csv"},
                              {"--sort", "plies", "--limit", "15", "--offset", "4"},
                              {"--format", "json", "--offset", "100000"}});
    // Each filter selects games, and does so in one of the other questions.
    const std::vector<Words> filtered = {
        {"tree", "@", "--format", "json"},
        {"find", "@", "--moves", "1.e4", "--format", "json", "--limit", "30"},
        {"repeats", "@", "--format", "json"},
        {"repeats", "@", "--summary", "--format", "json"},
        {"players", "@", "--format", "csv", "--limit", "60"},
        {"openings", "@", "--format", "json"},
        {"find", "@", "--moves", "1.e4", "--count"}};
    for (std::size_t i = 0; i < kFilters.size(); ++i) {
        list.add({"games", "@", "--format", "json"}, {kFilters[i]});
        list.add(filtered[i % filtered.size()], {kFilters[i]});
    }
    for (const std::string& fen : {kStartFen, kMateFen, kNever}) {
        list.add({"find", "@", fen}, {{},
                                      {"--format", "json"},
                                      {"--format", "csv"},
                                      {"--format", "pgn", "--limit", "3"},
                                      {"--count"},
                                      {"--count", "--format", "json"},
                                      {"--count", "--verify"},
                                      {"--limit", "5", "--offset", "1"},
                                      {"--sort", "date", "--format", "json", "--limit", "10"},
                                      {"--sort", "elo", "--format", "json"},
                                      {"--sort", "plies", "--limit", "7", "--offset", "3"},
                                      {"--match", "board", "--format", "json"},
                                      {"--match", "mirrored", "--format", "json"},
                                      {"--variations", "--format", "json"},
                                      {"--variations", "--count"}});
        list.add({"tree", "@", fen}, {{},
                                      {"--format", "json"},
                                      {"--format", "csv"},
                                      {"--depth", "2", "--format", "json"},
                                      {"--depth", "3", "--min-games", "2"},
                                      {"--no-transpositions"},
                                      {"--match", "mirrored", "--format", "json"},
                                      {"--match", "board"}});
        list.add({"repeats", "@", "--fen", fen, "--min", "2", "--format", "json"});
    }
    list.add({"find", "@"}, {{"--moves", "1.e4 e5 2.Nf3", "--format", "json"},
                             {"--moves", "1.d4 Nf6", "--count"},
                             {"--fens", kFens, "--format", "json"},
                             {"--fens", kFens, "--count"},
                             {"--key", "463b96181691fc9c", "--format", "json", "--limit", "50"},
                             {"--key", "0000000000000001"},
                             {"--variant", "atomic", "--moves", "1.Nf3", "--format", "json"},
                             {"--variant", "crazyhouse", "--moves", "1.e4", "--format", "json"}});
    list.add({"find", "@"},
             {{"--material", "KRPvKR", "--format", "json"},
              {"--material", "KRPvKRP", "--count"},
              {"--material", "P=1 R=1 Q=0 B=0 N=0 p=1 r=1 q=0 b=0 n=0", "--format", "json"},
              {"--material", "Q=2-", "--limit", "3", "--offset", "1", "--format", "json"},
              {"--pattern", "*/*/*/*/????P?*/*/*/*", "--format", "json", "--limit", "20"},
              {"--pattern", "*/*/*/*/????P?*/*/*/*", "--count", "--result", "1-0"},
              {"--pattern", "*/????P?*/*/*/*/*/*/*", "--format", "json"},
              {"--pattern", "*/*/*/*/*/*/*/*", "--variant", "horde", "--count"},
              {"--pattern", "*/*/*/??pp?*/??PP?*/*/*/*", "--material", "n=1", "--format", "json"}});
    list.add({"tree", "@"}, {{"--moves", "1.e4 c5", "--format", "json"},
                             {"--fens", kFens, "--format", "json"},
                             {"--variant", "antichess", "--format", "json"},
                             {"--variant", "racingkings"},
                             {"--variant", "horde", "--depth", "2"},
                             {"--depth", "4", "--min-games", "3", "--format", "csv"}});
    list.add({"repeats", "@"}, {{},
                                {"--format", "json"},
                                {"--format", "csv", "--min", "2"},
                                {"--min", "4"},
                                {"--game", "3", "--min", "2"},
                                {"--missed"},
                                {"--missed", "--format", "json"},
                                {"--claims", "--format", "json"},
                                {"--perpetual", "--min", "2"},
                                {"--fivefold"},
                                {"--rule50", "--format", "json"},
                                {"--rule50", "--claims", "--format", "json"},
                                {"--rule50", "--missed"},
                                {"--rule75", "--format", "json"},
                                {"--summary"},
                                {"--summary", "--min", "2", "--format", "json"},
                                {"--sort", "date", "--limit", "10"},
                                {"--sort", "elo", "--format", "json", "--offset", "2"},
                                {"--dialect", "xfen", "--format", "json", "--limit", "5"}});
    list.add({"show", "@"}, {{"1"},
                             {"1-6,9,3"},
                             {"2", "--format", "json"},
                             {"1-20", "--format", "json"},
                             {"3", "--plies"},
                             {"3", "--plies", "--format", "csv"},
                             {"4", "--board", "--ply", "7"},
                             {"5", "--language", "de"},
                             {"1-5", "--plies", "--format", "csv"},
                             {"100000"}});
    list.add({"export", "@"},
             {{},
              {"--format", "json"},
              {"--format", "csv", "--sort", "elo", "--limit", "100"},
              {"--format", "json", "--rows", "plies", "--limit", "4"},
              {"--format", "csv", "--rows", "plies", "--limit", "80", "--columns",
               "game_id,ply,white,clock,eval,date,time_class,result,occurrence,termination"},
              {"--format", "json", "--rows", "positions", "--min-games", "3"},
              {"--format", "epd", "--min-games", "4"},
              {"--format", "fen", "--max-ply", "8"},
              {"--format", "pgn", "--sort", "date"},
              {"--format", "pgn", "--moves", "1.e4 e5 2.Nf3"},
              {"--format", "pgn", "--player", "a", "--since", "1970", "--language", "fr"},
              {"--format", "json", "--sample", "20"},
              {"--format", "json", "--rows", "plies", "--sample", "30"}});
    list.add({"info", "@", "--sources", "--format", "json"});
    list.add({"players", "@"}, {{},
                                {"--format", "json"},
                                {"--format", "csv", "--limit", "1000"},
                                {"--limit", "4", "--offset", "3"},
                                {"--format", "json", "--offset", "100000"},
                                {"Carlsen, Magnus"},
                                {"Carlsen, Magnus", "--format", "json"},
                                {"carlsen", "--together", "--format", "json"},
                                {"a", "--format", "json"},
                                {"a", "--together", "--format", "json"},
                                {"?", "--format", "json"},
                                {"morphy", "--together", "--since", "1858", "--format", "json"},
                                {"carlsen", "--against", "anand", "--together", "--format", "json"},
                                {"no such player"}});
    list.add({"openings", "@"}, {{},
                                 {"--format", "json", "--limit", "1000"},
                                 {"--format", "csv", "--sort", "eco"},
                                 {"--limit", "5", "--offset", "2"}});
    for (const char* const color : {"white", "black"}) {
        list.add({"prepare", "@"}, {{"carlsen", "--together", "--color", color},
                                    {"a", "--together", "--color", color, "--format", "json"},
                                    {"morphy", "--color", color, "--format", "json"},
                                    {"no such player", "--color", color}});
    }
    const std::string samples = FENDEX_SAMPLES;
    list.add({"novelty", "@"}, {{samples + "/fischer-random.pgn", "--format", "json"},
                                {samples + "/curiosities.pgn", "--result", "1-0"},
                                {samples + "/repetitions.pgn", "--annotate"}});
    return list.take();
}

}  // namespace fendex::test
