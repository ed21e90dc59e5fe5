#include <deque>
#include "chess/fen.hpp"
#include "ingest/game_replay.hpp"
#include "pgn/reader.hpp"
#include "support/corpus.hpp"
#include "support/pgn_extract.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"
#include <catch2/catch.hpp>
#include <iostream>
#include <map>
using namespace fendex;
using namespace fendex::test;
TEST_CASE("explore") {
    std::vector<std::string> files{"human.pgn.zst","engine.pgn.zst","chess960.pgn.zst"};
    for (auto* f: {"abhyuday-chessgpt-chess_com_games.pgn","abhyuday-chessgpt-lichess_games.pgn","allan-cao-carlsen-online-games.pgn","allan-cao-carlsen-online-lichess_DannyTheDonkey_2019-01-29.pgn","pnmadelaine-chess-lichess.pgn","shakmaty-benches-lichess_db_100k.pgn","shakmaty-benches-lichess_db_10k.pgn","twic1599_100k.pgn","twic1599_10k.pgn"}) files.push_back(std::string("online/")+f);
    for (auto& f: files) {
        TemporaryDirectory dir;
        std::string text;
        std::map<std::string, std::vector<std::string>> ours;
        unsigned n=0;
        unsigned every = f=="human.pgn.zst"?50:f=="engine.pgn.zst"?5:1;
        for_each_game(corpus_file(f), [&](std::string_view t, bool) {
            if (++n % every) return true;
            std::vector<store::TagPair> tags; std::deque<std::string> owned;
            ingest::GameReplay r; r.start(tags, owned);
            pgn::read_game(t, false, r); r.finish();
            auto& fens = ours[std::to_string(n)];
            if (r.replayed()) { auto p = r.start_position(); for (auto m: r.moves()) { p.play(m); fens.push_back(chess::to_fen(p)); } }
            text += std::string("[")+kNumberTag+" \""+std::to_string(n)+"\"]\n" + (t[0]=='['?"":"\n") + std::string(t) + "\n\n";
            return true;
        });
        auto path = dir.write("a.pgn", text);
        auto games = extract_fens(path, {"--allownullmoves"});
        std::cout << f << ": ours " << ours.size() << " theirs " << games.size() << "\n";
        unsigned shown=0; std::size_t plies=0, bad=0, badgames=0;
        for (auto& g: games) {
            auto& o = ours[g.number];
            bool b=false;
            if (o.size()!=g.fens.size()) { b=true; if (shown++<20) std::cout << "  game " << g.number << " plies " << o.size() << " vs " << g.fens.size() << "\n"; }
            for (std::size_t i=0;i<std::min(o.size(),g.fens.size());++i) { ++plies; if (o[i]!=g.fens[i]) { b=true; ++bad; if (shown++<20) std::cout << "  game " << g.number << " ply " << i+1 << "\n    " << o[i] << "\n    " << g.fens[i] << "\n"; } }
            badgames += b;
        }
        std::cout << "  plies " << plies << " bad " << bad << " badgames " << badgames << "\n";
    }
}
