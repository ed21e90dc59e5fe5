// Whom a typed name means, and which names are left out although they may be the same player's.
#include "query/alike_names.hpp"

#include <catch2/catch.hpp>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "ask/filter_fields.hpp"
#include "base/name_fit.hpp"
#include "base/stop_check.hpp"
#include "base/text_fold.hpp"
#include "codec/game_codes.hpp"
#include "ingest/importer.hpp"
#include "query/player_list.hpp"
#include "store/engine.hpp"
#include "store/name_index.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using Names = std::vector<std::string>;
using Games = std::map<std::string, std::uint64_t>;

struct Pairing {
    std::string white;
    std::string black;
    std::string date = "1980.01.01";
};

/// A database of short games between these players.
class Database {
  public:
    explicit Database(const std::vector<Pairing>& pairings) : store_(import(pairings)) {}

    [[nodiscard]] store::StoreReader& reader() { return *reader_; }
    void join(const Names& names) {
        const auto writer = store_->writer("names");
        for (const std::string& name : names) {
            writer->joined_names()->join_name(store::NameKind::kPlayer, name, names.front(),
                                              "test");
        }
        writer->commit();
        writer->close();
        reader_ = store_->reader();
    }

  private:
    std::shared_ptr<store::Store> import(const std::vector<Pairing>& pairings) {
        std::string text;
        for (const Pairing& each : pairings) {
            text += "[White \"" + each.white + "\"]\n[Black \"" + each.black + "\"]\n[Date \"" +
                    each.date + "\"]\n\n1. e4 e5 *\n\n";
        }
        const std::string path = directory_ / "a.db";
        ingest::import_files(path, {directory_.write("a.pgn", text)}, {});
        return store::file_store(path);
    }

    const test::TemporaryDirectory directory_;
    std::shared_ptr<store::Store> store_;
    store::Reader reader_ = store_->reader();
};

std::vector<Pairing> one_game_each(const Names& names) {
    std::vector<Pairing> out;
    for (const std::string& each : names) out.push_back({each, "Nobody, Else"});
    return out;
}

Names names_of(const std::vector<query::PlayerCount>& players) {
    Names out;
    for (const query::PlayerCount& each : players) out.push_back(each.name);
    return out;
}

query::PlayerChoice chosen(const std::vector<store::StoreReader*>& readers,
                           const std::string& typed) {
    std::vector<std::unique_ptr<store::Players>> players;
    for (store::StoreReader* const reader : readers) {
        players.push_back(reader->engine().players({}, {}));
    }
    return query::choose_players(players, typed);
}

query::GameFilter filter_of(const std::vector<std::pair<const char*, const char*>>& fields) {
    query::GameFilter filter;
    for (const auto& [name, value] : fields) ask::set_field(filter, name, value);
    return filter;
}

Games left_out(const std::vector<store::StoreReader*>& readers, const query::GameFilter& filter) {
    Games out;
    for (const query::AlikeName& each : query::alike_names(readers, filter)) {
        out[each.name] = each.games;
    }
    return out;
}

}  // namespace

TEST_CASE("A typed name means the exact name, else all that match") {
    Database database(one_game_each({"Carlsen, Magnus", "Carlsen,M", "Magnus Carlsen",
                                     "Carlsson, M", "M", "Karpov, Anatoly", "carlsen magnus",
                                     "Karlsen, Magnus", "Karlsen, Ove", "?!", "Magnusson, C"}));
    const auto choose = [&](const char* typed) { return chosen({&database.reader()}, typed); };
    CHECK(names_of(choose("Carlsen, Magnus").named) == Names{"Carlsen, Magnus"});
    CHECK(names_of(choose("Carlsen, Magnus").alike) ==
          Names{"Carlsen,M", "Carlsson, M", "Magnus Carlsen", "carlsen magnus"});
    CHECK(names_of(choose("CARLSEN MAGNUS").named) == Names{"Carlsen, Magnus", "carlsen magnus"});
    CHECK(names_of(choose("carls").named) ==
          Names{"Carlsen, Magnus", "Carlsen,M", "Carlsson, M", "Magnus Carlsen", "carlsen magnus"});
    CHECK(names_of(choose("m").named) == Names{"M"});
    CHECK(choose("m").alike.empty());
    CHECK(choose("petrosian").named.empty());
    CHECK(names_of(choose("?!").named) == Names{"?!"});
    CHECK(choose("?!").alike.empty());
}

TEST_CASE("Names that a filter leaves out are counted in the games that fit its other conditions") {
    Database database({{"Karpov, Anatoly", "Kasparov, Garry", "1985.01.01"},
                       {"Karpov,Ana", "Kasparov, Garry", "1985.02.01"},
                       {"Karpov,Ana", "Korchnoi, Viktor", "1981.01.01"},
                       {"Kasparov, G", "Karpov,An", "1990.01.01"},
                       {"Карпов, Анатолий", "Karpov,An", "1990.01.01"},
                       {"Karpov,An", "Karpov,An", "1991.01.01"},
                       {"Karpov, Ivan", "Kasparov, Garry", "1985.03.01"}});
    const auto games = [&](const std::vector<std::pair<const char*, const char*>>& fields) {
        return left_out({&database.reader()}, filter_of(fields));
    };
    CHECK(games({{"player", "karpov anatoly"}}) ==
          Games{{"Karpov,Ana", 2}, {"Karpov,An", 3}, {"Карпов, Анатолий", 1}});
    CHECK(games({{"player", "karpov anatoly"}, {"since", "1990"}}) ==
          Games{{"Karpov,An", 3}, {"Карпов, Анатолий", 1}});
    CHECK(games({{"white", "karpov anatoly"}}) ==
          Games{{"Karpov,Ana", 2}, {"Karpov,An", 1}, {"Карпов, Анатолий", 1}});
    CHECK(games({{"player", "karpov anatoly"}, {"player", "kasparov garry"}}) ==
          Games{{"Karpov,Ana", 1}});
    CHECK(games({{"player", "karpov an"}}) == Games{{"Карпов, Анатолий", 1}});
    CHECK(games({{"player", "korchnoi"}}).empty());
    CHECK(games({{"event", "karpov"}}).empty());
    query::GameFilter exact;
    exact.black_named = "karpov ana";
    CHECK(left_out({&database.reader()}, exact) == Games{{"Karpov,An", 3}});
    CHECK(query::alike_names(std::vector{&database.reader()},
                             filter_of({{"player", "karpov anatoly"}}))[0]
              .of == "Karpov, Anatoly");

    database.join({"Karpov, Anatoly", "Karpov,Ana", "Карпов, Анатолий"});
    CHECK(games({{"player", "karpov anatoly"}}) == Games{{"Karpov,An", 3}});
    database.join({"Karpov, Anatoly", "Karpov,An"});
    CHECK(games({{"player", "karpov anatoly"}}).empty());
}

TEST_CASE("A name that one database leaves out may be like one that another database has") {
    Database one({{"Karpov, Anatoly", "Kasparov, Garry"}, {"Karpov,An", "Kasparov, Garry"}});
    Database other({{"Karpov,An", "Korchnoi, Viktor"}, {"Karpov,A", "Korchnoi, Viktor"}});
    const std::vector<store::StoreReader*> both{&one.reader(), &other.reader()};
    const query::GameFilter filter = filter_of({{"player", "karpov anatoly"}});
    CHECK(left_out(both, filter) == Games{{"Karpov,An", 2}, {"Karpov,A", 1}});
    CHECK(names_of(chosen(both, "Karpov, Anatoly").alike) == Names{"Karpov,An", "Karpov,A"});
    one.join({"Karpov, Anatoly", "Karpov,An"});
    const std::vector<store::StoreReader*> joined{&one.reader(), &other.reader()};
    CHECK(left_out(joined, filter) == Games{{"Karpov,An", 1}, {"Karpov,A", 1}});
}

TEST_CASE("Conditions do not leave out what others take, and too many names leave out none") {
    Database sisters({{"Polgar, Judit", "Polgar, J"}, {"Polgar, Judith", "Polgar, J"}});
    CHECK(left_out({&sisters.reader()},
                   filter_of({{"player", "polgar, judit"}, {"player", "polgar, j"}}))
              .empty());
    Names many;
    for (const char* const first :
         {"Al", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal", "Ida", "Jo"}) {
        many.push_back(std::string("Smith, ") + first);
    }
    many.push_back("Smyth, Al");
    Database few(one_game_each(many));
    CHECK(left_out({&few.reader()}, filter_of({{"player", "smith"}})) == Games{{"Smyth, Al", 1}});
    many.push_back("Smith, Kit");
    Database more(one_game_each(many));
    CHECK(left_out({&more.reader()}, filter_of({{"player", "smith"}})).empty());
}

TEST_CASE("Names alike are those that a comparison of all names finds, if last names begin alike") {
    std::mt19937_64 random(7);
    const char* const lasts[]{"Karpov",       "Karpow",     "Kárpov",   "Karpova", "Chigorin",
                              "Tschigorin",   "Čigorin",    "Чигорин",  "Yusupov", "Jussupow",
                              "van der Berg", "Vanderberg", "Iousoupov"};
    const char* const firsts[]{"Anatoly", "Anatoli", "A", "An", "Anna", "Mikhail", "M I", ""};
    std::set<std::string> all;
    for (int i = 0; i < 150; ++i) {
        const std::string last = lasts[random() % std::size(lasts)];
        const std::string first = firsts[random() % std::size(firsts)];
        all.insert(first.empty()       ? last
                   : random() % 3 == 0 ? first + ' ' + last
                                       : last + ", " + first);
    }
    Database database(one_game_each({all.begin(), all.end()}));
    store::LocalReader& reader = *database.reader().local();
    base::StopCheck stop({});
    for (const std::string& name : all) {
        if (base::words_of(base::fold(name)).size() < 2) continue;
        CAPTURE(name);
        std::set<std::string> found;
        for (const std::uint32_t code : store::codes_like(reader, store::NameKind::kPlayer,
                                                          query::like_names({&name, 1}), stop)) {
            found.insert(*reader.name(store::NameKind::kPlayer, *codec::id_of_code(code)));
        }
        const base::PersonName person(name);
        for (const std::string& other : all) {
            const bool fits = names_fit(person, base::PersonName(other)) >= base::NameFit::kNear;
            CAPTURE(other);
            CHECK(found.contains(other) == fits);
        }
    }
}
