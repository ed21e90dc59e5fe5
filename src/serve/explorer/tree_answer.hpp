// Answers a question about the moves from a position, in the form of the Lichess explorer.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "query/game_filter.hpp"
#include "serve/databases.hpp"
#include "serve/explorer/parameters.hpp"

namespace fendex::serve::explorer {

enum class Family { kMasters, kLichess, kPlayer };

struct TreeQuestion {
    Family family = Family::kMasters;
    PositionRequest asked;
    query::GameFilter filter;
    std::size_t moves = kAll;
    std::size_t top_games = 0;
    std::size_t recent_games = 0;
    bool history = false;
    chess::Color player = chess::Color::kWhite;  // of Family::kPlayer
};

/// Returns one JSON object. Only games with a result count. Throws base::Stopped, StoreError.
std::string answer(const TreeQuestion& question, std::vector<OpenDatabase>& databases,
                   std::stop_token stop);

}  // namespace fendex::serve::explorer
