// Rows of plies compared with a plain replay of the games: every column, both formats, chosen
// plies, and rows left out because their position is known.
#include "emit/ply_rows.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "base/hex.hpp"
#include "chess/movegen.hpp"
#include "chess/variant_names.hpp"
#include "codec/comment_commands.hpp"
#include "codec/swing.hpp"
#include "emit/emit_fixtures.hpp"
#include "emit/position_records.hpp"
#include "pgn/inputs.hpp"
#include "query/annotated_plies.hpp"
#include "replay/opening_names.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using Json = nlohmann::ordered_json;
using Catch::Matchers::Contains;
using test::Imported;
using test::job_of;
using test::TextSink;

const char* const kOddGames =
    "[White \"O'Brien, \\\"Pat\\\"\"]\n[Black \"=1+1\"]\n[Event \"a, b\"]\n[Result \"1-0\"]\n"
    "[WhiteElo \"2100\"]\n[TimeControl \"180+2\"]\n[Termination \"Time forfeit\"]\n"
    "[Date \"2020.??.??\"]\n\n"
    "{[%clk 0:03:00]} 1. e4 {[%eval 0.17] [%clk 0:02:59.5]} d5 {[%eval #-3]} 2. exd5 {[%emt "
    "0:00:05] x}"
    " Qxd5 3. Nc3 {no number} Qa5+ {[%eval +0.25,31]} 1-0\n\n"
    "[Variant \"Crazyhouse\"]\n[Result \"*\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 Qxd2+ *\n\n"
    "[Variant \"Three-check\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Bxf7+ Kxf7 0-1\n\n"
    "[Variant \"Xiangqi\"]\n[Result \"*\"]\n\n1. h2e2 *\n\n"
    "[Result \"1/2-1/2\"]\n\n1. e4 -- 2. d4 1/2-1/2\n\n";

/// What a record says of a position; every third has one. Numbers are made from the key.
std::optional<codec::Evaluation> evaluation_of(const chess::AnyPosition& position) {
    const std::uint64_t seed = position.key() * 0x9E3779B97F4A7C15U >> 20;
    if (seed % 3 != 0) return std::nullopt;
    codec::Evaluation out{static_cast<std::uint32_t>(seed / 3 % 40), 0, {}};
    const auto value = static_cast<std::int32_t>(seed / 256 % 3001) - 1500;
    const bool is_mate = seed / 128 % 5 == 0;
    codec::Variation pv{{is_mate, is_mate && value == 0 ? 1 : value}, {}};
    position.visit([&](const auto& board) {
        const auto legal = chess::legal_moves(board);
        const std::vector<chess::Move> moves(legal.begin(), legal.end());
        if (!moves.empty() && seed / 64 % 4 != 0) pv.moves.push_back(moves[seed % moves.size()]);
    });
    out.pvs.push_back(pv);
    return out;
}

/// Imports these records of all positions of a database.
void import_records(Imported& imported, const std::string& file) {
    std::string lines;
    const auto reader = store::file_store(imported.path())->reader();
    for (store::GameId id = 1; id <= reader->last_game(); ++id) {
        store::StoredGame game;
        REQUIRE(reader->game(id, game));
        replay::for_each_position(id, game.moves, [&](const auto& walk) {
            const chess::AnyPosition position(walk.position());
            const auto evaluation = evaluation_of(position);
            if (evaluation) emit::append_json_line(position, {{*evaluation}, {}}, lines);
        });
    }
    const test::TemporaryDirectory directory;
    imported.again({directory.write(file, lines)});
}

/// All samples (two in a quick run and in a sanitizer build) and some odd games, with annotations,
/// and with records of their positions.
struct Evaluated {
    Evaluated() {
        const test::TemporaryDirectory directory;
        std::vector<std::string> inputs;
        std::size_t round = 0;
        for (const std::string& each : pgn::expand_inputs({FENDEX_SAMPLES})) {
            const std::size_t number = round++;
            if (test::left_out(number, 4) || test::left_to_full_size(number, 4)) continue;
            inputs.push_back(each);
        }
        inputs.push_back(directory.write("odd.pgn", kOddGames));
        imported.again(inputs, {.ply_rows = ingest::PlyRowChoice::kNo, .annotations = true});
        import_records(imported, "records.jsonl");
    }
    Imported imported;
};

const Imported& games() {
    static const Evaluated evaluated;
    return evaluated.imported;
}

std::string exported(const emit::ExportJob& job, const emit::PlyRowChoice& choice) {
    TextSink sink;
    const std::uint64_t rows = emit::export_ply_rows(job, choice, sink);
    const bool header = choice.format == emit::RowFormat::kCsv && job.header;
    CHECK(test::lines_of(sink.text).size() == rows + (header ? 1 : 0));
    return sink.text;
}

emit::PlyRowChoice all_columns(emit::RowFormat format) {
    return {.columns = emit::ply_columns_of([] {
                std::string names = emit::ply_column_names();
                std::erase(names, ' ');
                return names;
            }()),
            .format = format};
}

template <typename Value>
Json json_of(const std::optional<Value>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// What the rules say of a game and its plies, without the writer's short cuts.
class PlainRows {
  public:
    PlainRows(store::StoreReader& reader, store::GameId id) : reader_(reader), id_(id) {
        REQUIRE(reader_.game(id_, game_));
        std::string stream;
        if (reader_.annotation(id_, stream)) {
            for (auto& each : query::annotated_plies(id_, stream)) comments_[each.ply] = each;
        }
    }

    std::vector<Json> rows() {
        std::vector<Json> out;
        replay::with_walk(id_, game_.moves, [&](auto& walk) {
            const chess::Variant variant = game_.moves.facts.variant;
            Json san;
            Json uci;
            Json opening;
            Json opening_eco;
            std::map<std::uint64_t, int> occurrences;
            while (true) {
                const auto& position = walk.position();
                if (const auto named = replay::opening_of(position.key())) {
                    opening = std::string(named->name);
                    opening_eco = std::string(named->eco);
                }
                Json next_san;
                Json next_uci;
                if (!walk.at_end()) {
                    next_san = chess::to_san(position, walk.next_move());
                    next_uci = chess::to_uci(position, walk.next_move(), variant);
                }
                Json row;
                row["game_id"] = id_;
                row["ply"] = walk.ply();
                row["san"] = san;
                row["uci"] = uci;
                row["next_san"] = next_san;
                row["next_uci"] = next_uci;
                row["key"] = base::hex_key(position.key());
                row["fen"] = chess::to_fen(position);
                row["epd"] = chess::to_epd(position);
                row["occurrence"] = ++occurrences[position.key()];
                add_material(chess::to_fen(position), row);
                row["opening"] = opening;
                row["opening_eco"] = opening_eco;
                const chess::Color mover = ~position.side_to_move();
                add_comment(walk.ply(), row);
                add_evaluation(walk.ply(), chess::AnyPosition(position), mover, row);
                add_game(row);
                out.push_back(row);
                if (walk.at_end()) break;
                san = next_san;
                uci = next_uci;
                walk.advance();
            }
        });
        return out;
    }

  private:
    /// Counts the letters of the FEN.
    static void add_material(const std::string& fen, Json& row) {
        std::string placement = fen.substr(0, fen.find(' '));
        int slashes = 0;
        for (std::size_t i = 0; i < placement.size(); ++i) {
            if (placement[i] == '/' && ++slashes == 8) placement.resize(i);  // the pockets
        }
        const auto number = [&](char letter) {
            return std::count(placement.begin(), placement.end(), letter);
        };
        std::string white;
        std::string black;
        std::int64_t balance = 0;
        for (const auto& [letter, pawns] :
             {std::pair{'K', 0}, {'Q', 9}, {'R', 5}, {'B', 3}, {'N', 3}, {'P', 1}}) {
            const char small = static_cast<char>(letter + 32);
            white.append(static_cast<std::size_t>(number(letter)), letter);
            black.append(static_cast<std::size_t>(number(small)), letter);
            balance += pawns * (number(letter) - number(small));
        }
        row["material"] = white + "v" + black;
        row["balance"] = balance;
    }

    std::string comment(std::uint32_t ply) const {
        const auto found = comments_.find(ply);
        return found == comments_.end() ? "" : found->second.comment.value_or("");
    }

    void add_comment(std::uint32_t ply, Json& row) const {
        const std::string text = comment(ply);
        row["clock"] = json_of(codec::clock_seconds(text));
        row["emt"] = json_of(codec::elapsed_seconds(text));
    }

    /// Whether the game's own evaluations say what a move lost.
    bool has_own_loss() const {
        for (std::uint32_t ply = 0; ply < game_.moves.facts.plies; ++ply) {
            if (codec::eval_score(comment(ply)) && codec::eval_score(comment(ply + 1))) return true;
        }
        return false;
    }

    void add_evaluation(std::uint32_t ply, const chess::AnyPosition& position, chess::Color mover,
                        Json& row) {
        const std::string text = comment(ply);
        const auto own = codec::eval_score(text);
        const auto record = evaluation_of(position);
        std::optional<codec::Score> score = own;
        if (!own && record) score = record->pvs[0].score;
        for (const char* const name : {"eval", "mate", "depth", "swing", "best"})
            row[name] = nullptr;
        if (score) {
            if (score->is_mate) {
                row["mate"] = score->value;
            } else {
                row["eval"] = own ? *codec::eval_pawns(text) : score->value / 100.0;
            }
            if (own) {
                row["depth"] = json_of(codec::eval_depth(text));
            } else if (record->depth != 0) {
                row["depth"] = record->depth;
            }
        }
        const bool is_own = has_own_loss();
        std::optional<codec::Score> after = own;
        if (!is_own) after = record ? std::optional(record->pvs[0].score) : std::nullopt;
        if (ply > 0) {
            row["swing"] = json_of(codec::move_loss(score_before_, after, mover));
            row["best"] = best_before_;
        }
        score_before_ = after;
        best_before_ = nullptr;
        if (record && !record->pvs[0].moves.empty()) {
            best_before_ = chess::to_san(position, record->pvs[0].moves[0]);
        }
    }

    Json tag(const std::string& name) const {
        for (const auto& [each, value] : game_.tags) {
            if (each == name) return value;
        }
        return nullptr;
    }

    void add_game(Json& row) {
        store::GameHeader header;
        REQUIRE(reader_.header(id_, header));
        row["white"] = json_of(header.white);
        row["black"] = json_of(header.black);
        row["result"] = codec::result_text(header.result);
        row["date"] = json_of(header.date);
        row["event"] = json_of(header.event);
        row["site"] = json_of(header.site);
        row["round"] = json_of(header.round);
        row["white_elo"] = json_of(header.white_elo);
        row["black_elo"] = json_of(header.black_elo);
        row["eco"] = json_of(header.eco);
        row["plies"] = header.plies;
        const codec::GameFacts facts = reader_.facts(id_);
        const char* const classes[] = {nullptr,     "bullet",         "blitz",      "rapid",
                                       "classical", "correspondence", "ultrabullet"};
        const char* const modes[] = {nullptr, "rated", "casual"};
        const auto name = [](const char* text) { return text ? Json(text) : Json(nullptr); };
        row["time_class"] = name(classes[static_cast<int>(facts.time_class)]);
        row["mode"] = name(modes[static_cast<int>(facts.mode)]);
        row["variant"] = chess::name_of(header.variant);
        row["time_control"] = tag("TimeControl");
        row["termination"] = tag("Termination");
    }

    store::StoreReader& reader_;
    store::GameId id_;
    store::StoredGame game_;
    std::map<std::uint32_t, query::AnnotatedPly> comments_;
    std::optional<codec::Score> score_before_;
    Json best_before_;
};

/// Reads CSV as RFC 4180 describes it: the fields of each record.
std::vector<std::vector<std::string>> csv_records(const std::string& text) {
    std::vector<std::vector<std::string>> records(1);
    std::string field;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c != '"') {
                field += c;
            } else if (i + 1 < text.size() && text[i + 1] == '"') {
                field += text[++i];
            } else {
                quoted = false;
            }
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',' || c == '\r') {
            records.back().push_back(std::exchange(field, ""));
        } else if (c == '\n') {
            records.emplace_back();
        } else {
            field += c;
        }
    }
    records.pop_back();
    return records;
}

std::vector<Json> json_rows(const std::string& text) {
    std::vector<Json> rows;
    for (const std::string& line : test::lines_of(text)) rows.push_back(Json::parse(line));
    return rows;
}

}  // namespace

TEST_CASE("Rows of plies have the values of a plain replay of the games, in every column",
          "[full]") {
    const auto reader = store::file_store(games().path())->reader();
    const std::vector<Json> rows =
        json_rows(exported(job_of(games()), all_columns(emit::RowFormat::kJson)));
    std::size_t next = 0;
    std::map<std::string, int> known;  // rows that have a value, for each column
    for (store::GameId id = 1; id <= reader->last_game(); ++id) {
        for (const Json& expected : PlainRows(*reader, id).rows()) {
            REQUIRE(next < rows.size());
            const Json& row = rows[next++];
            // Also in the order of the columns.
            if (row != expected) FAIL("expected " << expected << "\nexported " << row);
            for (const auto& [name, value] : row.items()) known[name] += value.is_null() ? 0 : 1;
        }
    }
    CHECK(next == rows.size());
    for (const auto& [name, times] : known) {
        CAPTURE(name, times);
        CHECK(times > 0);
    }
    CHECK(known["clock"] > 100);
    CHECK(known["swing"] > 100);
    CHECK(known["best"] > 100);
    CHECK(known["opening"] > test::at_size(1250, test::fewer(5000, 4)));
}

TEST_CASE("Rows of plies as CSV have the values of the JSON lines", "[full]") {
    const auto json = json_rows(exported(job_of(games()), all_columns(emit::RowFormat::kJson)));
    const std::string text = exported(job_of(games()), all_columns(emit::RowFormat::kCsv));
    const auto csv = csv_records(text);
    REQUIRE(csv.size() == json.size() + 1);
    int formulas = 0;
    for (std::size_t i = 0; i < json.size(); ++i) {
        REQUIRE(csv[i + 1].size() == json[i].size());
        std::size_t column = 0;
        for (const auto& [name, value] : json[i].items()) {
            std::string expected = value.is_null()     ? ""
                                   : value.is_string() ? value.get<std::string>()
                                                       : value.dump();
            REQUIRE(csv[0][column] == name);
            const std::string& field = csv[i + 1][column++];
            // Spreadsheets would take it for a formula.
            if (value.is_string() && expected[0] == '=') {
                expected.insert(0, 1, '\'');
                ++formulas;
            }
            if (name == "eval" || name == "clock" || name == "emt") {
                REQUIRE(field.empty() == expected.empty());
                if (!field.empty()) REQUIRE(std::stod(field) == std::stod(expected));
            } else if (field != expected) {
                FAIL(name << ": " << field << " is not " << expected);
            }
        }
    }
    CHECK(formulas == 7);  // a name in each row of a game
    CHECK_THAT(text, Contains(",\"O'Brien, \"\"Pat\"\"\",'=1+1,"));
}

TEST_CASE("Columns of plies are chosen and ordered by name") {
    emit::ExportJob job = job_of(games());
    job.games = job.games.page(0, 1);
    emit::PlyRowChoice choice{.columns = emit::ply_columns_of("result,ply,game_id,next_uci")};
    CHECK_THAT(exported(job, choice),
               Catch::Matchers::StartsWith("result,ply,game_id,next_uci\r\n1-0,0,1,e2e4\r\n"));
    choice.format = emit::RowFormat::kJson;
    CHECK_THAT(exported(job, choice),
               Catch::Matchers::StartsWith(
                   "{\"result\":\"1-0\",\"ply\":0,\"game_id\":1,\"next_uci\":\"e2e4\"}\n"));
    choice.columns = emit::ply_columns_of("result");
    CHECK(json_rows(exported(job, choice)).back() == Json{{"result", "1-0"}});
    for (const std::string wrong : {"", "fen,", "fen,FEN", "fen, ply", "moves"}) {
        CAPTURE(wrong);
        CHECK_THROWS_WITH(emit::ply_columns_of(wrong), Contains("there is no column") &&
                                                           Contains("game_id, ply, san, uci") &&
                                                           Contains("time_control, termination"));
    }
    CHECK_THROWS_WITH(emit::ply_columns_of("fen,ply,fen"), "column 'fen' is named twice");
}

TEST_CASE("For a sample of plies only their rows are written, with any number of threads",
          "[full]") {
    for (const auto format : {emit::RowFormat::kJson, emit::RowFormat::kCsv}) {
        emit::PlyRowChoice choice = all_columns(format);
        emit::ExportJob job = job_of(games());
        job.header = false;
        const std::vector<std::string> all = test::lines_of(exported(job, choice));
        choice.columns = emit::ply_columns_of("game_id,ply");
        choice.format = emit::RowFormat::kJson;
        const std::vector<Json> places = json_rows(exported(job, choice));
        choice = all_columns(format);
        REQUIRE(places.size() == all.size());
        test::Random random(5);
        for (const unsigned one_of : {1U, 2U, 3U, 100U, 5000U}) {
            std::vector<emit::SampledPlies::Place> chosen;
            std::vector<std::string> expected;
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (random() % one_of != 0) continue;
                chosen.push_back({places[i]["game_id"], places[i]["ply"]});
                expected.push_back(all[i]);
            }
            std::reverse(chosen.begin(), chosen.end());
            const emit::SampledPlies sample(chosen);
            CHECK(sample.size() == expected.size());
            choice.sample = &sample;
            for (const unsigned threads : {1U, 2U, 3U}) {
                job.threads = threads;
                CHECK((test::lines_of(exported(job, choice)) == expected));
            }
        }
    }
}

TEST_CASE("Rows with the position of a marked row are left out, and only these", "[full]") {
    emit::ExportJob training = job_of(games());
    emit::ExportJob test_part = training;
    std::vector<store::GameId> ids[2];
    for (std::uint64_t i = 0; i < training.games.size(); ++i) ids[i % 3 == 0].push_back(i + 1);
    training.games = emit::GameList(ids[0]);
    test_part.games = emit::GameList(ids[1]);
    emit::PlyRowChoice choice = all_columns(emit::RowFormat::kJson);
    // Of all plies, and of every seventh.
    std::vector<emit::SampledPlies::Place> seventh;
    int n = 0;
    for (const Json& row : json_rows(exported(job_of(games()), choice))) {
        if (++n % 7 == 0) seventh.push_back({row["game_id"], row["ply"]});
    }
    const emit::SampledPlies sample(seventh);
    for (const emit::SampledPlies* const only :
         {static_cast<const emit::SampledPlies*>(nullptr), &sample}) {
        choice = all_columns(emit::RowFormat::kJson);
        choice.sample = only;
        std::set<std::string> known;
        for (const Json& row : json_rows(exported(training, choice))) known.insert(row["key"]);
        std::vector<std::string> expected;
        std::set<std::uint64_t> keys;
        std::size_t dropped = 0;
        for (const std::string& line : test::lines_of(exported(test_part, choice))) {
            const std::string key = Json::parse(line)["key"];
            keys.insert(*base::key_of_hex(key));
            if (known.contains(key)) {
                ++dropped;
            } else {
                expected.push_back(line);
            }
        }
        CHECK(dropped > test::at_size(2U, test::fewer(5U, 4)));
        for (const unsigned threads : {1U, 2U, 3U}) {
            training.threads = threads;
            test_part.threads = threads;
            const auto in_test = emit::keys_of_ply_rows(test_part, only, 1U << 26);
            CHECK((in_test == std::vector(keys.begin(), keys.end())));
            const emit::KeyMarks marks(in_test);
            choice.mark = &marks;
            choice.drop = nullptr;
            exported(training, choice);
            std::swap(choice.mark, choice.drop);
            CHECK((test::lines_of(exported(test_part, choice)) == expected));
        }
    }
    CHECK_THROWS_WITH(emit::keys_of_ply_rows(test_part, nullptr, 1024), Contains("--memory"));
}

TEST_CASE("Only keys of marked rows are marked, however the keys are distributed") {
    test::Random random(9);
    for (const std::size_t size : {0U, 1U, 2U, 5U, 1000U, 5000U}) {
        std::set<std::uint64_t> keys;
        while (keys.size() < size) {
            keys.insert(random() % 3 == 0 ? random() % 10'000 : random());
        }
        if (size > 2) keys.insert({0, ~std::uint64_t{0}});
        const emit::KeyMarks marks({keys.begin(), keys.end()});
        std::set<std::uint64_t> marked;
        for (const std::uint64_t key : keys) {
            if (random() % 2 != 0) continue;
            marks.mark(key);
            marked.insert(key);
        }
        for (int i = 0; i < 3000; ++i) marks.mark(random() | 1U << 20);
        for (const std::uint64_t key : keys) {
            for (const std::uint64_t near : {key - 1, key, key + 1}) {
                if (!keys.contains(near)) {
                    CHECK_FALSE(marks.is_marked(near));
                } else if (near != key || marks.is_marked(key) != marked.contains(key)) {
                    CHECK(marks.is_marked(near) == marked.contains(near));
                }
            }
        }
    }
}
