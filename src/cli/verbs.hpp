// One function per verb. Each takes the words behind the verb and returns the exit status: 0 done
// or found, 1 nothing found, 2 error. What goes wrong otherwise is thrown.
#pragma once

#include <string>
#include <vector>

namespace fendex::cli {

inline constexpr int kFound = 0;
inline constexpr int kNothingFound = 1;
inline constexpr int kError = 2;

int run_import(const std::vector<std::string>& words);
int run_find(const std::vector<std::string>& words);
int run_games(const std::vector<std::string>& words);
int run_show(const std::vector<std::string>& words);
int run_fen(const std::vector<std::string>& words);
int run_materialize(const std::vector<std::string>& words);
int run_info(const std::vector<std::string>& words);

}  // namespace fendex::cli
