#include "upkeep/game_check.hpp"

#include <algorithm>

#include "codec/annotation.hpp"
#include "codec/columns.hpp"
#include "replay/opening_names.hpp"
#include "replay/ply_rows.hpp"
#include "replay/tag_facts.hpp"

namespace fendex::upkeep {

GameCheck::GameCheck(store::RawRows& raw_rows, bool ply_rows)
    : raw_rows_(raw_rows),
      ply_rows_(ply_rows),
      has_openings_(raw_rows.has_openings_of(replay::opening_table_mark())),
      has_tag_facts_(raw_rows.has_tag_facts_of(replay::kTagFactRule)) {}

bool GameCheck::check(store::GameId game, Findings& findings, store::GameSums& sums) {
    game_ = game;
    trace_.clear();
    try {
        if (!raw_rows_.reader().game(game, stored_)) {
            findings.add({.kind = "game", .game = game, .message = "the game is missing"});
            return false;
        }
        if (!replay(findings)) return false;
        check_facts(findings);
        check_signature(findings);
        check_codes(findings);
        if (has_openings_) check_opening(findings);
        check_repetitions(findings);
        check_quiet_runs(findings);
        check_annotation(findings);
        if (ply_rows_) check_ply_rows(findings);
    } catch (const store::DamageError& error) {
        findings.add({.kind = "game", .game = game, .message = error.what()});
        return false;
    }
    sums.add_game(game, trace().keys());
    return true;
}

/// Replays the stored moves from the start that the tags give.
bool GameCheck::replay(Findings& findings) {
    tags_.clear();
    for (const auto& [name, value] : stored_.tags) tags_.push_back({name, value});
    const codec::GameFacts& stored = stored_.moves.facts;
    const replay::GameStart start =
        replay::start_of_stored(tags_, stored.variant, stored_.moves.start);
    check_row(start, findings);
    const std::uint32_t plies = stored.plies;
    facts_ = {};
    facts_.variant = start.variant;
    facts_.plies = plies;
    replay::read_stored_facts(tags_, stored.result, facts_);
    if (facts_.result != stored.result) {
        findings.add({.kind = "game", .game = game_, .message = "the result differs from its tag"});
    }
    if (!start.position) {
        if (plies == 0 && stored_.moves.moves.empty()) return true;
        findings.add(
            {.kind = "game", .game = game_, .message = "has moves, but no valid start position"});
        return false;
    }
    trace_.replay(*start.position, stored_.moves.moves, plies);
    if (trace().moves().size() != plies) {
        findings.add({.kind = "game",
                      .game = game_,
                      .ply = static_cast<std::int64_t>(trace().moves().size()),
                      .message = "the moves can be replayed only up to this ply of " +
                                 std::to_string(plies)});
        return false;
    }
    packed_.clear();
    trace().packed_moves().append_to(packed_);
    if (packed_ != stored_.moves.moves) {
        findings.add({.kind = "game",
                      .game = game_,
                      .ply = plies,
                      .message = "the packed moves do not end at the game's last ply"});
    }
    return true;
}

void GameCheck::check_row(const replay::GameStart& start, Findings& findings) {
    if (stored_.moves.facts.variant != start.variant) {
        findings.add(
            {.kind = "game", .game = game_, .message = "the variant differs from its tags"});
    }
    if (stored_.moves.start != replay::stored_fen(start)) {
        findings.add({.kind = "game", .game = game_, .message = "the start differs from its tags"});
    }
}

/// Reports a value that is derived from the game if it is wrong or cannot be read.
template <typename IsRight>
void GameCheck::check_derived(const char* kind, const char* problem, IsRight is_right,
                              Findings& findings) {
    try {
        if (is_right()) return;
        findings.add({.kind = kind, .game = game_, .message = problem});
    } catch (const store::DamageError& error) {
        findings.add({.kind = kind, .game = game_, .message = error.what()});
    }
}

void GameCheck::check_facts(Findings& findings) {
    check_derived(
        "fact", "result, ratings, date, length or time control differ from the game",
        [&] {
            const codec::GameFacts stored = raw_rows_.reader().facts(game_);
            codec::GameFacts expected = raw_rows_.stored_form(facts_);
            if (!has_tag_facts_) {
                expected.time_class = stored.time_class;
                if (expected.date == 0) expected.date = stored.date;
            }
            return stored == expected;
        },
        findings);
}

void GameCheck::check_codes(Findings& findings) {
    check_derived(
        "codes",
        "the numbers of players, event, site, ECO, termination or opening differ from the game",
        [&] { return raw_rows_.codes_are_right(game_); }, findings);
}

void GameCheck::check_opening(Findings& findings) {
    check_derived(
        "opening", "the opening differs from that of the game's moves",
        [&] {
            const auto opening = replay::opening_of_game(trace().keys());
            return raw_rows_.opening(game_) == (opening ? opening->text : std::string_view());
        },
        findings);
}

void GameCheck::check_signature(Findings& findings) {
    const std::uint64_t chunk = (game_ - 1) / codec::kGamesPerChunk;
    if (chunk != chunk_) {
        chunk_ = chunk;
        signatures_.clear();
        try {
            signatures_ = raw_rows_.reader().signatures(
                {chunk * codec::kGamesPerChunk + 1, (chunk + 1) * codec::kGamesPerChunk});
        } catch (const store::DamageError& error) {
            findings.add({.kind = "signature",
                          .row = static_cast<std::int64_t>(chunk),
                          .message = error.what()});
        }
    }
    const std::size_t index = (game_ - 1) % codec::kGamesPerChunk;
    if (signatures_.empty()) return;  // reported once for the whole chunk
    if (index < signatures_.size() && signatures_[index] == trace().signature()) {
        return;
    }
    findings.add({.kind = "signature",
                  .game = game_,
                  .row = static_cast<std::int64_t>(chunk),
                  .message = "least pieces or pawn squares differ from those of the game"});
}

void GameCheck::check_repetitions(Findings& findings) {
    std::vector<store::RawRepetition> expected;
    const auto optional = [](const std::optional<std::uint32_t>& ply) {
        return ply ? std::optional<std::int64_t>(*ply) : std::nullopt;
    };
    for (const store::RepeatedPosition& each : trace().repetitions()) {
        expected.push_back({store::as_signed(each.key),
                            static_cast<std::int64_t>(each.plies.size()),
                            store::plies_text(each.plies), optional(each.occurrence(3)),
                            optional(each.occurrence(5))});
    }
    std::sort(expected.begin(), expected.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    const std::vector<store::RawRepetition> found = raw_rows_.repetitions(game_);
    if (found == expected) return;
    const auto complain = [&](std::int64_t key, const char* what) {
        findings.add({.kind = "repetition",
                      .game = game_,
                      .key = static_cast<std::uint64_t>(key),
                      .message = what});
    };
    auto at = found.begin();
    for (const store::RawRepetition& each : expected) {
        for (; at != found.end() && at->key < each.key; ++at) {
            complain(at->key, "a repetition that the game does not have");
        }
        if (at == found.end() || at->key != each.key) {
            complain(each.key, "the repetition is missing");
        } else if (*at++ != each) {
            complain(each.key, "the plies of the repetition are wrong");
        }
    }
    for (; at != found.end(); ++at) complain(at->key, "a repetition that the game does not have");
}

void GameCheck::check_quiet_runs(Findings& findings) {
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
    findings.add(
        {.kind = "quiet_run",
         .game = game_,
         .ply = run.ply50,
         .message = "the runs without capture or pawn move differ from those of the game"});
}

void GameCheck::check_annotation(Findings& findings) {
    const auto complain = [&](const char* what) {
        findings.add({.kind = "annotation", .game = game_, .message = what});
    };
    try {
        if (!raw_rows_.reader().annotation(game_, annotation_)) return;
        const std::optional<std::size_t> moves = codec::moves_of_annotation(annotation_);
        if (!moves) {
            complain("the annotation cannot be read to its end");
        } else if (*moves > trace().moves().size()) {
            complain("the annotation has more moves than the game");
        }
    } catch (const store::DamageError& error) {
        complain(error.what());
    }
}

void GameCheck::check_ply_rows(Findings& findings) {
    rows_.clear();
    if (!trace().keys().empty()) {
        replay::append_ply_rows(trace_.start_position(), trace().moves(),
                                store::Occurrences(trace().repetitions()), facts_.variant, rows_);
    }
    const auto complain = [&](std::int64_t ply, const char* what) {
        findings.add({.kind = "ply", .game = game_, .ply = ply, .message = what});
    };
    std::size_t next = 0;
    raw_rows_.for_each_ply(game_, [&](const store::RawPly& found) {
        while (next < rows_.rows.size() && rows_.rows[next].ply < found.ply) {
            complain(rows_.rows[next++].ply, "the ply's row is missing");
        }
        if (next == rows_.rows.size() || rows_.rows[next].ply != found.ply) {
            complain(found.ply, "a row of a ply that the game does not have");
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
        if (found != expected) complain(row.ply, "the ply's row differs from the game");
    });
    while (next < rows_.rows.size()) {
        complain(rows_.rows[next++].ply, "the ply's row is missing");
    }
}

}  // namespace fendex::upkeep
