// The corpus: archives and positions from public collections, which only the developers have. A cut
// of it, with the same file names, is always in tests/data/corpus. Tests use the cut; at full size
// (see test_size.hpp) they use the corpus if it is there. Tests that need the whole corpus have the
// tag [.corpus], which hides them from ctest where it is missing. Also reads games of archives as
// text.
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

/// True at full size if there is a corpus.
bool use_whole_corpus();

/// Folder of the corpus, or of the cut if the corpus is not used.
std::string corpus_in_use();

/// The files in a folder and its subfolders, sorted by path.
std::vector<std::string> files_below(const std::string& folder);

/// Calls visit() for the games of an archive in order, as the splitter cuts them, until it returns
/// false.
void for_each_game(const std::string& path,
                   const std::function<bool(std::string_view text, bool truncated)>& visit);

/// The first games of an archive as one text, with a blank line after each.
std::string first_games(const std::string& path, unsigned games);

}  // namespace fendex::test
