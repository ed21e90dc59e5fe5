#include "upkeep/game_check.hpp"

#include <algorithm>

#include "codec/annotation.hpp"
#include "codec/columns.hpp"
#include "replay/opening_names.hpp"
#include "replay/ply_rows.hpp"
#include "replay/stored_swings.hpp"
#include "replay/tag_facts.hpp"

namespace fendex::upkeep {

GameCheck::GameCheck(store::RawRows& raw_rows, bool ply_rows)
    : raw_rows_(raw_rows),
      ply_rows_(ply_rows),
      has_openings_(raw_rows.has_openings_of(replay::kOpeningTableMark)),
      has_tag_facts_(raw_rows.has_tag_facts_of(replay::kTagFactRule)),
      has_swings_(raw_rows.has_swings_of(codec::kSwingRule)) {}

bool GameCheck::check(store::GameId game, Findings& findings, store::GameSums& sums) {
    game_ = game;
    findings_ = &findings;
    trace_.clear();
    try {
        if (!raw_rows_.reader().game(game, stored_)) {
            complain("game", "the game is missing");
            return false;
        }
        if (!replay()) return false;
        check_facts();
        check_signature();
        check_codes();
        if (has_openings_) check_opening();
        check_repetitions();
        check_quiet_runs();
        check_annotation();
        check_swings();
        if (ply_rows_) check_ply_rows();
    } catch (const store::DamageError& error) {
        complain("game", error.what());
        return false;
    }
    sums.add_game(game, trace().keys());
    return true;
}

/// Replays the stored moves from the start that the tags give.
bool GameCheck::replay() {
    tags_.clear();
    for (const auto& [name, value] : stored_.tags) tags_.push_back({name, value});
    const codec::GameFacts& stored = stored_.moves.facts;
    const replay::GameStart start =
        replay::start_of_stored(tags_, stored.variant, stored_.moves.start);
    check_row(start);

    const std::uint32_t plies = stored.plies;
    facts_ = {};
    facts_.variant = start.variant;
    facts_.plies = plies;
    replay::read_stored_facts(tags_, stored.result, facts_);
    if (facts_.result != stored.result) complain("game", "the result differs from its tag");
    if (!start.position) {
        if (plies == 0 && stored_.moves.moves.empty()) return true;
        complain("game", "has moves, but no valid start position");
        return false;
    }

    trace_.replay(*start.position, stored_.moves.moves, plies);
    if (trace().moves().size() != plies) {
        complain("game",
                 "the moves can be replayed only up to this ply of " + std::to_string(plies),
                 static_cast<std::int64_t>(trace().moves().size()));
        return false;
    }
    packed_.clear();
    trace().packed_moves().append_to(packed_);
    if (packed_ != stored_.moves.moves) {
        complain("game", "the packed moves do not end at the game's last ply", plies);
    }
    return true;
}

void GameCheck::check_row(const replay::GameStart& start) {
    if (stored_.moves.facts.variant != start.variant) {
        complain("game", "the variant differs from its tags");
    }
    if (stored_.moves.start != replay::stored_fen(start)) {
        complain("game", "the start differs from its tags");
    }
}

/// Reports a value that is derived from the game if it is wrong or cannot be read.
template <typename IsRight>
void GameCheck::check_derived(const char* kind, const char* problem, IsRight is_right) {
    try {
        if (!is_right()) complain(kind, problem);
    } catch (const store::DamageError& error) {
        complain(kind, error.what());
    }
}

void GameCheck::check_facts() {
    check_derived("fact", "result, ratings, date, length or time control differ from the game",
                  [&] {
                      const codec::GameFacts stored = raw_rows_.reader().facts(game_);
                      codec::GameFacts expected = raw_rows_.stored_form(facts_);
                      if (!has_tag_facts_) {
                          expected.time_class = stored.time_class;
                          if (expected.date == 0) expected.date = stored.date;
                      }
                      return stored == expected;
                  });
}

void GameCheck::check_codes() {
    check_derived(
        "codes",
        "the numbers of players, event, site, ECO, termination or opening differ from the game",
        [&] { return raw_rows_.codes_are_right(game_); });
}

void GameCheck::check_opening() {
    check_derived("opening", "the opening differs from that of the game's moves", [&] {
        const auto opening = replay::opening_of_game(trace().keys());
        return raw_rows_.opening(game_) == (opening ? opening->text : std::string_view());
    });
}

void GameCheck::check_signature() {
    const std::uint64_t chunk = (game_ - 1) / codec::kGamesPerChunk;
    if (chunk != chunk_) {
        chunk_ = chunk;
        signatures_.clear();
        try {
            signatures_ = raw_rows_.reader().signatures(
                {chunk * codec::kGamesPerChunk + 1, (chunk + 1) * codec::kGamesPerChunk});
        } catch (const store::DamageError& error) {
            findings_->add({.kind = "signature",
                            .row = static_cast<std::int64_t>(chunk),
                            .message = error.what()});
        }
    }
    const std::size_t index = (game_ - 1) % codec::kGamesPerChunk;
    if (signatures_.empty()) return;  // reported once for the whole chunk
    if (index < signatures_.size() && signatures_[index] == trace().signature()) {
        return;
    }
    findings_->add({.kind = "signature",
                    .game = game_,
                    .row = static_cast<std::int64_t>(chunk),
                    .message = "least pieces or pawn squares differ from those of the game"});
}

void GameCheck::check_repetitions() {
    std::vector<store::RawRepetition> expected;
    for (const store::RepeatedPosition& each : trace().repetitions()) {
        expected.push_back({store::as_signed(each.key),
                            static_cast<std::int64_t>(each.plies.size()),
                            store::plies_text(each.plies), each.occurrence(3), each.occurrence(5)});
    }
    std::ranges::sort(expected, [](const auto& a, const auto& b) { return a.key < b.key; });
    const std::vector<store::RawRepetition> found = raw_rows_.repetitions(game_);
    if (found == expected) return;
    const auto complain_of = [&](std::int64_t key, const char* what) {
        findings_->add({.kind = "repetition",
                        .game = game_,
                        .key = static_cast<std::uint64_t>(key),
                        .message = what});
    };
    auto at = found.begin();
    for (const store::RawRepetition& each : expected) {
        for (; at != found.end() && at->key < each.key; ++at) {
            complain_of(at->key, "a repetition that the game does not have");
        }
        if (at == found.end() || at->key != each.key) {
            complain_of(each.key, "the repetition is missing");
        } else if (*at++ != each) {
            complain_of(each.key, "the plies of the repetition are wrong");
        }
    }
    for (; at != found.end(); ++at)
        complain_of(at->key, "a repetition that the game does not have");
}

void GameCheck::check_quiet_runs() {
    std::vector<store::QuietRun> expected;
    for (const store::QuietPlies& run : trace().quiet_runs()) expected.push_back({run, game_});
    const std::vector<store::QuietRun> found = raw_rows_.reader().quiet_runs(game_);
    if (found == expected) return;
    const std::size_t common = std::min(found.size(), expected.size());
    const auto where = static_cast<std::size_t>(
        std::mismatch(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(common),
                      expected.begin())
            .first -
        found.begin());
    const store::QuietRun& run = where < expected.size() ? expected[where] : found[where];
    complain("quiet_run", "the runs without capture or pawn move differ from those of the game",
             run.ply50);
}

void GameCheck::check_annotation() {
    annotation_.clear();
    try {
        if (!raw_rows_.reader().annotation(game_, annotation_)) return;
        const std::optional<std::size_t> moves = codec::moves_of_annotation(annotation_);
        if (!moves) {
            complain("annotation", "the annotation cannot be read to its end");
        } else if (*moves > trace().moves().size()) {
            complain("annotation", "the annotation has more moves than the game");
        }
    } catch (const store::DamageError& error) {
        complain("annotation", error.what());
    }
}

/// Without annotations the stored swings are all that is known.
void GameCheck::check_swings() {
    check_derived("swing", "the swings differ from the evaluations in the game's comments", [&] {
        const std::uint32_t stored = raw_rows_.swings(game_);
        if (!has_swings_ || annotation_.empty()) return true;
        return stored ==
               codec::code_of_swings(replay::swings_of_stored(stored_.moves, annotation_));
    });
}

void GameCheck::check_ply_rows() {
    rows_.clear();
    if (!trace().keys().empty()) {
        replay::append_ply_rows(trace_.start_position(), trace().moves(),
                                store::Occurrences(trace().repetitions()), facts_.variant, rows_);
    }
    std::size_t next = 0;
    raw_rows_.for_each_ply(game_, [&](const store::RawPly& found) {
        while (next < rows_.rows.size() && rows_.rows[next].ply < found.ply) {
            complain("ply", "the ply's row is missing", rows_.rows[next++].ply);
        }
        if (next == rows_.rows.size() || rows_.rows[next].ply != found.ply) {
            complain("ply", "a row of a ply that the game does not have", found.ply);
            return;
        }
        const store::PlyRow& row = rows_.rows[next++];
        std::string_view text = std::string_view(rows_.text).substr(row.text);
        const auto take = [&](std::size_t size) {
            const std::string_view out = text.substr(0, size);
            text.remove_prefix(size);
            return out;
        };
        store::RawPly expected{row.ply, store::as_signed(row.key), row.occurrence, {}, {}, {}, {}};
        expected.san = take(row.san_size);
        expected.uci = take(row.uci_size);
        expected.fen = take(row.fen_size);
        expected.epd = take(row.epd_size);
        if (found != expected) complain("ply", "the ply's row differs from the game", row.ply);
    });
    while (next < rows_.rows.size()) {
        complain("ply", "the ply's row is missing", rows_.rows[next++].ply);
    }
}

}  // namespace fendex::upkeep
