#include "ask/schema.hpp"

#include "emit/game_rows.hpp"

namespace fendex::ask {

Members all_members(std::initializer_list<Members> groups) {
    Members all;
    for (const Members& group : groups) all.insert(all.end(), group.begin(), group.end());
    return all;
}

Members game_ref_members() {
    return {{"database?", "string", "if several databases are served"},
            {"game_id", "integer"},
            {"ref", "string", "names the game in addresses: games/{ref}"}};
}

Members result_members() { return {{"result", "'1-0'|'0-1'|'1/2-1/2'|'*'"}}; }

Members game_column_members() {
    Members members;
    for (const emit::GameColumn& column : emit::game_columns()) {
        members.push_back(
            {std::string(column.name), std::string(column.type), std::string(column.help)});
    }
    return members;
}

Members results_members() {
    return {{"white", "integer", "White's wins"},
            {"draws", "integer"},
            {"black", "integer"},
            {"games", "integer"}};
}

Members score_members() {
    return {{"games", "integer"},
            {"wins", "integer"},
            {"draws", "integer"},
            {"losses", "integer"},
            {"score", "number?", "in percent"}};
}

Members position_members() { return {{"fen", "string"}, {"epd", "string"}, {"key", "string"}}; }

}  // namespace fendex::ask
