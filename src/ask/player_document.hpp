// A player's report, and what to prepare against a player, as documents.
#pragma once

#include <stop_token>
#include <string>

#include "ask/given.hpp"
#include "ask/questions.hpp"
#include "ask/sources.hpp"
#include "base/json.hpp"
#include "chess/types.hpp"

namespace fendex::ask {

/// Which player: a name or words of one.
struct PlayerQuestion {
    std::string name;
    std::string against;    // only games against this player; empty: all
    bool together = false;  // all names that fit are one player
    store::GameFilter filter;
};

[[nodiscard]] FieldText together_field();
[[nodiscard]] FieldText color_field();

/// Sets the filter of a question: `against` adds both names to it. Throws store::FilterError.
[[nodiscard]] PlayerQuestion player_question(const Given& given, std::string name,
                                             std::string against);

/// Adds the report. The sources must have the question's filter. Throws QuestionError if no player
/// is meant, or several.
void add_player(Sources& sources, const PlayerQuestion& question, json::Object& object,
                const std::stop_token& stop = {});

/// Adds the preparation against a player who has `color`, in one database. With refs also the names
/// by which the server's addresses know its games. Throws like add_player().
void add_preparation(Source& source, const PlayerQuestion& question, chess::Color color, bool refs,
                     json::Object& object, const std::stop_token& stop = {});

}  // namespace fendex::ask
