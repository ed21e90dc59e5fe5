// The corpus: archives and positions from public collections, in a folder beside the repository on
// some machines. A cut of it, with the same file names, is always in tests/data/corpus. Also reads
// games of archives as text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fendex::test {

/// Folder of the whole corpus; it may not exist.
std::string whole_corpus();

/// Folder of the cut.
std::string corpus_cut();

bool have_corpus();

/// True if there is no corpus: then the test has been marked as skipped (see skip.hpp) and must
/// return.
bool skip_without_corpus();

/// Path of a file or folder of the corpus; empty if there is no corpus.
std::string corpus_file(const std::string& name);

/// The files in a folder and its subfolders, sorted by path.
std::vector<std::string> files_below(const std::string& folder);

/// Calls visit() for the games of an archive in order, as the splitter cuts them, until it returns
/// false.
void for_each_game(const std::string& path,
                   const std::function<bool(std::string_view text, bool truncated)>& visit);

/// The first games of an archive as one text, with a blank line after each.
std::string first_games(const std::string& path, unsigned games);

}  // namespace fendex::test
