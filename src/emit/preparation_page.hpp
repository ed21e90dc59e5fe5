// A page to print: how to prepare against a player. One HTML file that needs nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/preparation.hpp"
#include "store/store_reader.hpp"

namespace fendex::emit {

struct PreparationTitle {
    std::vector<std::string> names;  // of the player
    chess::Color color = chess::Color::kWhite;
};

[[nodiscard]] std::string preparation_page(const PreparationTitle& title,
                                           const query::Preparation& preparation,
                                           store::StoreReader& reader);

}  // namespace fendex::emit
