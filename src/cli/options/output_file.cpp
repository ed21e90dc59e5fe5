#include "cli/options/output_file.hpp"

#include "cli/options/arguments.hpp"
#include "store/sqlite/file/database_files.hpp"

namespace fendex::cli {

void refuse_database_as_output(const std::string& database, const std::string& output) {
    if (!store::belongs_to_database(database, output == "-" ? "/dev/stdout" : output)) return;
    throw UsageError(
        (output == "-" ? "standard output" : "'" + output + "'") +
        " is the database itself, or a file that belongs to it: write to another file");
}

}  // namespace fendex::cli
